/// One word, one meaning: a checkpoint is the active-trip checkpoint, or one as C2SP's transparency
/// logs define it, and is then called so in full.
///
/// A text that is that word and nothing else is the name of the file that C2SP's tlog-tiles
/// defines.
enum CheckpointRule {
    private static let word = "checkpoint"
    private static let phrases = [
        "active-trip ", "activetrip", "active_trip_", "active-trip-", "c2sp ", "tlog ", "tlog-",
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
