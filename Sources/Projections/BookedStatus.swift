/// Where a trip stands in the book; the raw value is its name in JSON.
public enum BookedStatus: String, CaseIterable, Sendable {
    /// It has started and not ended.
    case active

    /// It has ended: the only trips that count.
    case completed

    /// It has ended without being a trip.
    case abandoned

    /// A person found it to be none.
    case voided

    /// It is a part of another trip, which shows its figures.
    case merged
}
