public import Geodesy
public import TripEvents
import TripTracking

/// How near the trips of a vehicle come to a place where something was paid.
///
/// It looks at the places of the vehicle's trips in a window around the time, at the last one
/// before it and at the first one after it. A receipt gives the minute, a person only a rough time:
/// so the window reaches half an hour to either side, or over the whole day if only that is known.
/// Where the vehicle was is known if a place lies in the window, or one on both sides of it, or one
/// on one side within half a day: so data that a recorder sends late raises no doubt.
public struct VehicleWhereabouts: Hashable, Sendable {
    /// The distance from which on a vehicle counts as elsewhere: what a fix errs, a sketch leaves
    /// out, and a large site measures.
    public static let far = Distance(millimeters: 2_000_000)

    private static let reachMilliseconds: Int64 = 30 * 60_000
    private static let trustMilliseconds: Int64 = 12 * 3_600_000

    /// The nearest place of the vehicle, and when it was there.
    public struct Nearest: Hashable, Sendable {
        /// How far away it was.
        public let distance: Distance

        /// When.
        public let at: Timestamp

        /// The trip that says so.
        public let trip: TripID
    }

    /// The instants at which it may have been paid.
    public let window: ClosedRange<Timestamp>

    private let position: Coordinate
    private let vehicle: String?
    private let expense: RecordedExpense
    /// A place of the vehicle, before its distance is measured: for most places only the time
    /// matters.
    private struct Sighting: Hashable {
        let place: Coordinate
        let at: Timestamp
        let trip: TripID
    }

    private var inside: Nearest?
    private var before: Sighting?
    private var after: Sighting?

    /// Begins without trips.
    ///
    /// - Parameters:
    ///   - expense: what was paid.
    ///   - position: where.
    ///   - localDay: what a day is.
    public init(_ expense: RecordedExpense, at position: Coordinate, localDay: LocalDay) {
        self.position = position
        self.expense = expense
        vehicle = expense.expense.vehicle
        if let day = expense.expense.day {
            let midnight = Int64(day.daysSince1970) * Timestamp.millisecondsPerDay
            let offset = localDay.zone.utcOffset(at: Timestamp(milliseconds: midnight))
            let start = Timestamp(milliseconds: midnight - Int64(offset?.minutes ?? 0) * 60_000)
            window = start...start.advanced(byMilliseconds: Timestamp.millisecondsPerDay)
        } else {
            let at = expense.paidAt.timestamp
            let first = at.advanced(byMilliseconds: -Self.reachMilliseconds)
            window = first...at.advanced(byMilliseconds: Self.reachMilliseconds)
        }
    }

    /// Takes a trip, in any order; trips of other vehicles, and discarded ones, change nothing.
    public mutating func take(_ ends: TripEnds) {
        guard ends.counts, expense.concerns(ends.group),
            vehicle.map({ ends.isOf(vehicle: $0) }) ?? true
        else { return }
        note(ends.start, at: ends.startedAt.timestamp, of: ends.trip)
        note(ends.end, at: ends.endedAt, of: ends.trip)
        let start = ends.startedAt.timestamp
        guard window.overlaps(start...max(start, ends.endedAt)) else { return }
        // A sketch that cannot be read says nothing; the ends are known.
        for point in (try? ends.way.points()) ?? [] {
            note(point.coordinate, at: point.at, of: ends.trip)
        }
    }

    private mutating func note(_ place: Coordinate?, at instant: Timestamp, of trip: TripID) {
        guard let place else { return }
        let here = Sighting(place: place, at: instant, trip: trip)
        if window.contains(instant) {
            let new = nearest(here)
            if inside.map({ new.distance < $0.distance }) ?? true { inside = new }
        } else if instant < window.lowerBound {
            if before.map({ $0.at <= instant }) ?? true { before = here }
        } else if after.map({ instant < $0.at }) ?? true {
            after = here
        }
    }

    private func nearest(_ sighting: Sighting) -> Nearest {
        let distance = sighting.place.distance(to: position)
        return Nearest(distance: distance, at: sighting.at, trip: sighting.trip)
    }

    /// Whether trips tell where the vehicle was.
    public var isKnown: Bool {
        guard inside == nil else { return true }
        if before != nil, after != nil { return true }
        let lag = before.map { window.lowerBound.milliseconds(since: $0.at) }
        let lead = after.map { $0.at.milliseconds(since: window.upperBound) }
        return [lag, lead].compactMap(\.self).contains { $0 <= Self.trustMilliseconds }
    }

    /// The nearest place of the vehicle; `nil` if trips do not tell where it was.
    public var nearest: Nearest? {
        guard isKnown else { return nil }
        return ([before, after].compactMap { $0.map(nearest) } + [inside].compactMap(\.self))
            .min { $0.distance < $1.distance }
    }

    /// The nearest place, if the vehicle was elsewhere.
    public var elsewhere: Nearest? {
        nearest.flatMap { $0.distance > Self.far ? $0 : nil }
    }
}
