import Geodesy
import Projections
import TripEvents

/// Finds the measured ways to work after which the car stayed until another day's trip, so that the
/// way back was not made on the same day, among trips in order of their starts.
///
/// A way counts half if it is alone on its day and nothing is missing there: on that day the car
/// went on from where it stood, and it left on a later day from where it had stopped. Whether a way
/// is alone on its day is decided by the claim.
struct LoneWays {
    /// What is known of a car, or of a recorder whose trips name no car.
    private struct Line {
        var day: CivilDate
        var end: Coordinate?

        /// Whether it was moved unseen on the day, or before its first trip of it.
        var wasMoved = false

        /// The measured ways of the day.
        var ways: [TripID] = []
    }

    private var lines: [[UInt8]: Line] = [:]

    /// The ways after which the car stayed.
    private(set) var staying: Set<TripID> = []

    /// Takes the next trip that counts.
    mutating func take(_ booked: BookedTrip, on day: CivilDate) {
        let name = Self.line(of: booked)
        var line = lines[name] ?? Line(day: day, end: nil)
        let isNear = Self.isNear(line.end, booked.trip.start)
        if line.day != day {
            if isNear == true, !line.wasMoved { staying.formUnion(line.ways) }
            line = Line(day: day, end: nil)
        }
        if isNear == false { line.wasMoved = true }
        if booked.tripClass == .commute, booked.isMeasured { line.ways.append(booked.id) }
        line.end = booked.trip.end
        lines[name] = line
    }

    /// Whether a place is where another one is; `nil` if one of them is not known.
    private static func isNear(_ end: Coordinate?, _ start: Coordinate?) -> Bool? {
        guard let end, let start else { return nil }
        return end.distance(to: start) <= UnrecordedWays.least
    }

    /// The car, or the recorder whose trips name no car, in its group.
    private static func line(of booked: BookedTrip) -> [UInt8] {
        let group = booked.trip.group.map { Array($0.utf8) } ?? []
        guard let vehicle = booked.details.vehicle else {
            return group + [0, 0] + Array(booked.trip.source.utf8)
        }
        return group + [0, 1] + Array(vehicle.utf8)
    }
}
