/// The language in which reports are written; the raw value is its tag (BCP 47).
public enum Language: String, CaseIterable, Sendable {
    case en, nl, de, fr
}

/// The paper for which a document is meant.
public enum PaperSize: String, CaseIterable, Sendable {
    /// 210 mm by 297 mm (ISO 216).
    case a4

    /// 8.5 inches by 11 inches (ANSI/ASME Y14.1), as the United States and Canada use it.
    case letter
}

/// The mark before the decimals of numbers in a spreadsheet program of some language; it also
/// decides what the program expects between the fields of CSV.
public enum DecimalMark: String, CaseIterable, Sendable {
    /// `8.63`, and commas between fields: English, Chinese, Japanese.
    case point

    /// `8,63`, and semicolons between fields: Dutch, German, French and most of Europe.
    case comma

    /// The character between fields, in ASCII.
    package var separator: UInt8 {
        switch self {
        case .point: UInt8(ascii: ",")
        case .comma: UInt8(ascii: ";")
        }
    }

    /// The character before the decimals, in ASCII.
    package var character: UInt8 {
        switch self {
        case .point: UInt8(ascii: ".")
        case .comma: UInt8(ascii: ",")
        }
    }
}
