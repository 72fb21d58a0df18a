import Tables
import TripEvents

/// Writes trips that count as transactions of plain-text accounting, for hledger or Ledger: the
/// distance goes from a vehicle to a class.
///
/// Everything is declared before its use, so that `hledger check --strict` and `ledger --pedantic`
/// report nothing: accounts right before their first use, because trips are written one after the
/// other.
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

    /// The accounts that are declared.
    private var accounts: Set<String> = []

    init(_ program: Program, _ style: TextStyle) {
        self.program = program
        self.style = style
    }

    mutating func begin(to bytes: inout [UInt8]) {
        switch program {
        case .hledger:
            // Without it, the program would have to guess the decimal mark.
            bytes += "decimal-mark .\ncommodity 1.00 \(style.unit.rawValue)\n".utf8
        case .ledger: bytes += "commodity \(style.unit.rawValue)\n".utf8
        }
        bytes += "tag trip\ntag purpose\n".utf8
    }

    /// Declares an account, if it is not declared yet.
    private mutating func declare(_ account: String, to bytes: inout [UInt8]) {
        guard accounts.insert(account).inserted else { return }
        bytes += "account \(account)\n".utf8
    }

    mutating func add(_ named: NamedTrip, to bytes: inout [UInt8]) {
        guard let line = JournalLine(named, style) else { return }
        let accounts = ["mileage:\(line.tripClass)", "vehicle:\(Self.account(line.vehicle))"]
        for account in accounts { declare(account, to: &bytes) }
        bytes += "\n\(line.day) * (\(line.id.description.prefix(8))) \(Self.plain(line.way))\n".utf8
        bytes += "    ; trip: \(line.id)\n".utf8
        if let purpose = line.purpose { bytes += "    ; purpose: \(Self.plain(purpose))\n".utf8 }
        bytes += "    \(accounts[0])  \(line.amount) \(style.unit.rawValue)\n".utf8
        bytes += "    \(accounts[1])  \(line.counterAmount) \(style.unit.rawValue)\n".utf8
    }

    func end(to bytes: inout [UInt8]) {}

    /// Returns a text without the characters that end or divide it in a line.
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
