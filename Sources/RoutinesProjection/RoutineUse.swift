public import Geodesy
public import Projections
public import TripEvents
import TripTracking

/// A trip to which a routine was applied.
public struct RoutineUse: Hashable, Sendable {
    /// The trip.
    public let trip: TripID

    /// When it started.
    public let startedAt: EventTime

    /// Where it started, if that is known.
    public let start: Coordinate?

    /// Where it ended, if that is known.
    public let end: Coordinate?

    /// Creates the use that a trip makes of a routine.
    public init(_ booked: BookedTrip) {
        trip = booked.id
        startedAt = booked.trip.startedAt
        start = booked.trip.start
        end = booked.trip.end
    }

    /// The minute of the local day at the start, 0 … 1,439; in UTC if the offset is not known.
    public var minuteOfDay: Int {
        let offset = Int64(startedAt.utcOffset?.minutes ?? 0)
        let (minutes, rest) = startedAt.timestamp.milliseconds
            .quotientAndRemainder(dividingBy: 60_000)
        let minute = (minutes - (rest < 0 ? 1 : 0) + offset) % 1_440
        return Int(minute < 0 ? minute + 1_440 : minute)
    }

    /// Returns how far two times of day lie apart, in minutes, 0 … 720.
    static func minutesApart(_ left: Int, _ right: Int) -> Int {
        let apart = abs(left - right)
        return min(apart, 1_440 - apart)
    }

    /// Writes the use.
    func write(to writer: inout StateWriter) {
        writer.write(trip)
        writer.write(startedAt)
        writer.write(start) { $0.write($1) }
        writer.write(end) { $0.write($1) }
    }

    /// Reads a use.
    init(from reader: inout StateReader) throws(StateError) {
        trip = try reader.readTripID()
        startedAt = try reader.readEventTime()
        start = try reader.readOptional { reader throws(StateError) in
            try reader.readCoordinate()
        }
        end = try reader.readOptional { reader throws(StateError) in try reader.readCoordinate() }
    }
}

extension RoutineUse: Comparable {
    /// Returns whether one trip started before another; ties go by id.
    public static func < (left: RoutineUse, right: RoutineUse) -> Bool {
        (left.startedAt.timestamp, left.trip) < (right.startedAt.timestamp, right.trip)
    }
}
