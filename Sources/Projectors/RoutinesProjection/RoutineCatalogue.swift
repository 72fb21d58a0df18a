public import Geodesy
public import Projections
public import TripEvents
import TripTracking

/// All routines with their uses, for listing and for suggesting.
public struct RoutineCatalogue: Sendable {
    private static let samePlace = Distance(millimeters: 250_000)

    /// Times of day are compared in steps of half an hour, so that a few minutes do not decide.
    private static let minutesPerStep = 30

    /// The routines in order of their names' bytes, then of the groups'.
    public let routines: [RoutineSummary]

    private let clock: LocalDay?

    /// Creates the catalogue.
    ///
    /// - Parameters:
    ///   - rows: All rows of the view of routines, in their order.
    ///   - clock: Tells times of day; `nil` for each trip's own offset, else UTC.
    public init(_ rows: [RoutineRow], by clock: LocalDay? = nil) {
        self.clock = clock
        var templates: [(group: String?, routine: Routine)] = []
        var uses: [[UInt8]: [RoutineUse]] = [:]
        var keys: Set<[UInt8]> = []
        // Templates come before all uses.
        for row in rows {
            let key = Self.key(row.name, row.group)
            switch row.content {
            case .template(let details, let pattern):
                keys.insert(key)
                let routine = Routine(name: row.name, details: details, pattern: pattern)
                templates.append((row.group, routine))
            case .use(let use):
                // A routine that the group does not have is the owner's.
                let owner = keys.contains(key) ? key : Self.key(row.name, nil)
                uses[owner, default: []].append(use.told(by: clock))
            }
        }
        routines = templates.map { group, routine in
            RoutineSummary(
                routine,
                for: group,
                uses: uses[Self.key(routine.name, group), default: []]
            )
        }
    }

    private static func key(_ name: String, _ group: String?) -> [UInt8] {
        Array(name.utf8) + [0] + (group ?? "").utf8
    }

    /// Returns the routine with a name that counts for a group, its own before the owner's, or
    /// `nil` if there is none; without a group, for the owner.
    public func routine(named name: String, for group: String? = nil) -> Routine? {
        routines(for: group).first { $0.routine.name.hasSameBytes(as: name) }?.routine
    }

    /// Returns the routines that count for a group: its own, and the owner's of other names.
    public func routines(for group: String?) -> [RoutineSummary] {
        let own = routines.filter { $0.group != nil && $0.group.hasSameBytes(as: group) }
        let names = Set(own.map { Array($0.routine.name.utf8) })
        return own
            + routines.filter { $0.group == nil && !names.contains(Array($0.routine.name.utf8)) }
    }

    /// Returns the routines that may fit a trip, best first: those with a trip between the same
    /// places, then by time of day in steps of half an hour, then the most recently used.
    ///
    /// A trip with details gets none. For an active trip only the start is compared.
    public func suggestions(for booked: BookedTrip) -> [RoutineSuggestion] {
        guard !booked.hasDetails else { return [] }
        let trip = RoutineUse(booked).told(by: clock)
        return routines(for: booked.trip.group).map { suggestion($0, for: trip) }
            .sorted(by: Self.isBetter)
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

/// A routine with what its uses have in common, as `ledger routine list` shows it.
public struct RoutineSummary: Hashable, Sendable {
    /// How many of the latest uses say what is typical.
    private static let typicalUses = 32

    /// The routine.
    public let routine: Routine

    /// The group that it is for; `nil` for one of the owner's, which all groups have.
    public let group: String?

    /// How often it was used.
    public let timesUsed: Int

    /// Its latest uses, at most 32, in order of their starts.
    let latestUses: [RoutineUse]

    /// Creates the summary of a routine and its uses in order of their starts.
    init(_ routine: Routine, for group: String?, uses: [RoutineUse]) {
        self.routine = routine
        self.group = group
        timesUsed = uses.count
        latestUses = Array(uses.suffix(Self.typicalUses))
    }

    /// When it was used last; `nil` if it never was.
    public var lastUsedAt: EventTime? { latestUses.last?.startedAt }

    /// Where its trips start: the start that lies nearest to all others.
    public var typicalStart: Coordinate? { Self.middle(of: latestUses.compactMap(\.start)) }

    /// Where its trips end: the end that lies nearest to all others.
    public var typicalEnd: Coordinate? { Self.middle(of: latestUses.compactMap(\.end)) }

    /// The minute of the local day at which its trips start: the one nearest to all others.
    public var typicalMinuteOfDay: Int? {
        let minutes = latestUses.map(\.minuteOfDay)
        return minutes.min { left, right in
            Self.apart(left, from: minutes) < Self.apart(right, from: minutes)
        }
    }

    private static func middle(of places: [Coordinate]) -> Coordinate? {
        let sums = places.map { place in
            places.map { place.distance(to: $0) }.reduce(.zero, +)
        }
        return zip(places, sums).min { $0.1 < $1.1 }?.0
    }

    private static func apart(_ minute: Int, from minutes: [Int]) -> Int {
        minutes.map { RoutineUse.minutesApart(minute, $0) }.reduce(0, +)
    }
}

/// A routine that may fit a trip.
///
/// It changes nothing until a person applies it.
public struct RoutineSuggestion: Hashable, Sendable {
    /// The routine.
    public let summary: RoutineSummary

    /// Whether one of its latest trips started and ended where this one does, to 250 m.
    public let hasSamePlaces: Bool

    /// How far this trip's time of day lies from the nearest of its latest trips, in minutes.
    ///
    /// Only trips between the same places are compared, if there are any; `nil` if it was never
    /// used.
    public let minutesApart: Int?
}
