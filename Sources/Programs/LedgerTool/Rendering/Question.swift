/// A question to the person at the terminal.
enum Question {
    /// Asks, and returns a line without its end; `nil` if there is none.
    static func answer(_ question: String) -> String? {
        Diagnostic.write(question)
        let line = readLine()?.trimmingSpaces
        // The library inserts this character where the line is not valid UTF-8.
        guard line?.contains("\u{FFFD}") ?? false else { return line }
        Diagnostic.say("That is not UTF-8.\n")
        return answer(question)
    }

    /// Asks whether to go ahead; no answer means no.
    static func isAgreed(_ question: String) -> Bool {
        ["y", "yes"].contains(answer("\(question) [y/N] ")?.lowercased())
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }
}
