/// A source got its number; written by the ledger before the first event of the source.
public struct SourceRegistered: Hashable, Sendable {
    /// The number that entries carry, 1 … 16,777,215.
    public var number: UInt32

    /// The name of the source.
    public var name: String

    /// What it is, such as `phone` or `logger`.
    public var sourceKind: String?

    /// Creates the content of the event.
    public init(number: UInt32, name: String, sourceKind: String? = nil) {
        self.number = number
        self.name = name
        self.sourceKind = sourceKind
    }
}

extension SourceRegistered: EventPayload {
    static var blank: SourceRegistered { SourceRegistered(number: .blank, name: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.number, &number)
        try visitor.required(.name, &name)
        try visitor.optional(.sourceKind, &sourceKind)
    }
}
