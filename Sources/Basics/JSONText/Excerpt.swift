/// Input shown in a sentence: shortened, and without characters that act on a terminal.
public enum Excerpt {
    private static let maximumCharacters = 40
    private static let maximumLineCharacters = 76
    private static let maximumSentenceCharacters = 300

    /// Returns the beginning of a line, to show it below an error.
    public static func ofLine(_ line: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        for position in line.indices.prefix(4 * maximumLineCharacters + 4) {
            bytes.append(line[position])
        }
        return shown(String(decoding: bytes, as: UTF8.self), maximumLineCharacters)
    }

    /// Returns part of a line between quotes.
    package static func of(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        // A character has at most four bytes of UTF-8, so more would not be shown.
        for position in range.prefix(4 * maximumCharacters + 4) {
            bytes.append(line[position])
        }
        return of(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns a text between quotes.
    package static func of(_ text: String) -> String {
        "\"\(shown(text, maximumCharacters))\""
    }

    /// Returns a text in full, on one line and without characters that act on a terminal.
    public static func escaped(_ text: String) -> String {
        // Nearly every text is plain ASCII, for which Unicode's tables are not needed.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return shown(text, text.unicodeScalars.count)
    }

    /// Returns a text of several lines in full, without other characters that act on a terminal.
    package static func escapedLines(_ text: String) -> String {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { escaped(String(decoding: $0, as: UTF8.self)) }
            .joined(separator: "\n")
    }

    /// Returns the beginning of a sentence that a stranger wrote, on one line and without
    /// characters that act on a terminal.
    package static func sentence(_ text: String) -> String {
        shown(text, maximumSentenceCharacters)
    }

    /// Returns an address as anyone may see it: scheme, host and port, and an ellipsis for the
    /// rest.
    ///
    /// A user and password stand before the host, keys stand in queries, and with hooks in paths. A
    /// mailbox is shown as it is.
    package static func address(_ text: String) -> String {
        guard !text.hasPrefix("mailto:") else { return text }
        let bytes = text.utf8
        let scheme = schemes.first { text.hasPrefix($0) } ?? ""
        let start = bytes.index(bytes.startIndex, offsetBy: scheme.utf8.count)
        let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.endIndex
        let rest = bytes[end...]
        let at = UInt8(ascii: "@")
        // With an at sign behind it, it may be the beginning of a password that has a slash.
        guard !rest.contains(at) else { return "\(scheme)…" }
        let host = bytes[start..<end].lastIndex(of: at).map { bytes.index(after: $0) } ?? start
        let isWhole = rest.isEmpty || rest.elementsEqual("/".utf8)
        return "\(scheme)\(text[host..<end])\(isWhole ? text[end...] : "/…")"
    }

    private static let schemes = ["https://", "http://", "mqtts://", "mqtt://", "ssl://", "tcp://"]

    /// What ends the host and port of an address.
    private static let ends = Set("/?#\\".utf8)

    /// Returns at most so many characters of a text, and an ellipsis for the rest.
    private static func shown(_ text: String, _ count: Int) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(count) {
            shown += isPlain(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        let isCut = text.unicodeScalars.dropFirst(count).first != nil
        return isCut ? shown + "…" : shown
    }

    /// Returns a byte as the character it is, or in hexadecimal.
    package static func byte(_ byte: UInt8) -> String {
        (0x21..<0x7F).contains(byte) ? of(String(UnicodeScalar(byte))) : hexadecimal(byte)
    }

    /// Returns a byte in hexadecimal, such as `0x0A`.
    package static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16, uppercase: true)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
