import Tables
import TripEvents

/// Writes trips that count as transactions for Beancount.
///
/// Source: beancount.github.io/docs/beancount_language_syntax.
struct BeancountWriter: TripListWriter {
    private let style: TextStyle

    /// The accounts, with the first day of each; they are opened at the end, because Beancount
    /// sorts its input by days.
    private var accounts: [NameKey: CivilDate] = [:]

    init(_ style: TextStyle) {
        self.style = style
    }

    func begin(to bytes: inout [UInt8]) {}

    mutating func add(_ named: NamedTrip, to bytes: inout [UInt8]) {
        guard let line = JournalLine(named, style) else { return }
        let unit = style.unit.rawValue.uppercased()
        bytes += "\(line.day) * \(Self.quoted(line.way)) \(Self.quoted(line.purpose ?? ""))\n".utf8
        bytes += "  trip: \"\(line.id)\"\n".utf8
        bytes += "  vehicle: \(Self.quoted(line.vehicle))\n".utf8
        for (account, amount) in [
            ("Expenses:Mileage:\(Self.component(line.tripClass))", line.amount),
            ("Equity:Vehicles:\(Self.component(line.vehicle))", line.counterAmount),
        ] {
            let key = NameKey(account)
            accounts[key] = min(accounts[key] ?? line.day, line.day)
            bytes += "  \(account)  \(amount) \(unit)\n".utf8
        }
        bytes += "\n".utf8
    }

    func end(to bytes: inout [UInt8]) {
        for (account, day) in accounts.sorted(by: { $0.key < $1.key }) {
            bytes += "\(day) open \(account)\n".utf8
        }
    }

    private static func quoted(_ text: String) -> String {
        let plain = JournalLine.replacing(text) { _ in nil }
        return "\"\(plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Returns a text as a part of an account's name: letters, digits and hyphens, beginning with a
    /// capital letter or a digit.
    private static func component(_ text: String) -> String {
        let plain = JournalLine.replacing(text) { scalar in
            let isWordPart = scalar.properties.isAlphabetic && scalar.properties.numericType == nil
            return isWordPart || ("0"..."9").contains(scalar) ? nil : "-"
        }
        let name = plain.prefix(1).uppercased() + plain.dropFirst()
        let first = name.unicodeScalars.first
        let mayBegin = first.map { ("A"..."Z").contains($0) || ("0"..."9").contains($0) } ?? false
        return mayBegin ? name : "X-\(name)"
    }
}
