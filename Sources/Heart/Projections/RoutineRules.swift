import RowCoding
import TripEvents
import TripTracking

/// The routines that apply by themselves, and the places between which their trips go.
///
/// A saved version of a routine is in force from its `since` on, else from its own time; so is a
/// removal. For a trip, the version counts that was saved last among those in force when the trip
/// starts. A routine applies to a trip that has ended and fits its pattern; if several do, the one
/// that was saved last applies. If a group and the owner have routines of one name, the group's
/// counts for its trips as long as it exists.
struct RoutineRules: Sendable {
    /// A saved version of a routine; one without a pattern applies to no trip by itself.
    fileprivate struct Version {
        let decision: Decision
        let routine: Routine
        let holdsFrom: Timestamp

        /// Whether this version saves the routine, and does not remove it.
        let isSaved: Bool
    }

    /// A routine that applies to a trip by itself.
    struct Application: Hashable, Sendable {
        /// The decision that saved it.
        let decision: Decision

        /// The routine.
        let routine: Routine
    }

    /// The versions of each routine that ever applied to trips by itself, by the bytes of the
    /// group's name, none for the owner, in event order.
    private let routines: [[[UInt8]: [Version]]]

    private let places: PlaceBook

    /// The start of the first trip to which a routine may apply; `nil` if there is none.
    let since: Timestamp?

    /// Creates the rules of some decisions about routines, of each routine in event order, and the
    /// places.
    private init(_ versions: [[Version]], places: PlaceBook) {
        routines = versions.map {
            Dictionary(grouping: $0) { Array(($0.decision.group ?? "").utf8) }
        }
        self.places = places
        since =
            versions.joined().filter { !$0.routine.pattern.isEmpty }.map(\.holdsFrom).min()
    }

    /// Finds the routine that applies to a trip by itself.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - said: How the report of the trip calls its ends, which counts where it has no position.
    /// - Returns: The routine; `nil` if none does.
    func application(to trip: Trip, saidAs said: SaidEnds) -> Application? {
        guard let since, trip.startedAt.timestamp >= since, trip.status != .active,
            let endedAt = trip.endedAt, trip.start != nil || said.origin != nil,
            trip.end != nil || said.destination != nil
        else { return nil }
        let startedAt = trip.startedAt
        let holding = routines.compactMap { versions in
            let layers = trip.group.map { [Array($0.utf8), []] } ?? [[]]
            return layers.lazy
                .compactMap { versions[$0]?.last { $0.holdsFrom <= startedAt.timestamp } }
                .first(where: \.isSaved)
        }
        guard holding.contains(where: { !$0.routine.pattern.isEmpty }) else { return nil }
        let way = TripWay(
            from: places.end(
                at: trip.start,
                saidAs: said.origin,
                on: startedAt.timestamp,
                for: trip.group
            )?
            .name,
            to: places.end(
                at: trip.end,
                saidAs: said.destination,
                on: endedAt.timestamp,
                for: trip.group
            )?
            .name,
            day: CivilDate(of: startedAt).weekday
        )
        return
            holding.filter { $0.routine.pattern.fits(way) }
            .max { $0.decision < $1.decision }
            .map { Application(decision: $0.decision, routine: $0.routine) }
    }
}

extension RoutineRules {
    /// Reads the rules from the book's rows.
    init(in rows: RowTable) throws {
        let keys = KeyRange(prefix: BookRowKind.pattern.prefix)
        let names = try rows.rows(in: keys)
            .map { String(decoding: $0.key.dropFirst(), as: UTF8.self) }
        // Fast path: few ledgers have any, and those that have none need no places.
        guard !names.isEmpty else {
            self.init([], places: PlaceBook())
            return
        }
        let versions = try names.map { name in
            try Routine.decisions(about: name, in: rows).map { Version($0) }
        }
        let topics = KeyRange(prefix: [DecisionTopic.places.keyPrefix])
        let places = try rows.rows(in: topics)
            .map { try DecisionTopic.decision(decoding: $0.value) }
        self.init(versions, places: PlaceBook(places))
    }
}

extension RoutineRules.Version {
    fileprivate init(_ decision: Decision) {
        self.decision = decision
        holdsFrom = Routine.holdsFrom(decision)
        if case .routineSaved(let saving) = decision.event.body {
            (routine, isSaved) = (Routine(saving), true)
        } else {
            (routine, isSaved) = (Routine(name: "", details: TripDetails()), false)
        }
    }
}

/// The places between which a trip goes, and its day of the week.
private struct TripWay {
    let from: String?
    let to: String?
    let day: Weekday
}

extension TripPattern {
    fileprivate func fits(_ way: TripWay) -> Bool {
        guard !isEmpty, days?.contains(way.day) ?? true else { return false }
        return Self.isSame(from, way.from) && Self.isSame(to, way.to)
            || goesBothWays ?? false && Self.isSame(from, way.to) && Self.isSame(to, way.from)
    }

    /// Returns whether a place is the one that is asked for, byte by byte; if none is asked for,
    /// every place is.
    private static func isSame(_ asked: String?, _ place: String?) -> Bool {
        guard let asked else { return true }
        return place.map { $0.hasSameBytes(as: asked) } ?? false
    }
}
