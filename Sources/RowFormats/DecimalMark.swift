/// What stands before the decimals of numbers in a spreadsheet program of some language, and with
/// that, what it expects between the fields of CSV.
package enum DecimalMark: String, CaseIterable, Sendable {
    /// `8.63`, and commas between fields: English, Chinese, Japanese.
    case point

    /// `8,63`, and semicolons between fields: Dutch, German, French and most of Europe.
    case comma

    /// What stands between fields.
    var separator: UInt8 {
        switch self {
        case .point: UInt8(ascii: ",")
        case .comma: UInt8(ascii: ";")
        }
    }

    /// What stands before the decimals.
    var character: UInt8 {
        switch self {
        case .point: UInt8(ascii: ".")
        case .comma: UInt8(ascii: ",")
        }
    }
}
