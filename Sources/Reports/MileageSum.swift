public import Geodesy
public import TripEvents

/// The sum over the trips of one class in a mileage log.
public struct MileageSum: Hashable, Sendable {
    /// The class; `nil` for all of them together.
    public let tripClass: TripClass?

    /// The number of trips.
    public let trips: Int64

    /// The distance as claimed.
    public let distance: Distance

    /// The straight lines across what was not measured, beside the distance.
    public let gapDistance: Distance

    /// Creates the sum over some lines.
    init(_ tripClass: TripClass?, over lines: some Collection<MileageLine>) {
        self.tripClass = tripClass
        trips = Int64(lines.count)
        distance = lines.map(\.distance).reduce(.zero, +)
        gapDistance = lines.map(\.gapDistance).reduce(.zero, +)
    }
}
