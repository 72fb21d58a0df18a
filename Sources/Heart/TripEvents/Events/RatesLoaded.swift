/// Rates per distance were taken into the ledger: a table of a file, or a company's own.
///
/// The last table of a name holds. What its rows mean is up to the module Rates; here they are
/// texts, so that the log keeps what was loaded, whatever becomes of the file.
public struct RatesLoaded: Hashable, Sendable {
    /// The name of the table.
    public var table: String

    /// Its rows, each a JSON object on one line, at most 1,000 of them.
    public var rates: [String]

    /// The SHA-256 of the file, or of the row if there was no file, in hexadecimal.
    public var contentHash: String

    /// Creates the content of the event.
    public init(table: String, rates: [String], contentHash: String) {
        self.table = table
        self.rates = rates
        self.contentHash = contentHash
    }
}

extension RatesLoaded: EventPayload {
    static var blank: RatesLoaded { RatesLoaded(table: .blank, rates: [], contentHash: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.table, &table)
        try visitor.required(.rates, &rates)
        try visitor.required(.contentHash, &contentHash)
    }
}
