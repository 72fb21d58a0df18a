import Geodesy
public import Projections
import TripEvents

/// All routines with their uses, for listing and for suggesting.
public struct RoutineCatalogue: Sendable {
    private static let samePlace = Distance(millimeters: 250_000)

    /// Times of day are compared in steps of half an hour: a few minutes decide nothing.
    private static let minutesPerStep = 30

    /// The routines in order of their names' bytes.
    public let routines: [RoutineSummary]

    /// Creates the catalogue from all rows of the view of routines.
    public init(_ rows: [RoutineRow]) {
        var templates: [(key: [UInt8], routine: Routine)] = []
        var uses: [[UInt8]: [RoutineUse]] = [:]
        for row in rows {
            let key = RoutineRow.key(of: row.name)
            switch row.content {
            case .template(let details):
                templates.append((key, Routine(name: row.name, details: details)))
            case .uses(_, let some): uses[key, default: []] += some
            }
        }
        routines = templates.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { RoutineSummary($0.routine, uses: uses[$0.key, default: []].sorted()) }
    }

    /// Returns the routine with a name, or `nil` if there is none.
    public func routine(named name: String) -> Routine? {
        routines.first { $0.routine.name.utf8.elementsEqual(name.utf8) }?.routine
    }

    /// Returns the routines that may fit a trip, best first: those with a trip between the same
    /// places, then by time of day in steps of half an hour, then the most recently used.
    ///
    /// A trip about which something was said needs none; while a trip is active its start decides.
    public func suggestions(for booked: BookedTrip) -> [RoutineSuggestion] {
        guard !booked.hasDetails else { return [] }
        let trip = RoutineUse(booked)
        return routines.map { suggestion($0, for: trip) }.sorted(by: Self.isBetter)
    }

    private func suggestion(_ summary: RoutineSummary, for trip: RoutineUse) -> RoutineSuggestion {
        let others = summary.latestUses.filter { $0.trip != trip.trip }
        let same = others.filter { Self.isSame($0.start, trip.start) && Self.ends($0, like: trip) }
        let minutes = (same.isEmpty ? others : same)
            .map { RoutineUse.minutesApart($0.minuteOfDay, trip.minuteOfDay) }
        return RoutineSuggestion(
            summary: summary,
            hasSamePlaces: !same.isEmpty,
            minutesApart: minutes.min()
        )
    }

    private static func ends(_ use: RoutineUse, like trip: RoutineUse) -> Bool {
        trip.end == nil || isSame(use.end, trip.end)
    }

    private static func isSame(_ left: Coordinate?, _ right: Coordinate?) -> Bool {
        guard let left, let right else { return false }
        return left.distance(to: right) <= samePlace
    }

    private static func isBetter(_ left: RoutineSuggestion, _ right: RoutineSuggestion) -> Bool {
        if left.hasSamePlaces != right.hasSamePlaces { return left.hasSamePlaces }
        let steps = [left, right].map { $0.minutesApart.map { $0 / minutesPerStep } ?? .max }
        if steps[0] != steps[1] { return steps[0] < steps[1] }
        let used = [left, right].map { $0.summary.lastUsedAt?.timestamp.milliseconds ?? .min }
        if used[0] != used[1] { return used[0] > used[1] }
        return left.summary.routine.name < right.summary.routine.name
    }
}
