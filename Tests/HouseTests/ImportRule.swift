/// A module imports only what the house allows; the doors to C open to their keepers alone.
struct ImportRule: HouseRule {
    func findings(in source: SwiftSource) -> [Finding] {
        Self.imports(of: source)
            .compactMap { line, name in
                guard let module = source.module else {
                    return House.doors.contains(name)
                        ? source.finding(line, "only the doors' keepers may import \(name)") : nil
                }
                guard let allowed = House.mayImport[module] else {
                    return source.finding(line, "\(module) has no row in House.mayImport")
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
