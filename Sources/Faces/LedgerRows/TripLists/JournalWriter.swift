import Tables
import TripEvents

/// Writes trips that count as transactions of plain-text accounting, for hledger or Ledger: the
/// distance goes from a vehicle to a class.
///
/// Sources: hledger.org/hledger.html, *Journal*; ledger-cli.org/doc/ledger3.html, *Journal Format*.
struct JournalWriter: TripListWriter {
    /// A program that reads it.
    enum Program {
        case hledger
        case ledger
    }

    private let program: Program
    private let style: TextStyle

    init(_ program: Program, _ style: TextStyle) {
        self.program = program
        self.style = style
    }

    func begin(to bytes: inout [UInt8]) {
        guard program == .hledger else { return }
        // It would have to guess what stands before the decimals.
        bytes += "decimal-mark .\n".utf8
    }

    func add(_ named: NamedTrip, to bytes: inout [UInt8]) {
        guard let line = JournalLine(named, style) else { return }
        bytes += "\n\(line.day) * (\(line.id.description.prefix(8))) \(Self.plain(line.way))\n".utf8
        bytes += "    ; trip: \(line.id)\n".utf8
        if let purpose = line.purpose { bytes += "    ; purpose: \(Self.plain(purpose))\n".utf8 }
        bytes += "    mileage:\(line.tripClass)  \(line.amount) \(style.unit.rawValue)\n".utf8
        bytes += "    vehicle:\(Self.account(line.vehicle))  ".utf8
        bytes += "\(line.counterAmount) \(style.unit.rawValue)\n".utf8
    }

    func end(to bytes: inout [UInt8]) {}

    /// Returns a text without what ends it, or divides it, in a line.
    private static func plain(_ text: String) -> String {
        JournalLine.replacing(text) { scalar in
            switch scalar {
            case ";": ","
            case "|": "/"
            default: nil
            }
        }
    }

    /// Returns a text as the name of an account: of words with one space between them.
    private static func account(_ text: String) -> String {
        JournalLine.replacing(text) { scalar in
            ":;|()[]<>*!@=\"".unicodeScalars.contains(scalar) ? "-" : nil
        }
        .split(separator: " ").joined(separator: " ")
    }
}
