/// A rate that a claim uses and that only this ledger has, because its owner loaded it.
///
/// The log proves that it was loaded; its authority and its official status are only claims.
public struct LedgersOwnRate: Hashable, Sendable {
    /// The name of the row, as it was loaded.
    public var id: String

    /// The name of its table.
    public var table: String

    /// The jurisdiction, as it was loaded.
    public var jurisdiction: String

    /// The authority that sets it, as its row says; `nil` if the row does not say.
    public var authority: String?

    /// The money, or what it does instead of paying: `7.00 USD/mi`, `at most 500 km`, `x 1.20`.
    public var pays: String

    /// The rate of the program that holds for the same trips, or has the same name; `nil` for none.
    public var official: Official?

    /// A rate of the program.
    public struct Official: Hashable, Sendable {
        /// The name of the row.
        public var id: String

        /// The money.
        public var pays: String

        /// Names a rate.
        public init(id: String, pays: String) {
            self.id = id
            self.pays = pays
        }
    }

    /// Describes a rate.
    public init(
        id: String,
        table: String,
        jurisdiction: String,
        authority: String?,
        pays: String,
        official: Official?
    ) {
        self.id = id
        self.table = table
        self.jurisdiction = jurisdiction
        self.authority = authority
        self.pays = pays
        self.official = official
    }

    /// What is said of it, as a sentence without a full stop.
    public var sentence: String {
        var sentence = "the ledger's owner loaded the rate \(id) of the table \(table): it pays "
        sentence += pays
        sentence += authority.map { ", and names \($0) as its authority" } ?? ""
        guard let official else { return sentence + "; this program has none for these trips" }
        return sentence + "; this program has \(official.pays) in \(official.id)"
    }
}
