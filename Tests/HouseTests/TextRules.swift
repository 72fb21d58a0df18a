/// One word, one meaning: a checkpoint is the active-trip checkpoint, or one as C2SP's transparency
/// logs define it, and is then called so in full.
///
/// A text that is that word and nothing else is the name of the file that C2SP's tlog-tiles
/// defines, and `/log/checkpoint` and `/add-checkpoint` are paths of tlog-tiles and tlog-witness.
enum CheckpointRule {
    private static let word = "checkpoint"
    private static let phrases = [
        "active-trip ", "activetrip", "active_trip_", "active-trip-", "c2sp ", "tlog ", "tlog-",
        "/log/", "/add-",
    ]

    /// Returns where a text uses the word alone; a phrase may run over a line's end.
    static func findings(in text: String, path: String) -> [Finding] {
        var findings: [Finding] = []
        var lineBefore = ""
        for (index, line) in SwiftSource.lines(of: Array(text.utf8)).enumerated() {
            let content = line.trimmed.drop { $0 == "/" }.trimmed.lowercased()
            for range in content.ranges(of: word) {
                let before = lineBefore + " " + content[..<range.lowerBound]
                if before.hasSuffix("\""), content[range.upperBound...].first == "\"" { continue }
                if !phrases.contains(where: { before.hasSuffix($0) }) {
                    findings.append(
                        Finding(path: path, line: index + 1, message: "the word \(word) alone")
                    )
                }
            }
            lineBefore = content
        }
        return findings
    }
}

/// Code without a home has not been understood yet: no drawer for everything.
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

/// The repository works on any machine: no path of one that happened to be at hand.
enum MachinePathRule {
    private static let roots: Set = ["home", "root", "work", "farm", "Users", "opt", "mnt"]

    /// Returns the absolute paths in a text that begin with a directory of some machine.
    static func findings(in text: String, path: String) -> [Finding] {
        SwiftSource.lines(of: Array(text.utf8)).enumerated()
            .flatMap { index, line in
                directories(in: Array(line.utf8))
                    .map {
                        Finding(
                            path: path,
                            line: index + 1,
                            message: "a path of one machine: /\($0)"
                        )
                    }
            }
    }

    private static func directories(in line: [UInt8]) -> [String] {
        line.indices.compactMap { index in
            guard line[index] == UInt8(ascii: "/"), index == 0 || !goesOn(after: line[index - 1])
            else { return nil }
            let rest = line[(index + 1)...]
            let name = String(decoding: rest.prefix(while: isName), as: UTF8.self)
            let isDirectory = rest.drop(while: isName).first == UInt8(ascii: "/")
            return isDirectory && roots.contains(name) ? name : nil
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }

    /// Whether a slash after this byte goes on with a path: `a/b`, `~/b`, `$(…)/b`, `*/b`.
    private static func goesOn(after byte: UInt8) -> Bool {
        isName(byte) || "~)}*".utf8.contains(byte)
    }
}

/// Nothing is left for later on the main branch: no notes to oneself in comments.
struct UnfinishedRule: HouseRule {
    private static let marks: Set = ["TODO", "FIXME", "XXX"]

    func findings(in source: SwiftSource) -> [Finding] {
        Self.findings(in: source.commentLines, path: source.path)
    }

    /// Returns the marks in the lines of any text.
    static func findings(in lines: [String], path: String) -> [Finding] {
        lines.enumerated()
            .flatMap { index, line in
                line.split { !$0.isLetter }.filter { marks.contains(String($0)) }
                    .map { Finding(path: path, line: index + 1, message: "an unfinished \($0)") }
            }
    }
}
