/// One type per file, named after it; extensions stand in `Type+Topic.swift`; no type takes the
/// name of a module, for then the module's other types could no longer be named in full.
struct TypeNameRule: HouseRule {
    private static let types: Set = ["struct", "class", "enum", "actor", "protocol"]

    func findings(in source: SwiftSource) -> [Finding] {
        guard source.module != nil else { return [] }
        return moduleNames(in: source) + fileName(of: source)
    }

    private func moduleNames(in source: SwiftSource) -> [Finding] {
        source.tokens.indices.compactMap { index in
            let name = source.word(at: index + 1)
            guard declaresType(source, at: index), House.mayImport[name] != nil else { return nil }
            return source.finding(
                source.tokens[index].line,
                "a type with its module's name: \(name)"
            )
        }
    }

    private func fileName(of source: SwiftSource) -> [Finding] {
        guard source.stem != "main" else { return [] }
        let outermost = outermostIndices(of: source)
        let types = outermost.filter {
            declaresType(source, at: $0) && !isPrivate(source, at: $0)
        }
        if let first = types.first {
            let others = types.dropFirst()
                .map {
                    source.finding(
                        source.tokens[$0].line,
                        "a second type: \(source.word(at: $0 + 1))"
                    )
                }
            let name = source.word(at: first + 1)
            guard name != source.stem else { return others }
            return [source.finding(source.tokens[first].line, "\(name) belongs in \(name).swift")]
                + others
        }
        let extended = outermost.filter { source.word(at: $0) == "extension" }
            .map { extendedNames(source, at: $0 + 1) }
        let owner = source.stem.split(separator: "+", maxSplits: 1).map(String.init)
        let isNamed = owner.count == 2 && extended.contains { $0.contains(owner[0]) }
        return isNamed || source.tokens.isEmpty
            ? [] : [source.finding(0, "is named after no type it declares or extends")]
    }

    /// Returns the indices of what stands outside all braces and parentheses.
    private func outermostIndices(of source: SwiftSource) -> [Int] {
        var outermost: [Int] = []
        var index = 0
        while index < source.tokens.count {
            if ["{", "(", "["].contains(source.word(at: index)) {
                index = source.closing(of: index) ?? source.tokens.count
            } else {
                outermost.append(index)
            }
            index += 1
        }
        return outermost
    }

    private func declaresType(_ source: SwiftSource, at index: Int) -> Bool {
        Self.types.contains(source.word(at: index))
            && source.word(at: index + 1).first?.isUppercase == true
            && ![".", "import"].contains(source.word(at: index - 1))
    }

    private func isPrivate(_ source: SwiftSource, at index: Int) -> Bool {
        let line = source.tokens[index].line
        return source.tokens[..<index].reversed().prefix { $0.line == line }
            .contains { ["private", "fileprivate"].contains($0.text) }
    }

    /// Returns the names that an extension may give its file: the type's, `Trip.Row` or `Row`,
    /// and those of the protocols it conforms the type to.
    private func extendedNames(_ source: SwiftSource, at index: Int) -> [String] {
        var names = [source.word(at: index)]
        var next = index + 1
        if names == ["["], let closing = source.closing(of: index) {
            let isDictionary = (index..<closing).contains { source.word(at: $0) == ":" }
            names = [isDictionary ? "Dictionary" : "Array"]
            next = closing + 1
        }
        while !["{", "where", ""].contains(source.word(at: next)) {
            names.append(source.word(at: next))
            next += 1
        }
        return names + [names.prefix { $0 != ":" }.joined()]
    }
}
