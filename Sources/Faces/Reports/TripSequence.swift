public import Geodesy
import Projections
public import TripEvents
import TripTracking

/// Two trips of one vehicle that were under way at the same time.
public struct TripClash: Hashable, Sendable {
    /// The vehicle.
    public let vehicle: String

    /// The trip that started first.
    public let earlier: TripID

    /// The other one.
    public let later: TripID

    /// When the second one started.
    public let at: EventTime

    /// How long both were under way, in milliseconds.
    public let milliseconds: Int64
}

/// Two trips of one vehicle that are too far apart for any car in the time between them.
public struct TripJump: Hashable, Sendable {
    /// A speed that cars do not exceed: 250 km/h, in metres per second.
    static let fastest = 250.0 / 3.6

    /// The distance between the end of one trip and the start of the next up to which nothing is
    /// reported.
    static let least = Distance(millimeters: 1_000_000)

    /// The vehicle.
    public let vehicle: String

    /// The trip before.
    public let earlier: TripID

    /// The trip after.
    public let later: TripID

    /// When the second one started.
    public let at: EventTime

    /// The straight line from the end of the first one to the start of the second one.
    public let distance: Distance

    /// How long it had, in milliseconds.
    public let milliseconds: Int64

    /// The speed that would have been necessary, in thousandths of a kilometre an hour; `nil` where
    /// there was no time at all.
    public var kilometersPerHourThousandths: Int64? {
        milliseconds > 0
            ? Int64((distance.meters / Double(milliseconds) * 3_600_000).rounded()) : nil
    }
}

/// Compares each trip of a vehicle with those before it.
struct TripSequence: Sendable {
    /// The trip of a vehicle that was the last to end so far.
    private struct Last {
        var trip: TripID
        var end: Timestamp
        var place: Coordinate?
    }

    private var last: [[UInt8]: Last] = [:]
    private(set) var clashes: [TripClash] = []
    private(set) var jumps: [TripJump] = []

    /// Takes the next trip of a vehicle.
    mutating func add(_ booked: BookedTrip, of vehicle: String, countsHere: Bool) {
        guard let end = booked.trip.endedAt?.timestamp else { return }
        let name = Array(vehicle.utf8)
        let start = booked.trip.startedAt
        if let before = last[name], countsHere {
            compare(before, booked, start, of: vehicle)
        }
        if last[name].map({ $0.end <= end }) ?? true {
            last[name] = Last(
                trip: booked.id,
                end: end,
                place: booked.trip.end
            )
        }
    }

    private mutating func compare(
        _ before: Last,
        _ booked: BookedTrip,
        _ start: EventTime,
        of vehicle: String
    ) {
        let pause = start.timestamp.milliseconds(since: before.end)
        guard pause >= 0 else {
            let end = booked.trip.endedAt?.timestamp ?? before.end
            let until = min(end, before.end)
            let both = until.milliseconds(since: start.timestamp)
            guard both > 0 else { return }
            clashes.append(
                TripClash(
                    vehicle: vehicle,
                    earlier: before.trip,
                    later: booked.id,
                    at: start,
                    milliseconds: both
                )
            )
            return
        }
        guard let place = before.place, let next = booked.trip.start else { return }
        let distance = place.distance(to: next)
        guard distance > TripJump.least,
            distance.meters > TripJump.fastest * Double(pause) / 1_000
        else { return }
        jumps.append(
            TripJump(
                vehicle: vehicle,
                earlier: before.trip,
                later: booked.id,
                at: start,
                distance: distance,
                milliseconds: pause
            )
        )
    }
}
