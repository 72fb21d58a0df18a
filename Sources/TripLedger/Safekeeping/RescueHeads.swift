/// The heads that a damaged ledger is known to have had.
struct RescueHeads {
    /// Those that were signed.
    var signed: [LedgerHead] = []

    /// Those that the caller named, or that the ledger's history holds.
    var others: [LedgerHead] = []

    /// Files that should hold a signed head, and do not.
    var unreadable: [String] = []

    /// All of them.
    var all: [LedgerHead] { signed + others }

    /// Their sizes, in order, none twice.
    var sizes: [UInt64] { Set(all.map(\.size)).sorted() }
}
