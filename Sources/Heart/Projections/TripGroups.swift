import Geodesy
import TripEvents
import TripTracking

/// The last decisions that restore a trip.
///
/// One that is attached to the trip, because the trip that it names has gone, takes back merges,
/// and that the trip was voided or adjusted. The trip that it names was split or shortened, if any
/// was: so it takes back neither.
struct Restorings {
    /// The last one.
    private(set) var last: EventOrder?

    /// The last one that names the trip itself.
    private(set) var lastNaming: EventOrder?

    /// Takes the next one in event order.
    mutating func note(_ filed: BookedCluster.Filed) {
        last = filed.decision.order
        if filed.isNamed { lastNaming = last }
    }
}

/// The trips of a cluster, grouped into those that count as one trip after the decisions folded so
/// far.
struct TripGroups {
    /// Trips that stand as one.
    struct Group {
        var members: [TripID]
        var isVoided = false
        var adjusted: Distance?

        /// The distance of all members, as measured or reported.
        var distance: Distance

        /// When the first member started and the last one ended; no end while one goes on.
        var (start, end): (Timestamp, Timestamp?)

        /// The vehicle that a recorder or a report gives it, before any decision.
        var given: GivenVehicle?

        /// The last decision that names its vehicle, and that vehicle.
        var said: (order: EventOrder, vehicle: String?)?
    }

    /// The vehicle that a recorder or a report gives a trip; for several trips, that of the first
    /// one for which a recorder names it.
    struct GivenVehicle {
        let vehicle: String
        let isReported: Bool
        let start: Timestamp
        let trip: TripID

        init?(_ member: BookedCluster.Member) {
            guard let trip = member.trip else { return nil }
            let reported = member.report?.report.details.vehicle
            guard let vehicle = trip.vehicle ?? reported else { return nil }
            self.vehicle = vehicle
            isReported = trip.vehicle == nil
            start = trip.startedAt.timestamp
            self.trip = trip.id
        }

        /// Returns whether it counts before another one.
        func comesBefore(_ other: GivenVehicle) -> Bool {
            isReported == other.isReported
                ? (start, trip) < (other.start, other.trip) : other.isReported
        }
    }

    /// For each restored trip, the last decisions that restored it.
    private let restored: [TripID: Restorings]

    /// The trips that there are.
    private var members: [TripID: BookedCluster.Member]

    /// The routines that decisions apply, and those that apply by themselves.
    private let routines: [EventOrder: Routine]
    private let rules: RoutineRules

    /// The groups; those that were united with others have no members any more.
    private var groups: [Group] = []

    /// The group of each trip.
    private var places: [TripID: Int] = [:]

    /// The merges that later decisions contradict.
    private var standings: MergeStandings

    /// The last decision that was folded.
    private var last: EventOrder?

    /// The sets of trips that merges so far unite once they can stand.
    private var waiting: Set<Int> = []

    /// The merges that have united trips.
    private var effective: Set<EventOrder> = []

    /// The last merge that was looked at: it is filed under each of its trips.
    private var lastMerge: EventOrder?

    /// Begins with every trip of a cluster in a group of its own.
    init(
        of cluster: BookedCluster,
        restored: [TripID: Restorings],
        standings: MergeStandings
    ) {
        self.init(
            of: cluster,
            having: cluster.members,
            restored: restored,
            standings: standings
        )
    }

    /// Begins with those trips of a cluster that there are already, each in a group of its own.
    init(
        of cluster: BookedCluster,
        having members: [TripID: BookedCluster.Member],
        restored: [TripID: Restorings],
        standings: MergeStandings
    ) {
        self.restored = restored
        self.standings = standings
        self.members = [:]
        routines = cluster.routines
        rules = cluster.rules
        for member in members.values { add(member) }
    }

    /// Returns, for each trip that decisions restore, the last decisions that do.
    static func restored(by filed: [BookedCluster.Filed]) -> [TripID: Restorings] {
        var restored: [TripID: Restorings] = [:]
        for filed in filed {
            if case .tripRestored = filed.decision.event.body {
                restored[filed.trip, default: Restorings()].note(filed)
            }
        }
        return restored
    }

    /// Returns whether a trip was restored after a decision.
    func isRestored(_ trip: TripID, after decision: Decision) -> Bool {
        restored[trip]?.last.map { $0 > decision.order } ?? false
    }

    /// The trips that stand as one.
    var all: [Group] { groups.filter { !$0.members.isEmpty } }

    /// Returns whether a merge or split was undone by restoring one of its trips.
    func isUndone(_ decision: Decision) -> Bool {
        decision.isUndone(by: restored, among: members)
    }

