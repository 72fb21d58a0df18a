/// A module imports only what Package.swift says that it depends on; the doors to C open to their
/// keepers alone.
struct ImportRule: HouseRule {
    func findings(in source: SwiftSource) -> [Finding] {
        Self.imports(of: source)
            .compactMap { line, name in
                let isDoor = House.manifest.rooms[name] == "Doors"
                if isDoor, House.memoryKeepers.isDisjoint(with: source.places) {
                    return source.finding(line, "only the doors' keepers may import \(name)")
                }
                guard let module = source.module else { return nil }
                guard let allowed = House.imports(of: module) else {
                    return source.finding(line, "\(module) is no target of Package.swift")
                }
                return allowed.contains(name)
                    ? nil : source.finding(line, "\(module) may not import \(name)")
            }
    }

    /// Returns the modules a file imports, with or without attributes, access level and scope.
    static func imports(of source: SwiftSource) -> [(line: Int, module: String)] {
        let scopes: Set = [
            "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
        ]
        return source.tokens.indices.compactMap { index in
            let keyword = source.tokens[index]
            guard keyword.text == "import" else { return nil }
            let isScoped = scopes.contains(source.word(at: index + 1))
            return (keyword.line, source.word(at: index + (isScoped ? 2 : 1)))
        }
    }
}

/// The targets that `Package.swift` declares, read from its text.
///
/// `swift package dump-package` would wait for the build that runs this test.
struct PackageManifest {
    /// What each target depends on, by the target's name; only what is in `Sources`.
    private(set) var dependencies: [String: Set<String>] = [:]

    /// The room that each target is in, by the target's name.
    private(set) var rooms: [String: String] = [:]

    /// The targets that are programs.
    private(set) var programs: Set<String> = []

    /// What declares a target of `Sources`, with the room where it says none.
    private static let declarations = [
        "module": "", "program": "Programs", "door": "Doors", "target": "Doors",
    ]

    /// Reads a manifest.
    init(_ source: SwiftSource) {
        for index in source.tokens.indices {
            guard source.word(at: index + 1) == "(", source.word(at: index - 1) != "func",
                let room = Self.declarations[source.word(at: index)],
                source.word(at: index + 2) == "\"" || source.word(at: index + 4) == "\"",
                let end = source.closing(of: index + 1),
                let name = Self.strings(in: source, index..<end).first
            else { continue }
            let path = Self.strings(in: source, Self.argument("path", in: source, index..<end))
                .first
            if let path, !path.text.hasPrefix("Sources/") { continue }
            let said = Self.strings(in: source, Self.argument("in", in: source, index..<end)).first
            let list = Self.argument("dependencies", in: source, index..<end)
            let isPathsUser = list.contains { source.word(at: $0) == "systemPackage" }
            rooms[name.text] = said?.text ?? room
            if source.word(at: index) == "program" { programs.insert(name.text) }
            dependencies[name.text] = Set(
                Self.strings(in: source, list).filter { $0.label != "package" }.map(\.text)
                    + (isPathsUser ? ["SystemPackage"] : [])
            )
        }
    }

    /// Returns the tokens of the argument called `label`.
    private static func argument(
        _ label: String,
        in source: SwiftSource,
        _ range: Range<Int>
    ) -> Range<Int> {
        guard let start = range.first(where: { source.matches([label, ":"], at: $0) }) else {
            return range.upperBound..<range.upperBound
        }
        let isList = source.word(at: start + 2) == "["
        return start..<(isList ? source.closing(of: start + 2) ?? range.upperBound : start + 4)
    }

    /// Returns the strings in a range of tokens, each with the label before it.
    private static func strings(
        in source: SwiftSource,
        _ range: Range<Int>
    ) -> [(label: String, text: String)] {
        let quotes = range.filter { source.word(at: $0) == "\"" }
        return stride(from: 0, to: quotes.count - 1, by: 2)
            .map { index in
                let (opening, closing) = (quotes[index], quotes[index + 1])
                let bytes = source.bytes[
                    (source.tokens[opening].offset + 1)..<source.tokens[closing].offset
                ]
                let isLabelled = source.word(at: opening - 1) == ":"
                return (
                    label: isLabelled ? source.word(at: opening - 2) : "",
                    text: String(decoding: bytes, as: UTF8.self)
                )
            }
    }
}
