/// What has no home has not been understood yet: no drawer for everything.
enum FileNameRule {
    private static let drawers: Set = [
        "utilities", "utility", "utils", "common", "helpers", "helper", "interfaces",
    ]

    /// Returns a finding if a folder or file is named after a drawer.
    static func findings(inPath path: String) -> [Finding] {
        words(of: path).filter { drawers.contains($0.lowercased()) }
            .map { Finding(path: path, line: 0, message: "a drawer named \($0)") }
    }

    /// Splits `LMDB/PathHelpers+Test.swift` into its words: LMDB, Path, Helpers, Test, swift.
    private static func words(of path: String) -> [String] {
        var words = [""]
        for character in path {
            if !character.isLetter || character.isUppercase { words.append("") }
            if character.isLetter { words[words.count - 1].append(character) }
        }
        return words
    }
}
