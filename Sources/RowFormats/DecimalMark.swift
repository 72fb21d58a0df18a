import TripEvents

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
}

extension Cell {
    /// Appends the value as a field of CSV, with numbers as a spreadsheet program expects them.
    func appendCSV(to bytes: inout [UInt8], unit: DistanceUnit?, _ mark: DecimalMark) {
        let start = bytes.count
        appendCSV(to: &bytes, unit: unit)
        guard mark == .comma else { return }
        if isNumber {
            for index in bytes.indices[start...] where bytes[index] == UInt8(ascii: ".") {
                bytes[index] = UInt8(ascii: ",")
            }
        } else if bytes[start...].contains(mark.separator), bytes[start] != UInt8(ascii: "\"") {
            bytes.insert(UInt8(ascii: "\""), at: start)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private var isNumber: Bool {
        switch self {
        case .integer, .hundredths, .thousandths, .decimal, .number, .duration, .distance,
            .printedDistance, .value(.number(_)):
            true
        default: false
        }
    }
}
