public import Geodesy
public import Projections
import TripEvents
public import TripTracking

/// Exact sums over trips, in whole millimetres and milliseconds.
public struct TotalsSums: Hashable, Sendable {
    /// The number of trips.
    public private(set) var trips: Int64

    /// The distance as claimed: the one that a person set, else the measured one.
    public private(set) var distance: Distance

    /// What was not measured, beside the distance and never in it.
    public private(set) var gaps: GapTotal

    /// The time from the starts to the ends, in milliseconds.
    public private(set) var drivingMilliseconds: Int64

    /// Creates the sums over no trips.
    public init() {
        trips = 0
        distance = .zero
        gaps = GapTotal()
        drivingMilliseconds = 0
    }

    /// Creates the sums over one trip, which counts.
    public init(_ booked: BookedTrip) {
        trips = 1
        distance = booked.claimedDistance
        gaps = booked.trip.gaps
        let end = booked.trip.endedAt ?? booked.trip.startedAt
        drivingMilliseconds = max(
            0,
            end.timestamp.milliseconds - booked.trip.startedAt.timestamp.milliseconds
        )
    }

    /// Adds the sums over other trips.
    public static func += (sums: inout TotalsSums, others: TotalsSums) {
        sums.trips += others.trips
        sums.distance += others.distance
        sums.gaps.count += others.gaps.count
        sums.gaps.milliseconds += others.gaps.milliseconds
        sums.gaps.distance += others.gaps.distance
        sums.drivingMilliseconds += others.drivingMilliseconds
    }

    /// Takes the sums over some of the trips away.
    public static func -= (sums: inout TotalsSums, some: TotalsSums) {
        sums.trips -= some.trips
        sums.distance -= some.distance
        sums.gaps.count -= some.gaps.count
        sums.gaps.milliseconds -= some.gaps.milliseconds
        sums.gaps.distance -= some.gaps.distance
        sums.drivingMilliseconds -= some.drivingMilliseconds
    }

    /// Writes the sums, member by member in order of declaration.
    func write(to writer: inout StateWriter) {
        writer.write(trips)
        writer.write(distance)
        writer.write(gaps.count)
        writer.write(gaps.milliseconds)
        writer.write(gaps.distance)
        writer.write(drivingMilliseconds)
    }

    /// Reads sums.
    init(from reader: inout StateReader) throws(StateError) {
        trips = try reader.readAmount()
        distance = try reader.readDistance()
        gaps = GapTotal(
            count: try reader.readAmount(),
            milliseconds: try reader.readAmount(),
            distance: try reader.readDistance()
        )
        drivingMilliseconds = try reader.readAmount()
    }
}
