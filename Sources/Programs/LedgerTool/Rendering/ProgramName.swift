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

    /// Returns a message with the name that it begins with.
    static func leading(_ message: String) -> String {
        message.hasPrefix(usual + ":") ? current + message.dropFirst(usual.count) : message
    }

    /// Returns sentences of this program in which every command between backticks works as it
    /// stands: with the name, and with the ledger and the group that the command line names.
    ///
    /// What users typed stays as it is between double quotes, and within a command in the quotes of
    /// the shell; a text that consists only of users' words MUST NOT be passed.
    static func shown(_ text: String) -> String {
        guard isCompleting else { return text }
        let bytes = Array(text.utf8)
        let opening = Array("`\(usual)".utf8)
        var result: [UInt8] = []
        var copied = 0
        while let start = bytes[copied...].firstRange(of: opening)?.lowerBound {
            result += bytes[copied...start]
            copied = start + 1
            guard !isQuotation(after: bytes[..<start]) else { continue }
            let rest = bytes[copied...]
            let backtick = UInt8(ascii: "`")
            guard let end = firstUnquoted([backtick], in: rest) ?? rest.firstIndex(of: backtick)
            else { break }
            result += completed(rest[..<end])
            copied = end
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a command of this program, or several with `&&` between them, that stands alone:
    /// with the name, the ledger and the group, as in sentences.
    static func shown(command: String) -> String {
        guard isCompleting else { return command }
        return String(decoding: completed(Array(command.utf8)[...]), as: UTF8.self)
    }

    /// Returns a page of help with the name in every command.
    static func named(_ page: String) -> String {
        guard current != usual else { return page }
        let bytes = Array(page.utf8)
        let word = Array(usual.utf8)
        var result: [UInt8] = []
        var (copied, index) = (0, 0)
        while let range = bytes[index...].firstRange(of: word) {
            index = range.upperBound
            guard isName(range, in: bytes) else { continue }
            result += bytes[copied..<range.lowerBound]
            result += current.utf8
            copied = index
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Nearly always the name is the usual one, and so is the ledger.
    private static var isCompleting: Bool { current != usual || !GivenOptions.current.isEmpty }

    /// Whether what follows in a sentence stands between double quotes, as other people's words do.
    private static func isQuotation(after text: ArraySlice<UInt8>) -> Bool {
        let line = text.reversed().prefix { $0 != UInt8(ascii: "\n") }
        return line.count { $0 == UInt8(ascii: "\"") } % 2 == 1
    }

    /// Returns where one of some bytes stands first in a text for a shell, outside of quotes.
    private static func firstUnquoted(_ marks: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if !isQuoted {
                if marks.contains(byte) { return index }
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return nil
    }

    /// Returns a line for a person to type, with everything that this program's commands in it
    /// need.
    private static func completed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = line
        while let end = firstUnquoted(Array("|&;".utf8), in: rest) {
            result += completedOne(rest[..<end])
            result.append(rest[end])
            rest = rest[(end + 1)...]
        }
        return result + completedOne(rest)
    }

    /// Returns one command with the options that it needs; a command of another program stays as it
    /// is.
    private static func completedOne(_ command: ArraySlice<UInt8>) -> [UInt8] {
        let start = command.firstIndex { !isBlank($0) } ?? command.endIndex
        let end = start + usual.utf8.count
        guard command[start...].starts(with: usual.utf8),
            end == command.endIndex || isBlank(command[end])
        else { return Array(command) }
        let words = String(decoding: command[end...], as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }
            .map { word in String(word.prefix { !".,;:')\"…".contains($0) }) }
        var result = Array(command[..<start]) + Array(current.utf8)
        // If nothing, an option or a placeholder follows, only the name may need a change.
        guard let first = words.first, let sign = first.first, !"-<[".contains(sign) else {
            result += command[end...]
            return result
        }
        guard commands.contains(first) else { return Array(command) }
        let missing = GivenOptions.current.completing(words)
        let wordsEnd = Self.end(of: missing.wordCount, in: command[end...])
        result += missing.behindName.utf8
        result += command[end..<wordsEnd]
        result += missing.behindWords.utf8
        result += command[wordsEnd...]
        return result
    }

    /// Returns the end of a number of words at the beginning of a text, each after blanks.
    private static func end(of count: Int, in text: ArraySlice<UInt8>) -> Int {
        var rest = text
        for _ in 0..<count {
            rest = rest.drop(while: isBlank)
            rest = rest.drop { $0 &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
        }
        return rest.startIndex
    }

    /// Whether a byte separates words; in wrapped text, a command may continue on the next line.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }

    /// Whether the word in a range of a page of help is the program's name, and does not mean a
    /// ledger.
    private static func isName(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let (before, after) = (bytes[..<range.lowerBound], bytes[range.upperBound...])
        let spaces = before.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let front = before.dropLast(spaces)
        let isLineStart = front.isEmpty || front.last == UInt8(ascii: "\n")
        let isMarked = spaces == 0 && front.last == UInt8(ascii: "`")
        guard !isMarked || after.first != UInt8(ascii: "`") else { return true }
        let isFree =
            switch spaces {
            case 0: isLineStart || isMarked
            case 1: isLineStart || front.last.map { "|;&$,:".utf8.contains($0) } ?? false
            default: true
            }
        let gap = after.prefix { isMarked ? isBlank($0) : $0 == UInt8(ascii: " ") }
        guard isFree, isMarked ? !gap.isEmpty : gap.count == 1 else { return false }
        let rest = after.dropFirst(gap.count)
        if let next = rest.first, "-<[".utf8.contains(next) { return true }
        let word = rest.prefix { $0 &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
        return commands.contains(String(decoding: word, as: UTF8.self))
    }

    /// The words that come after the name of the program.
    private static let commands = Set(
        NamedCommand.commands(of: LedgerCommand.self).keys + [NamedCommand.help]
    )
}
