/// The ledger was made; written by the ledger itself.
public struct LedgerCreated: Hashable, Sendable {
    /// The id of the ledger.
    public var ledger: String

    /// The time zone of its reports, as an IANA name.
    public var timeZone: String

    /// The unit of its reports.
    public var units: DistanceUnit

    /// The tracking rules in force from the start, such as `v1`.
    public var rulesVersion: String

    /// Creates the content of the event.
    public init(ledger: String, timeZone: String, units: DistanceUnit, rulesVersion: String) {
        self.ledger = ledger
        self.timeZone = timeZone
        self.units = units
        self.rulesVersion = rulesVersion
    }
}

extension LedgerCreated: EventPayload {
    static var blank: LedgerCreated {
        LedgerCreated(ledger: .blank, timeZone: .blank, units: .blank, rulesVersion: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.ledger, &ledger)
        try visitor.required(.timeZone, &timeZone)
        try visitor.required(.units, &units)
        try visitor.required(.rulesVersion, &rulesVersion)
    }
}
