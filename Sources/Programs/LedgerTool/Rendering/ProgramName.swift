import ArgumentParser

/// The name by which this program was started: `ledger`, or `trip-ledger` where packages install it
/// so, because another program is called `ledger` there.
///
/// Texts in this program say `ledger`; people see the name that works on their machine. JSON and
/// CSV for programs, and reports, which are the same on every machine, say `ledger`.
enum ProgramName {
    /// The program's name in its own texts.
    private static let usual = "ledger"

    private static let mostBytes = 64

    /// The name.
    static let current = name(ofProgramAt: CommandLine.arguments.first ?? usual)

    /// Returns the name of a program from the word by which it was started; the usual name if no
    /// person could type that word.
    static func name(ofProgramAt path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? usual
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain && name.utf8.count <= mostBytes ? name : usual
    }

    /// Returns a text for people with the name in every command that it tells them to type.
    static func shown(_ text: String) -> String {
        // Fast path: nearly always the name is the usual one.
        guard current != usual else { return text }
        return naming(current, in: text)
    }

    /// Returns a text in which the program has another name at the beginning of commands and
    /// messages, but not where the word means a ledger.
    static func naming(_ name: String, in text: String) -> String {
        let bytes = Array(text.utf8)
        let word = Array(usual.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let end = index + word.count
            if end <= bytes.count, bytes[index..<end].elementsEqual(word),
                isCommand(bytes, index..<end)
            {
                result += name.utf8
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The words that come after the name of the program.
    private static let commands = Set(
        NamedCommand.commands(of: LedgerCommand.self).keys + [NamedCommand.help]
    )

    private static func isCommand(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let (before, after) = (bytes[..<range.lowerBound], bytes[range.upperBound...])
        let spaces = before.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let front = before.dropLast(spaces)
        let isLineStart = front.isEmpty || front.last == UInt8(ascii: "\n")
        if isLineStart, spaces == 0, after.first == UInt8(ascii: ":") { return true }
        let quotes = Array("`'".utf8)
        if spaces == 0, let last = front.last, quotes.contains(last), after.first == last {
            return true
        }
        let isFree =
            switch spaces {
            case 0: isLineStart || front.last.map(quotes.contains) ?? false
            case 1:
                isLineStart || front.last.map(Array("|;&$,".utf8).contains) ?? false
                    || ["Usage:", "USAGE:"].contains { front.suffix(6).elementsEqual($0.utf8) }
            default: true
            }
        guard isFree, after.first == UInt8(ascii: " "), let next = after.dropFirst().first else {
            return false
        }
        if Array("-<[".utf8).contains(next) { return true }
        let argument = after.dropFirst().prefix { $0 &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
        return commands.contains(String(decoding: argument, as: UTF8.self))
    }
}
