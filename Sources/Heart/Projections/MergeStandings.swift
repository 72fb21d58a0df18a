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

    /// Merges of the same trips that were not undone, and of which the same was decided since.
    private struct Standing {
        /// The trips that they unite, by the number of their set.
        let set: Int

        var merges: [EventOrder]

        /// The first of them in event order.
        var first: EventOrder

        var state = State.isKnown

        /// Whether they have no effect because later decisions gave their trips different vehicles.
        var isApart = false

        /// The decision from which on they may have an effect again, if they had none before.
        var since: EventOrder?

        /// Whether they have no effect.
        var isHeld: Bool {
            if case .voids = state { true } else { isApart }
        }

        /// Returns whether they are judged alike from now on: not those made with knowledge of all
        /// that was decided.
        func isLike(_ other: Standing) -> Bool {
            guard case (.saysVehicle, .saysVehicle) = (state, other.state) else { return false }
            return isApart == other.isApart && since == other.since
        }
    }

    /// Trips that merges unite.
    private struct TripSet {
        /// In order of their starts.
        let trips: [TripID]

        /// The standings of their merges, but for those that a decision voids: three at most,
        /// however many merges there are.
        var standings: [Int] = []
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

    private var standings: [Standing] = []

    /// The standing of each merge.
    private var places: [EventOrder: Int] = [:]

    private var sets: [TripSet] = []
    private var numbers: [[TripID]: Int] = [:]

    /// The sets that hold a trip.
    private var setsOfTrip: [TripID: [Int]] = [:]

    /// Those that hold a trip, but not as the first one, and have merges since it was voided.
    private var setsIntoOthers: [TripID: [Int]] = [:]

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

    /// Takes the next decision, and returns whether earlier merges lose their effect, if they had
    /// one.
    mutating func take(_ filed: BookedCluster.Filed) -> Bool {
        guard members[filed.trip] != nil else { return false }
        let (trip, decision) = (filed.trip, filed.decision)
        switch decision.event.body {
        case .tripsMerged:
            begin(decision)
            return false
        case .tripVoided:
            return void(trip)
        default:
            guard let vehicle = decision.vehicle(of: trip, routines) else { return false }
            said[trip] = .some(vehicle)
            return (setsOfTrip[trip] ?? []).reduce(false) { judge($1, by: filed) || $0 }
        }
    }

    /// The place in event order before which no merge has an effect; `nil` if none has any.
    var firstEffect: EventOrder? {
        sets.lazy.flatMap(\.standings)
            .compactMap { number in
                let standing = standings[number]
                return standing.isHeld ? nil : standing.since ?? standing.first
            }
            .min()
    }

    /// Returns whether later decisions keep a merge from its effect.
    func holds(_ merge: EventOrder) -> Bool {
        places[merge].map { standings[$0].isHeld } ?? false
    }

    /// Returns whether, at a place in event order, no later decision keeps a merge from taking
    /// effect.
    func allows(_ merge: Decision, at place: EventOrder) -> Bool {
        places[merge.order].map { allows(standings[$0], at: place) } ?? true
    }

    /// Returns the first merge of a set, up to a place in event order, of which that is so.
    func firstAllowed(ofSet set: Int, at place: EventOrder) -> EventOrder? {
        sets[set].standings.map { standings[$0] }
            .filter { $0.first <= place && allows($0, at: place) }
            .map(\.first).min()
    }

    /// The trips of a set, in order of their starts.
    func trips(ofSet set: Int) -> [TripID] { sets[set].trips }

    private func allows(_ standing: Standing, at place: EventOrder) -> Bool {
        !standing.isHeld && standing.since.map { $0 <= place } ?? true
    }

    /// Returns the number of the set of trips that a merge unites; `nil` if it was undone, or
    /// unites nothing.
    func set(of merge: Decision) -> Int? { places[merge.order].map { standings[$0].set } }

    /// Returns why a merge has no effect; `nil` if no later decision contradicts it.
    func obstacle(to merge: Decision) -> (trip: TripID, obstacle: DecisionObstacle)? {
        guard let standing = places[merge.order].map({ standings[$0] }) else { return nil }
        switch standing.state {
        case .voids(let trip): return (trip, .isVoided)
        case .isKnown, .saysVehicle:
            return standing.isApart ? difference(sets[standing.set].trips) : nil
        }
    }

    private mutating func begin(_ merge: Decision) {
        // A merge is filed under each of its trips, so it comes several times.
        guard places[merge.order] == nil, !merge.isUndone(by: restored, among: members) else {
            return
        }
        let trips = Set(merge.trips(among: members)).compactMap { members[$0]?.trip }
            .sorted { ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id) }
            .map(\.id)
        guard trips.count > 1 else { return }
        let set = number(of: trips)
        if let known = sets[set].standings.first(where: { isKnown($0) }) {
            standings[known].merges.append(merge.order)
            places[merge.order] = known
            return
        }
        if sets[set].standings.isEmpty {
            for trip in trips.dropFirst() { setsIntoOthers[trip, default: []].append(set) }
        }
        places[merge.order] = standings.count
        sets[set].standings.append(standings.count)
        standings.append(Standing(set: set, merges: [merge.order], first: merge.order))
    }

    private func isKnown(_ standing: Int) -> Bool {
        if case .isKnown = standings[standing].state { true } else { false }
    }

    private mutating func number(of trips: [TripID]) -> Int {
        if let number = numbers[trips] { return number }
        let number = sets.count
        numbers[trips] = number
        sets.append(TripSet(trips: trips))
        for trip in trips { setsOfTrip[trip, default: []].append(number) }
        return number
    }

    /// Takes that a trip is voided, and returns whether merges lose their effect.
    private mutating func void(_ trip: TripID) -> Bool {
        var isLost = false
        for set in setsIntoOthers.removeValue(forKey: trip) ?? [] {
            for number in sets[set].standings {
                standings[number].state = .voids(trip)
                isLost = true
            }
            sets[set].standings = []
        }
        return isLost
    }

    /// Takes what a decision says of the vehicle of a trip of a set, and returns whether merges
    /// lose their effect.
    private mutating func judge(_ set: Int, by filed: BookedCluster.Filed) -> Bool {
        let trips = sets[set].trips
        // A decision about the first trip is about the whole, and the report of a trip cannot know
        // of later merges.
        let isOfPart = filed.trip != trips.first && filed.decision.madeTrip != filed.trip
        let judged = sets[set].standings.filter { isOfPart || !isKnown($0) }
        guard !judged.isEmpty else { return false }
        let isApart = difference(trips) != nil
        var isLost = false
        for number in judged {
            let wasApart = standings[number].isApart
            standings[number].state = .saysVehicle
            standings[number].isApart = isApart
            if isApart {
                standings[number].since = nil
                isLost = isLost || !wasApart
            } else if wasApart {
                standings[number].since = filed.decision.order
            }
        }
        joinAlike(in: set)
        return isLost
    }

    /// Makes one standing of those that are judged alike from now on.
    private mutating func joinAlike(in set: Int) {
        var kept: [Int] = []
        for number in sets[set].standings {
            guard let index = kept.firstIndex(where: { standings[$0].isLike(standings[number]) })
            else {
                kept.append(number)
                continue
            }
            // The shorter list joins the longer one, so that few merges change their place.
            var (into, from) = (kept[index], number)
            if standings[into].merges.count < standings[from].merges.count { swap(&into, &from) }
            for merge in standings[from].merges { places[merge] = into }
            standings[into].merges += standings[from].merges
            standings[into].first = min(standings[into].first, standings[from].first)
            standings[from].merges = []
            kept[index] = into
        }
        sets[set].standings = kept
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
