/// One subject per file, which bears the name of its main type.
///
/// A file of extensions alone is named after what they add. No type has its module's name, for
/// qualified names would stop working.
struct TypeNameRule: HouseRule {
    private static let types: Set = ["struct", "class", "enum", "actor", "protocol"]

    func findings(in source: SwiftSource) -> [Finding] {
        guard source.module != nil else { return [] }
        return moduleNames(in: source) + fileName(of: source)
    }

    private func moduleNames(in source: SwiftSource) -> [Finding] {
        source.tokens.indices.compactMap { index in
            let name = source.word(at: index + 1)
            let isModule = House.manifest.rooms[name] != nil
            guard isModule, declaresType(source, at: index) else { return nil }
            return source.finding(
                source.tokens[index].line,
                "a type with its module's name: \(name)"
            )
        }
    }

    private func fileName(of source: SwiftSource) -> [Finding] {
        guard source.stem != "main" else { return [] }
        let outermost = outermostIndices(of: source)
        let declared = outermost.filter {
            declaresType(source, at: $0) && !isPrivate(source, at: $0)
        }
        guard let first = declared.first else { return [] }
        let owner = source.stem.prefix { $0 != "+" }
        let extended = outermost.filter { source.word(at: $0) == "extension" }
            .map { source.word(at: $0 + 1) }
        let names = declared.map { source.word(at: $0 + 1) }
        let isNamed = names.contains(source.stem) || (extended + names).contains(String(owner))
        return isNamed
            ? []
            : [source.finding(source.tokens[first].line, "\(source.stem) is no type of this file")]
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
}