    /// The group of a trip; `nil` if there is no such trip.
    func group(of trip: TripID) -> Group? {
        places[trip].map { groups[$0] }
    }

    /// Adds a trip that was reported after other decisions.
    mutating func addLater(_ member: BookedCluster.Member) {
        standings.add(member)
        add(member)
    }

    /// Adds a trip in a group of its own.
    private mutating func add(_ member: BookedCluster.Member) {
        let (id, trip) = (member.entry.id, member.trip)
        members[id] = member
        places[id] = groups.count
        groups.append(
            Group(
                members: [id],
                distance: trip?.distance ?? .zero,
                start: trip?.startedAt.timestamp ?? Timestamp(milliseconds: 0),
                end: trip?.endedAt?.timestamp,
                given: GivenVehicle(member)
            )
        )
    }

    /// Takes the next decision before it is folded, and returns whether it parts trips because it
    /// contradicts the merge that united them: then all decisions are to be folded again.
    ///
    /// A merge that waits has united nothing, and regains its effect as the decision is folded.
    mutating func parts(by filed: BookedCluster.Filed) -> Bool {
        standings.take(filed) && effective.contains { standings.holds($0) }
    }

    /// The place in event order before which each trip stands alone; `nil` if it does to the end.
    var firstEffect: EventOrder? { standings.firstEffect }

    /// Returns the groups before the first decision, with what is known of merges now.
    func begun(of cluster: BookedCluster) -> TripGroups {
        TripGroups(of: cluster, having: members, restored: restored, standings: standings)
    }

    /// Returns the same groups with what is known of merges now.
    func judged(by other: TripGroups) -> TripGroups {
        var groups = self
        groups.standings = other.standings
        return groups
    }

    /// Returns the same groups without anything known of merges, to be kept: what is known changes,
    /// and would be copied as a whole.
    func unjudged(in cluster: BookedCluster) -> TripGroups {
        var groups = self
        groups.standings = MergeStandings(of: cluster, having: [:], restored: [:])
        return groups
    }

    /// Folds the next decision, and returns whether it unites trips.
    @discardableResult
    mutating func fold(_ filed: BookedCluster.Filed) -> Bool {
        let decision = filed.decision
        last = decision.order
        guard let index = places[filed.trip] else { return false }
        switch decision.event.body {
        case .tripVoided:
            groups[index].isVoided = true
        case .distanceAdjusted(let adjustment):
            groups[index].adjusted = Distance(nearestTo: adjustment.distanceMeters)
        case .tripRestored:
            groups[index].isVoided = false
            groups[index].adjusted = nil
        case .tripsMerged where !isUndone(decision):
            guard lastMerge != decision.order else { return false }
            lastMerge = decision.order
            guard canStand(decision) else {
                if let set = standings.set(of: decision) { waiting.insert(set) }
                return false
            }
            guard unite(decision.trips(among: members), by: decision.order) else { return false }
            if let place = places[filed.trip] { _ = takeWaiting(about: place) }
            return true
        default:
            guard let vehicle = decision.vehicle(of: filed.trip, routines) else { return false }
            groups[index].said = (decision.order, vehicle)
            // Only a vehicle keeps trips apart for a time.
            return takeWaiting(about: index)
        }
        return false
    }

    /// Unites the trips of merges that can stand now that a group has changed, and returns whether
    /// there are any.
    private mutating func takeWaiting(about group: Int) -> Bool {
        var hasUnited = false
        var place = group
        while let (set, merge) = firstAble(about: place) {
            waiting.remove(set)
            let trips = standings.trips(ofSet: set)
            hasUnited = unite(trips, by: merge) || hasUnited
            place = trips.first.flatMap { places[$0] } ?? place
        }
        return hasUnited
    }

    /// Unites the trips of a merge that can stand, and returns whether there were several.
    private mutating func unite(_ trips: [TripID], by merge: EventOrder) -> Bool {
        guard unite(trips) else { return false }
        effective.insert(merge)
        return true
    }

    /// Returns the first waiting merge that can stand and names a trip of a group, and its set of
    /// trips; `nil` if none can.
    private func firstAble(about place: Int) -> (set: Int, merge: EventOrder)? {
        // Fast path: few merges wait.
        guard let last, !waiting.isEmpty else { return nil }
        var first: (set: Int, merge: EventOrder)?
        for set in waiting {
            guard let merge = standings.firstAllowed(ofSet: set, at: last),
                first.map({ merge < $0.merge }) ?? true
            else { continue }
            let trips = standings.trips(ofSet: set)
            guard trips.contains(where: { places[$0] == place }),
                obstacle(toUniting: trips) == nil
            else { continue }
            first = (set, merge)
        }
        return first
    }

