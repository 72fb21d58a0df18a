public import Geodesy
public import TripEvents

/// The sum over the trips of one class in a mileage log.
public struct MileageSum: Hashable, Sendable {
    /// The class; `nil` for all of them together.
    public let tripClass: TripClass?

    /// The number of trips.
    public private(set) var trips: Int64 = 0

    /// The distance as claimed.
    public private(set) var distance: Distance = .zero

    /// How often recorders missed a part of the way.
    public private(set) var gaps: Int64 = 0

    /// The straight lines across what was not measured, beside the distance.
    public private(set) var gapDistance: Distance = .zero

    /// Creates the sum over no lines.
    init(_ tripClass: TripClass?) {
        self.tripClass = tripClass
    }

    /// Adds a line.
    mutating func add(_ line: borrowing MileageLine) {
        trips += 1
        distance += line.distance
        gaps += line.gaps
        gapDistance += line.gapDistance
    }
}
