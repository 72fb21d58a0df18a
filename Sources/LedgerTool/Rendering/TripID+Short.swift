import TripEvents

extension TripID {
    private static let shortLength = 8

    /// As much of the id as is shown in lists.
    var short: String { String(description.prefix(Self.shortLength)) }
}
