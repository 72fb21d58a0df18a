import Geodesy
import RowCoding
import TripEvents

/// Whether a trip moves.
///
/// `indirect` keeps the stored trip out of `OpenTrip`, which is changed by every fix.
indirect enum Pace: Hashable, Sendable {
    case moving

    /// It has not moved since it was there.
    case resting(TripAtPlace)

    var isResting: Bool {
        switch self {
        case .moving: false
        case .resting: true
        }
    }

    /// The trip when it last moved; `nil` if it moves.
    var rest: TripAtPlace? {
        switch self {
        case .moving: nil
        case .resting(let rest): rest
        }
    }
}

/// A trip as it was at one of its fixes: what it becomes if it turns out to have ended there.
struct TripAtPlace: Hashable, Sendable {
    var trip: Trip

    /// The fix.
    var place: Waypoint
}

extension TripAtPlace {
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try Trip(from: &reader)
        place = try Waypoint(from: &reader)
    }
}

/// A kept fix: where the trip was, when, and which event says so.
struct Waypoint: Hashable, Sendable {
    var coordinate: Coordinate
    var at: Timestamp

    /// Where the fix stands in the log.
    var position: UInt64
}

extension Waypoint {
    /// Creates the place of a kept fix.
    init(_ kept: PendingFix) {
        self.init(
            coordinate: kept.fix.coordinate,
            at: kept.fix.occurredAt,
            position: kept.position
        )
    }
}

extension Waypoint {
    /// Writes the place.
    func write(to writer: inout RowEncoder) {
        writer.write(coordinate)
        writer.write(at)
        writer.write(position)
    }

    /// Reads a place.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        coordinate = try reader.readCoordinate()
        at = try reader.readTimestamp()
        position = try reader.readUInt64()
    }
}
