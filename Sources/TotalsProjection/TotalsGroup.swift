/// The totals of one day, week, month, year, vehicle, class, client or source.
public struct TotalsGroup: Hashable, Sendable {
    /// Its name: `2026-03-14`, `2026-W11` (ISO 8601), `2026-03`, `2026`, or what the trips say;
    /// `nil` if they name no vehicle or client.
    public let name: String?

    /// The sums over its trips.
    public let sums: TotalsSums

    /// Creates a group.
    public init(name: String?, sums: TotalsSums) {
        self.name = name
        self.sums = sums
    }
}
