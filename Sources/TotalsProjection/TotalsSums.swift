public import Geodesy
public import Projections
import RowCoding
import TripEvents
public import TripTracking

/// Exact sums over trips, in whole millimetres and milliseconds.
public struct TotalsSums: Hashable, Sendable {
    /// The number of trips.
    public private(set) var trips: Int64 = 0

    /// The distance as claimed: the one that a person set, else the measured one.
    public private(set) var distance: Distance = .zero

    /// The distance that recorders alone measured: of trips that a person reported, nothing.
    public private(set) var measuredDistance: Distance = .zero

    /// What was not measured, beside the distance and never in it.
    public private(set) var gaps = GapTotal()

    /// The time from the starts to the ends, in milliseconds.
    public private(set) var drivingMilliseconds: Int64 = 0

    /// How long the trips moved, in milliseconds: gaps left out.
    public private(set) var movingMilliseconds: Int64 = 0

    /// Creates the sums over no trips.
    public init() {}

    /// Creates the sums over one trip, which counts.
    public init(_ booked: BookedTrip) {
        let trip = booked.trip
        let end = trip.endedAt ?? trip.startedAt
        trips = 1
        distance = booked.claimedDistance
        measuredDistance = booked.isMeasured ? trip.distance : .zero
        gaps = trip.gaps
        drivingMilliseconds = max(
            0,
            end.timestamp.milliseconds(since: trip.startedAt.timestamp)
        )
        movingMilliseconds = trip.movingMilliseconds
    }

    /// Adds the sums over other trips.
    public static func += (sums: inout TotalsSums, others: TotalsSums) {
        sums.trips += others.trips
        sums.distance += others.distance
        sums.measuredDistance += others.measuredDistance
        sums.gaps.count += others.gaps.count
        sums.gaps.milliseconds += others.gaps.milliseconds
        sums.gaps.distance += others.gaps.distance
        sums.drivingMilliseconds += others.drivingMilliseconds
        sums.movingMilliseconds += others.movingMilliseconds
    }

    /// Takes the sums over some of the trips away.
    public static func -= (sums: inout TotalsSums, some: TotalsSums) {
        sums.trips -= some.trips
        sums.distance -= some.distance
        sums.measuredDistance -= some.measuredDistance
        sums.gaps.count -= some.gaps.count
        sums.gaps.milliseconds -= some.gaps.milliseconds
        sums.gaps.distance -= some.gaps.distance
        sums.drivingMilliseconds -= some.drivingMilliseconds
        sums.movingMilliseconds -= some.movingMilliseconds
    }

    /// Writes the sums, member by member in order of declaration.
    func write(to writer: inout RowEncoder) {
        writer.write(trips)
        writer.write(distance)
        writer.write(measuredDistance)
        writer.write(gaps.count)
        writer.write(gaps.milliseconds)
        writer.write(gaps.distance)
        writer.write(drivingMilliseconds)
        writer.write(movingMilliseconds)
    }

    /// Reads sums.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trips = try reader.readAmount()
        distance = try reader.readDistance()
        measuredDistance = try reader.readDistance()
        gaps = GapTotal(
            count: try reader.readAmount(),
            milliseconds: try reader.readAmount(),
            distance: try reader.readDistance()
        )
        drivingMilliseconds = try reader.readAmount()
        movingMilliseconds = try reader.readAmount()
    }
}
