/// Texts that a spreadsheet program would compute, and how that is prevented.
///
/// A program that expects another separator than the file's, as programs in other languages do,
/// sees a new cell after each comma, semicolon, tab and line end in a text. Some programs leave out
/// blanks and marks of format before a formula, and treat full-width signs as plain ones. So each
/// part of a text is checked as if it were a cell.
enum FormulaGuard {
    /// The signs that begin a formula: plain ones, and those of full and small width.
    private static let signs: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}",
        "\u{FE63}", "\u{FE6B}",
    ]

    /// What may stand between two cells, or two lines of them.
    private static let separators: Set<Unicode.Scalar> = [",", ";", "\t", "\n", "\r"]

    /// Returns a text with an apostrophe before each part that would be computed (OWASP, "CSV
    /// Injection").
    static func guarded(_ text: String) -> String {
        // Hardly any text has such a sign, or a byte that begins one of another width.
        guard text.utf8.contains(where: mayBeginSign) else { return text }
        var guarded = String.UnicodeScalarView()
        // OWASP names these two too, whatever follows.
        if let first = text.unicodeScalars.first, first == "\t" || first == "\r" {
            guarded.append("'")
        }
        var isAtStart = true
        // What stands at the start of a part before its first plain character.
        var blanks = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if separators.contains(scalar) {
                guarded.append(contentsOf: blanks)
                guarded.append(scalar)
                blanks = String.UnicodeScalarView()
                isAtStart = true
            } else if isAtStart, isPassedOver(scalar) {
                blanks.append(scalar)
            } else {
                if isAtStart, signs.contains(scalar) { guarded.append("'") }
                guarded.append(contentsOf: blanks)
                guarded.append(scalar)
                blanks = String.UnicodeScalarView()
                isAtStart = false
            }
        }
        guarded.append(contentsOf: blanks)
        return String(guarded)
    }

    /// Whether a text would be computed where it fills a cell, as it does in CSV for programs.
    static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        switch first {
        // Nearly every text begins with one of these.
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            return false
        case UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        default: break
        }
        let begin = text.unicodeScalars.first { !isLeftOut($0) }
        return begin.map(signs.contains) ?? false
    }

    /// Whether some programs skip it at the beginning of a cell.
    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || isLeftOut(scalar)
    }

    /// Whether it is a blank, or a mark of format such as a byte order mark.
    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }

    private static func mayBeginSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0xEF:
            true
        default: false
        }
    }
}
