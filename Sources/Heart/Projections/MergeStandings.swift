import TripEvents
import TripTracking

/// Finds the merges that later decisions contradict, in one pass over the decisions.
///
/// A person who knows of a merge names its first trip to mean the whole. So a later decision that
/// names another of its trips was made without knowing of the merge. If it voids that trip, the
/// merge has no effect. If it says the trip's vehicle, the merge has an effect only while no two of
/// its trips have different vehicles, each as the decisions that name this trip say it.
struct MergeStandings {
    /// The state of a merge after the later decisions about its trips.
    private enum State {
        /// All of them can have been made with knowledge of the merge.
        case isKnown

        /// One says the vehicle of a trip that is not the first.
        case saysVehicle

        /// One voids a trip that is not the first.
        case voids(TripID)
    }

    /// A merge that was not undone.
    private struct Standing {
        /// The trips that it unites, in order of their starts.
        let trips: [TripID]

        var state = State.isKnown

        /// Whether it has no effect because later decisions gave its trips different vehicles.
        var isApart = false

        /// The decision from which on it may have an effect again, if it had none before.
        var since: EventOrder?
    }

    /// For each restored trip, the last decision that restored it.
    private let restored: [TripID: Restorings]

    /// The routines that decisions apply, and those that apply by themselves.
    private let routines: [EventOrder: Routine]
    private let rules: RoutineRules

    /// The trips that there are.
    private var members: [TripID: BookedCluster.Member]

    /// The vehicle of each trip, or `nil` for none, if decisions that name the trip say it.
    private var said: [TripID: String?] = [:]

    /// The merges, and which of them name a trip.
    private var standings: [EventOrder: Standing] = [:]
    private var merges: [TripID: [EventOrder]] = [:]

    /// Those that name a trip, but not as the first one, and that no later decision voids yet.
    private var mergesIntoOthers: [TripID: [EventOrder]] = [:]

    /// Begins before the first decision, with those trips of a cluster that there are already.
    init(
        of cluster: BookedCluster,
        having members: [TripID: BookedCluster.Member],
        restored: [TripID: Restorings]
    ) {
        self.restored = restored
        self.members = members
        routines = cluster.routines
        rules = cluster.rules
    }

    /// Adds a trip.
    mutating func add(_ member: BookedCluster.Member) { members[member.entry.id] = member }

    /// Takes the next decision, and returns the earlier merges that lose their effect, if they had
    /// one.
    mutating func take(_ filed: BookedCluster.Filed) -> [EventOrder] {
        guard members[filed.trip] != nil else { return [] }
        let (trip, decision) = (filed.trip, filed.decision)
        switch decision.event.body {
        case .tripsMerged:
            begin(decision)
            return []
        case .tripVoided:
            return void(trip)
        default:
            guard let vehicle = decision.vehicle(of: trip, routines) else { return [] }
            said[trip] = .some(vehicle)
            var lost: [EventOrder] = []
            for merge in merges[trip] ?? [] where judge(merge, by: filed) { lost.append(merge) }
            return lost
        }
    }

    /// Returns whether, at a place in event order, no later decision keeps a merge from taking
    /// effect.
    func allows(_ merge: Decision, at place: EventOrder) -> Bool {
        guard let standing = standings[merge.order] else { return true }
        if case .voids = standing.state { return false }
        return !standing.isApart && standing.since.map { $0 <= place } ?? true
    }

    /// Returns why a merge has no effect; `nil` if no later decision contradicts it.
    func obstacle(to merge: Decision) -> (trip: TripID, obstacle: DecisionObstacle)? {
        guard let standing = standings[merge.order] else { return nil }
        switch standing.state {
        case .voids(let trip): return (trip, .isVoided)
        case .isKnown, .saysVehicle: return standing.isApart ? difference(standing.trips) : nil
        }
    }

