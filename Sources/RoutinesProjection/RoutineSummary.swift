public import Geodesy
public import Projections
public import TripEvents

/// A routine with what its uses have in common, as `ledger routine list` shows it.
public struct RoutineSummary: Hashable, Sendable {
    /// How many of the latest uses say what is typical.
    private static let typicalUses = 32

    /// The routine.
    public let routine: Routine

    /// How often it was used.
    public let timesUsed: Int

    /// Its latest uses, at most 32, in order of their starts.
    let latestUses: [RoutineUse]

    /// Creates the summary of a routine and its uses in order of their starts.
    init(_ routine: Routine, uses: [RoutineUse]) {
        self.routine = routine
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
