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

/// A source got its number; written by the ledger before the first event of the source.
public struct SourceRegistered: Hashable, Sendable {
    /// The number that entries carry, 1 … 16,777,215.
    public var number: UInt32

    /// The name of the source.
    public var name: String

    /// What it is, such as `phone` or `logger`.
    public var sourceKind: String?

    /// The group of sources that it belongs to, such as that of one vehicle or driver; `nil` for a
    /// source of the ledger's owner.
    public var group: String?

    /// Creates the content of the event.
    public init(number: UInt32, name: String, sourceKind: String? = nil, group: String? = nil) {
        self.number = number
        self.name = name
        self.sourceKind = sourceKind
        self.group = group
    }
}

extension SourceRegistered: EventPayload {
    static var blank: SourceRegistered { SourceRegistered(number: .blank, name: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.number, &number)
        try visitor.required(.name, &name)
        try visitor.optional(.sourceKind, &sourceKind)
        try visitor.optional(.group, &group)
    }
}