    private mutating func begin(_ merge: Decision) {
        // A merge is filed under each of its trips, so it comes several times.
        guard standings[merge.order] == nil,
            !merge.isUndone(by: restored, among: members)
        else { return }
        let trips = Set(merge.trips(among: members)).compactMap { members[$0]?.trip }
            .sorted { ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id) }
            .map(\.id)
        guard trips.count > 1 else { return }
        standings[merge.order] = Standing(trips: trips)
        for trip in trips { merges[trip, default: []].append(merge.order) }
        for trip in trips.dropFirst() { mergesIntoOthers[trip, default: []].append(merge.order) }
    }

    /// Takes that a trip is voided, and returns the merges that lose their effect.
    private mutating func void(_ trip: TripID) -> [EventOrder] {
        let lost = (mergesIntoOthers.removeValue(forKey: trip) ?? [])
            .filter { merge in
                if case .voids = standings[merge]?.state { false } else { true }
            }
        for merge in lost { standings[merge]?.state = .voids(trip) }
        return lost
    }

    /// Takes what a decision says of the vehicle of a trip that a merge names, and returns whether
    /// the merge loses its effect.
    private mutating func judge(_ merge: EventOrder, by filed: BookedCluster.Filed) -> Bool {
        guard var standing = standings[merge] else { return false }
        switch standing.state {
        case .voids: return false
        case .saysVehicle: break
        case .isKnown:
            // A decision about the first trip is about the whole, and the report of a trip cannot
            // know of later merges.
            let isOfPart =
                filed.trip != standing.trips.first && filed.decision.madeTrip != filed.trip
            guard isOfPart else { return false }
            standing.state = .saysVehicle
        }
        let wasApart = standing.isApart
        standing.isApart = difference(standing.trips) != nil
        if wasApart, !standing.isApart { standing.since = filed.decision.order }
        standings[merge] = standing
        return !wasApart && standing.isApart
    }

    /// Returns the first of some trips whose vehicle differs from that of a trip before it; `nil`
    /// if there is none.
    private func difference(
        _ trips: [TripID]
    ) -> (trip: TripID, obstacle: DecisionObstacle)? {
        var known: (trip: TripID, vehicle: String)?
        for trip in trips {
            guard let vehicle = vehicle(of: trip) else { continue }
            if let known, !known.vehicle.hasSameBytes(as: vehicle) {
                return (trip, .isOfOtherVehicle(vehicle, than: known.trip, of: known.vehicle))
            }
            known = known ?? (trip, vehicle)
        }
        return nil
    }

    /// Returns the vehicle of a trip by itself, after the decisions so far that name it.
    private func vehicle(of id: TripID) -> String? {
        if let said = said[id] { return said }
        guard let member = members[id] else { return nil }
        // Fast path: few ledgers have routines that apply by themselves.
        if rules.since != nil, let trip = member.trip,
            let vehicle = rules.application(to: trip, saidAs: member.saidEnds)?.routine.details
                .vehicle
        {
            return vehicle
        }
        return TripGroups.GivenVehicle(member)?.vehicle
    }
}

extension Decision {
    /// Returns the trips that the decision names and that it concerns: for one from a source of a
    /// group, the trips of other groups do not exist.
    func trips(among members: [TripID: BookedCluster.Member]) -> [TripID] {
        namedTrips.filter { trip in members[trip].map { concerns($0.entry.group) } ?? true }
    }

    /// Returns whether a merge or split was undone by restoring one of its trips.
    ///
    /// - Parameters:
    ///   - restored: For each restored trip, the last decisions that restored it.
    ///   - members: The trips that there are.
    /// - Returns: Whether a trip that it names and concerns was restored later.
    func isUndone(
        by restored: [TripID: Restorings],
        among members: [TripID: BookedCluster.Member]
    ) -> Bool {
        // Fast path: few trips are restored.
        !restored.isEmpty
            && trips(among: members)
                .contains { trip in
                    guard let restored = restored[trip] else { return false }
                    let isMerge = event.body.kind == .tripsMerged
                    return (isMerge ? restored.last : restored.lastNaming).map { $0 > order }
                        ?? false
                }
    }

    /// Returns what the decision says of the vehicle of a trip.
    ///
    /// - Parameters:
    ///   - trip: The trip that it is about.
    ///   - routines: The routines that decisions apply.
    /// - Returns: The vehicle, or that the trip has none; `nil` if the decision does not say.
    func vehicle(of trip: TripID, _ routines: [EventOrder: Routine]) -> String?? {
        switch event.body {
        case .detailsEdited(let edit):
            switch edit.vehicle {
            case .unchanged: nil
            case .cleared: .some(nil)
            case .set(let vehicle): vehicle
            }
        case .routineApplied, .goPressed:
            routines[order]?.details.vehicle.map { .some($0) }
        case .tripReported(let report) where madeTrip == trip:
            report.details.vehicle.map { .some($0) }
        default: nil
        }
    }
}