    /// Returns, of decisions that were folded, the merges that have no effect.
    func withoutEffect(among filed: [BookedCluster.Filed]) -> [DecisionWithoutEffect] {
        var last: EventOrder?
        return filed.compactMap { filed in
            let decision = filed.decision
            // A merge is filed under each of its trips.
            guard decision.event.body.kind == .tripsMerged, decision.order != last,
                standings.set(of: decision) != nil
            else { return nil }
            last = decision.order
            return
                (obstacle(toUniting: decision.trips(among: members))
                ?? standings.obstacle(to: decision))
                .map { DecisionWithoutEffect(decision, about: $0.trip, $0.obstacle) }
        }
    }

    /// Returns whether nothing keeps a merge from its effect, at the last decision's place.
    private func canStand(_ merge: Decision) -> Bool {
        (last.map { standings.allows(merge, at: $0) } ?? true)
            && obstacle(toUniting: merge.trips(among: members)) == nil
    }

    /// Returns why trips cannot be united; `nil` if they can, or are one already.
    private func obstacle(
        toUniting trips: [TripID]
    ) -> (trip: TripID, obstacle: DecisionObstacle)? {
        var named: [Int: TripID] = [:]
        for trip in trips {
            guard let place = places[trip] else { continue }
            named[place] = named[place] ?? trip
        }
        guard named.count > 1 else { return nil }
        let parts = named.map { place, trip in
            MergePart(
                trip,
                from: groups[place].start,
                to: groups[place].end,
                travelTime: { travelTime(of: groups[place]) },
                of: members[trip]?.entry.group,
                vehicle: vehicle(of: groups[place]),
                isVoided: groups[place].isVoided
            )
        }
        return DecisionObstacle.toMerging(parts.sorted { ($0.start, $0.id) < ($1.start, $1.id) })
    }

    /// Returns when trips that stand as one were under way.
    private func travelTime(of group: Group) -> TravelTime {
        let trips = group.members.compactMap { members[$0]?.trip }
            .sorted { $0.startedAt.timestamp < $1.startedAt.timestamp }
        let end = group.end ?? Timestamp(milliseconds: .max)
        return TravelTime(from: group.start, to: end, without: TravelTime.pauses(between: trips))
    }

    /// Returns the vehicle of trips that stand as one, after the decisions folded so far.
    private func vehicle(of group: Group) -> String? {
        if let said = group.said { return said.vehicle }
        // Fast path: few ledgers have routines that apply by themselves.
        guard rules.since != nil else { return group.given?.vehicle }
        let trips = group.members.compactMap { members[$0]?.trip }
            .sorted { ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id) }
        guard let first = trips.first else { return nil }
        let whole = trips.count > 1 ? Trip(merging: first, with: Array(trips.dropFirst())) : first
        let said = BookedCluster.saidEnds(of: trips.map(\.id), among: members)
        return rules.application(to: whole, saidAs: said)?.routine.details.vehicle
            ?? group.given?.vehicle
    }

    /// Makes one group of those that hold some trips, and returns whether there were several.
    private mutating func unite(_ trips: [TripID]) -> Bool {
        let parts = Set(trips.compactMap { places[$0] })
        // The smaller ones join the largest, so that few trips change their place.
        guard parts.count > 1,
            let largest = parts.max(by: {
                (groups[$0].members.count, $1) < (groups[$1].members.count, $0)
            })
        else { return false }
        let claimed = parts.map { groups[$0].adjusted ?? groups[$0].distance }
        let isAdjusted = parts.contains { groups[$0].adjusted != nil }
        for part in parts where part != largest {
            for trip in groups[part].members { places[trip] = largest }
            groups[largest].take(groups[part])
            groups[part].members = []
        }
        groups[largest].adjusted = isAdjusted ? claimed.reduce(.zero, +) : nil
        return true
    }
}

extension TripGroups.Group {
    /// Takes the members of another group, with what they add up to.
    fileprivate mutating func take(_ other: TripGroups.Group) {
        members += other.members
        distance += other.distance
        start = min(start, other.start)
        if let ownEnd = end, let otherEnd = other.end {
            end = max(ownEnd, otherEnd)
        } else {
            end = nil
        }
        if let otherGiven = other.given, given.map({ otherGiven.comesBefore($0) }) ?? true {
            given = otherGiven
        }
        if let otherSaid = other.said, said.map({ $0.order < otherSaid.order }) ?? true {
            said = otherSaid
        }
    }
}
