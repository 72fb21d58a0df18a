/// The sums over trips that have a key in common.
public struct TotalsCell: Hashable, Sendable {
    /// What the trips have in common.
    public let key: TotalsKey

    /// The sums over them.
    public internal(set) var sums: TotalsSums

    /// Creates a cell.
    public init(key: TotalsKey, sums: TotalsSums) {
        self.key = key
        self.sums = sums
    }
}
