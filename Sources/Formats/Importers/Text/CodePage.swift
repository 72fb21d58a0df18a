import TripEvents

/// An encoding of one byte for each character, of which the first 128 are ASCII.
struct CodePage {
    /// The encoding of files that name none and are not UTF-8: Windows used it for western
    /// languages.
    static let western = CodePage(named: "windows-1252") ?? CodePage()

    /// The characters of the bytes from 0x80 on, in UTF-8.
    private let characters: [[UInt8]]

    /// Creates an encoding without known characters, for encodings of several bytes: their
    /// characters are lost, and only ASCII is read.
    private init() {
        characters = Array(repeating: Array("\u{FFFD}".utf8), count: 128)
    }

    /// Creates an encoding from its characters, written as in ``CodePageTables``.
    private init(digits: String) {
        let values = digits.utf8.map { UInt32($0 <= UInt8(ascii: "9") ? $0 - 48 : $0 - 55) }
        characters = stride(from: 0, to: values.count, by: 4)
            .map { start in
                let value = values[start..<start + 4].reduce(0) { $0 << 4 | $1 }
                return Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
            }
    }

    /// Finds an encoding by one of its names; `nil` for UTF-8 and UTF-16, which are recognised by
    /// their bytes.
    ///
    /// An unknown name is taken for an encoding of several bytes.
    init?(named name: String) {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        guard !letters.isEmpty, !letters.hasPrefix("utf"), !letters.hasPrefix("ucs") else {
            return nil
        }
        let digits = CodePageTables.digits[Self.alias(of: letters)]
        self = digits.map { CodePage(digits: $0) } ?? CodePage()
    }

    /// Returns the character that a byte from 0x80 on is, in UTF-8.
    subscript(byte: UInt8) -> [UInt8] { characters[Int(byte & 0x7F)] }

    /// Returns the name that an encoding has in the tables.
    private static func alias(of letters: String) -> String {
        switch letters {
        // Programs that name one of these also write characters of Windows-1252.
        case "iso88591", "latin1", "l1", "ansi", "usascii", "ascii", "windows1252", "cp1252":
            return "windows1252"
        case "macintosh", "mac", "xmacroman": return "macroman"
        case "koi8": return "koi8r"
        default: break
        }
        if letters.hasPrefix("cp125") { return "windows" + letters.dropFirst(2) }
        let latin: [Substring: Int] = [
            "2": 2, "3": 3, "4": 4, "5": 9, "6": 10, "7": 13, "8": 14, "9": 15, "10": 16,
        ]
        guard letters.hasPrefix("latin"), let part = latin[letters.dropFirst(5)] else {
            return letters
        }
        return "iso8859\(part)"
    }
}
