/// Entries were received from another ledger; written by the ledger in the transaction that stores
/// them, after them.
///
/// With the other's head in it, each ledger is a witness of the other: what the other one held then
/// is hashed here, and can be proved there.
public struct EventsReceived: Hashable, Sendable {
    /// The id of the other ledger.
    public var ledger: String

    /// How many entries the other's log had.
    public var treeSize: UInt64

    /// The root hash of the other's log in 64 hexadecimal digits.
    public var treeHash: String

    /// The positions in the other ledger's log of the entries right before this one.
    public var records: RecordRuns

    /// Creates the content of the event.
    public init(ledger: String, treeSize: UInt64, treeHash: String, records: RecordRuns) {
        self.ledger = ledger
        self.treeSize = treeSize
        self.treeHash = treeHash
        self.records = records
    }
}

extension EventsReceived: EventPayload {
    static var blank: EventsReceived {
        EventsReceived(ledger: .blank, treeSize: .blank, treeHash: .blank, records: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.ledger, &ledger)
        try visitor.required(.treeSize, &treeSize)
        try visitor.required(.treeHash, &treeHash)
        try visitor.required(.records, &records)
    }
}
