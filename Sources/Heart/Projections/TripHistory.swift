import Geodesy
import TripEvents
import TripTracking

extension BookedCluster {
    /// Returns every change that people made to a trip, in event order.
    ///
    /// - Parameters:
    ///   - id: The trip.
    ///   - obstacles: Why decisions have no effect, by their identity digests.
    /// - Returns: The changes; those of decisions that have no effect are marked.
    func history(
        of id: TripID,
        _ obstacles: [IdentityDigest: DecisionObstacle]
    ) -> [TripAmendment] {
        let filed = filed
        var history = TripHistory(of: id, in: self, filed, obstacles)
        let leftOut = members.values
            .flatMap { member in
                member.leftOut.map { Filed(trip: member.entry.id, decision: $0.decision) }
            }
        let passed = Set(leftOut.map(\.decision.order))
        // Fast path: nearly every decision has its effect.
        let all = leftOut.isEmpty ? filed : (filed + leftOut).sorted { $0.decision < $1.decision }
        var last: EventOrder?
        for filed in all where filed.decision.order != last {
            last = filed.decision.order
            if passed.contains(filed.decision.order) {
                history.pass(filed)
            } else {
                history.take(filed)
            }
        }
        return history.lines
    }
}

extension TripBook {
    /// Returns why decisions about the trips of a cluster have no effect, by their identity
    /// digests: what the list of such decisions says.
    mutating func obstacles(
        in cluster: BookedCluster
    ) throws -> [IdentityDigest: DecisionObstacle] {
        var obstacles: [IdentityDigest: DecisionObstacle] = [:]
        for id in cluster.ids where try entry(id).isInTheWay {
            for row in try rows.rows(in: KeyRange(prefix: BookKey.obstacles(to: id))) {
                let listed = try DecisionWithoutEffect(decoding: row.value)
                obstacles[listed.decision.order.identity] = listed.obstacle
            }
        }
        // Only a merge can name trips that are not there beside one that is; with two that are, it
        // has its effect on these.
        var merges: Set<EventOrder> = []
        for decision in cluster.members.values.flatMap(\.decisions)
        where decision.event.body.kind == .tripsMerged && merges.insert(decision.order).inserted {
            let named = Set(decision.namedTrips)
            let missing = named.filter { trip in
                cluster.members[trip].map { !decision.concerns($0.entry.group) } ?? true
            }
            guard named.count - missing.count < 2 else { continue }
            for trip in missing {
                let key = BookKey.orphan(decision, of: trip)
                guard try rows.value(forKey: key) != nil else { continue }
                let identity = decision.order.identity
                obstacles[identity] = obstacles[identity] ?? .isMissing
            }
        }
        return obstacles
    }
}

/// Tells the history of a trip.
///
/// Each line compares the trip as it was booked just before a decision with how it was booked just
/// after it: what is decided later changes no earlier line. So the decisions are folded one by one,
/// and begun anew only where one changes what earlier ones mean.
///
/// Measured distances follow the splits and exclusions in force now. Where others were in force,
/// the distance is no longer known, and a line leaves it empty rather than give a different one.
struct TripHistory {
    /// A trip as the decisions so far have left it.
    private struct Look {
        let status: BookedStatus

        /// The distance that a person said, if one did.
        let adjusted: Distance?

        /// The measured or reported distance; `nil` if other splits and exclusions stood than now.
        let recorded: Distance?

        /// How many trips' distances it sums up.
        let partCount: Int
        let endedAt: Timestamp?

        /// The trip that shows its figures, if it is not the trip itself.
        let mergedInto: TripID?

        /// The distance that counts; `nil` if it is not known any more.
        var distance: Distance? { adjusted ?? recorded }

        /// Returns whether a decision gave the trip another distance.
        ///
        /// Where one of the two distances is no longer known, their components are compared.
        func hasOtherDistance(than old: Look) -> Bool {
            if let distance, let before = old.distance { return distance != before }
            let isOther = adjusted != old.adjusted || partCount != old.partCount
            return isOther && (distance != nil || old.distance != nil)
        }
    }

    /// The lines so far.
    private(set) var lines: [TripAmendment] = []

    private let id: TripID
    private let cluster: BookedCluster

    /// Why decisions have no effect, by their identity digests.
    private let obstacles: [IdentityDigest: DecisionObstacle]

    /// The decisions that name the trip or were attached to it.
    private let own: Set<EventOrder>

    /// The splits and exclusions of all trips of the cluster.
    private let cuts: CutStandings

    /// The decisions so far, but for those that restoring a trip took back before they were folded
    /// again.
    private var taken: [BookedCluster.Filed] = []

    /// The trips that exist so far: a reported one only after the decision that reports it.
    private var present: [TripID: BookedCluster.Member]

    private var groups: TripGroups

    /// The trips that decisions were about so far, and those that merges have named.
    private var decided: Set<TripID> = []
    private var merged: Set<TripID> = []

    /// The trips whose decisions describe this one, and the trip that shows its figures.
    private var shown: Set<TripID> = []
    private var lead: TripID?

    /// The figures of each trip that was looked at since trips were united or parted.
    private var figures: [TripID: Trip] = [:]

    private var details = DetailsFold(of: [])

    /// The groups as they were up to the first merge that has an effect, when trips were parted
    /// last, and how many decisions they were made from.
    private var apart: (groups: TripGroups, count: Int)?

    /// The trips whose decisions are in `details`, and for others what they were when last looked
    /// at, with the number of decisions that are in them.
    ///
    /// Otherwise trips that are united and parted in turns would take quadratic time.
    private var described: [TripID] = []
    private var descriptions: [[TripID]: (details: DetailsFold, count: Int)] = [:]

    /// A merge or a split that ties the trip to others, or an exclusion, and where its lines begin.
    private struct Tie {
        let decision: Decision
        let firstLine: Int
    }

    private var ties: [Tie] = []

    /// Begins before the first decision.
    init(
        of id: TripID,
        in cluster: BookedCluster,
        _ filed: [BookedCluster.Filed],
        _ obstacles: [IdentityDigest: DecisionObstacle]
    ) {
        self.id = id
        self.cluster = cluster
        self.obstacles = obstacles
        cuts = CutStandings(among: filed, in: cluster, obstacles)
        own = Set((cluster.members[id]?.decisions ?? []).map(\.order))
        present = cluster.members.filter { $0.value.entry.measured != nil }
        groups = TripGroups(
            of: cluster,
            having: present,
            restored: [:],
            standings: MergeStandings(of: cluster, having: present, restored: [:])
        )
        let fields = regroup()
        if let trip = figures(of: id), let application = application(to: trip, of: [id]) {
            // Details of routines that apply by themselves are there before anything is decided.
            let pressed = TripDetails(pressedFor: trip)
            lines = Self.detailChanges(from: pressed, nil, to: details, fields)
                .map {
                    TripAmendment(
                        $0,
                        by: application.decision,
                        kind: .routineSaved,
                        trip: id,
                        endedAt: trip.endedAt?.timestamp
                    )
                }
        }
    }

    /// Takes the next decision.
    mutating func take(_ filed: BookedCluster.Filed) {
        let decision = filed.decision
        let isOwn = own.contains(decision.order)
        let kind = decision.event.body.kind
        let concernsWhole = isOwn && (kind == .tripVoided || kind == .distanceAdjusted)
        let oldLook = look(at: id)
        // A part is voided and adjusted with the trip that shows it.
        let whole = concernsWhole ? oldLook?.mergedInto ?? id : id
        let oldWhole = whole == id ? oldLook : look(at: whole)
        let old = (plain: details.plain, routine: details.routine, ends: details.ends)
        let idle = idleTies(undoneBy: filed)

        taken.append(filed)
        let steps = fold(filed)
        decided.insert(filed.trip)

        guard let kind, let trip = look(at: id) else { return }
        // If the decision shows that the trip is no part, it is about the trip alone.
        let isAlone = whole == id || trip.mergedInto != whole
        var figures: [FieldChange] = []
        if let new = isAlone ? trip : look(at: whole) {
            let setsStatus = isOwn && kind == .tripVoided
            let setsDistance = isOwn && (kind == .distanceAdjusted || kind == .tripReported)
            figures = Self.figures(isAlone ? oldLook : oldWhole, new, setsStatus, setsDistance)
        }
        var changes =
            oldLook == nil
            ? Self.detailChanges(
                from: TripDetails(),
                nil,
                to: details,
                Self.steps(from: [:], to: details.fields)
            )
            : Self.detailChanges(from: old.plain, old.routine, to: details, steps)
        changes += old.ends.changes(to: details.ends)
        let ties = tieChanges(by: filed, isOwn: isOwn, except: idle)
        add(figures, of: isAlone ? id : whole, by: decision, kind, endedAt: trip.endedAt)
        add(changes, of: described(by: decision), by: decision, kind, endedAt: trip.endedAt)
        add(ties, of: id, by: decision, kind, endedAt: trip.endedAt)
    }

    /// Takes an edit that waits for a custom field: it changes nothing, and the lines say what it
    /// would change.
    mutating func pass(_ filed: BookedCluster.Filed) {
        let decision = filed.decision
        guard shown.contains(filed.trip), let kind = decision.event.body.kind,
            let trip = look(at: id)
        else { return }
        var edited = details
        let steps = edited.apply(decision, routine: nil)
        var changes = Self.detailChanges(from: details.plain, details.routine, to: edited, steps)
        changes += details.ends.changes(to: edited.ends)
        if changes.isEmpty, case .lacksField(let key)? = obstacles[decision.order.identity] {
            changes = [FieldChange(field: "fields." + key, old: nil, new: nil)]
        }
        add(changes, of: described(by: decision), by: decision, kind, endedAt: trip.endedAt)
    }

    /// Returns the trip whose details a decision sets: that, or a part whose figures it shows.
    private func described(by decision: Decision) -> TripID {
        guard DetailsFold.concerns(decision), !own.contains(decision.order) else { return id }
        return decision.namedTrips.first ?? id
    }

    /// Adds the lines for what a decision changed of a trip.
    private mutating func add(
        _ changes: [FieldChange],
        of trip: TripID,
        by decision: Decision,
        _ kind: EventKind,
        endedAt: Timestamp?
    ) {
        let named = decision.namedTrips
        let isAttached = !named.isEmpty && named.allSatisfy { cluster.members[$0] == nil }
        lines += changes.map {
            TripAmendment(
                $0,
                by: decision,
                kind: kind,
                // For a decision that was attached by time, the trip that has gone.
                trip: isAttached ? named.first ?? trip : trip,
                endedAt: endedAt,
                withoutEffect: obstacles[decision.order.identity]
            )
        }
    }
}

extension TripHistory {
    /// Folds a decision; returns what becomes of the trip's custom fields.
    private mutating func fold(_ filed: BookedCluster.Filed) -> [DetailsFold.FieldStep] {
        let decision = filed.decision
        if case .tripsMerged(let merge) = decision.event.body { merged.formUnion(merge.trips) }
        guard let filed = concerning(filed) else { return [] }
        if decision.madeTrip == filed.trip, decision.report != nil { return report(filed) }
        switch decision.event.body {
        case .tripRestored:
            if merged.contains(filed.trip) { return beginAnew() }
            groups.fold(filed)
        default:
            if groups.parts(by: filed) { return part() }
            if changesGroup(by: filed) { return regroup() }
            if unites(decision) { details.endWithLastPart() }
        }
        guard shown.contains(filed.trip), DetailsFold.concerns(decision) else { return [] }
        return details.apply(decision, routine: cluster.routines[decision.order])
    }

    /// Folds a decision, and returns whether it unites the trip with others: a merge does, and so
    /// does the vehicle of a trip for which a merge waits.
    private mutating func changesGroup(by filed: BookedCluster.Filed) -> Bool {
        let count = groups.group(of: id)?.members.count
        guard groups.fold(filed) else { return false }
        figures = [:]
        return groups.group(of: id)?.members.count != count
    }

    /// Returns a decision with a trip that is there; `nil` if it is about none.
    private func concerning(_ filed: BookedCluster.Filed) -> BookedCluster.Filed? {
        let decision = filed.decision
        if present[filed.trip] != nil { return filed }
        if case .tripsMerged(let merge) = decision.event.body {
            return merge.trips.first { present[$0] != nil }
                .map { BookedCluster.Filed(trip: $0, decision: decision) }
        }
        return decision.madeTrip == filed.trip && decision.report != nil ? filed : nil
    }

    /// Takes the report of a trip.
    private mutating func report(_ filed: BookedCluster.Filed) -> [DetailsFold.FieldStep] {
        let isNew = present[filed.trip] == nil
        present[filed.trip] = cluster.members[filed.trip]
        if isNew { (apart, descriptions) = (nil, [:]) }
        if isNew, decided.contains(filed.trip) || merged.contains(filed.trip) {
            // Decisions about it that came before the report hold from now on.
            return beginAnew()
        }
        if isNew, let member = cluster.members[filed.trip] {
            groups.addLater(member)
        }
        if groups.parts(by: filed) { return part() }
        if changesGroup(by: filed) || isNew && filed.trip == id { return regroup() }
        guard shown.contains(filed.trip) else { return [] }
        let decision = filed.decision
        return details.apply(decision, routine: cluster.routines[decision.order])
    }

    /// Parts trips that a merge had united, whose effect a later decision takes: folds the
    /// decisions again from the first merge on that has an effect.
    ///
    /// What stood before that stands: a merge that has none may only have one from a later decision
    /// on.
    private mutating func part() -> [DetailsFold.FieldStep] {
        let first = groups.firstEffect
        let before = taken.lastIndex { filed in first.map { filed.decision.order < $0 } ?? true }
        let count = before.map { $0 + 1 } ?? 0
        var begun = groups.begun(of: cluster)
        var begunFrom = 0
        if let apart, apart.count <= count {
            begun = apart.groups.judged(by: groups)
            begunFrom = apart.count
        }
        for filed in taken[begunFrom..<count] {
            if let filed = concerning(filed) { begun.fold(filed) }
        }
        apart = (begun.unjudged(in: cluster), count)
        for filed in taken[count...] {
            if let filed = concerning(filed) { begun.fold(filed) }
        }
        groups = begun
        return regroup()
    }

    /// Folds all decisions so far again.
    private mutating func beginAnew() -> [DetailsFold.FieldStep] {
        apart = nil
        descriptions = [:]
        described = []
        let restored = TripGroups.restored(by: taken.compactMap { concerning($0) })
        // Otherwise merging and restoring trips in turns would take quadratic time.
        taken = taken.filter { !isTakenBack($0, by: restored) }
        let known = taken.compactMap { concerning($0) }
        var standings = MergeStandings(of: cluster, having: present, restored: restored)
        for filed in known { _ = standings.take(filed) }
        groups = TripGroups(
            of: cluster,
            having: present,
            restored: restored,
            standings: standings
        )
        for filed in known { groups.fold(filed) }
        merged = []
        for filed in taken {
            guard case .tripsMerged(let merge) = filed.decision.event.body else { continue }
            merged.formUnion(merge.trips)
        }
        return regroup()
    }

    /// Returns whether restoring a trip took a decision back for good.
    ///
    /// All merges that name the trip are undone then. So it stood alone until it was restored, and
    /// what was decided of its status and distance concerns no other trip.
    private func isTakenBack(
        _ filed: BookedCluster.Filed,
        by restored: [TripID: Restorings]
    ) -> Bool {
        let decision = filed.decision
        switch decision.event.body {
        case .tripsMerged:
            return decision.isUndone(by: restored, among: present)
        case .tripVoided, .distanceAdjusted:
            return restored[filed.trip]?.last.map { $0 > decision.order } ?? false
        case .tripRestored:
            let restored = restored[filed.trip]
            return (filed.isNamed ? restored?.lastNaming : restored?.last)
                .map { $0 > decision.order } ?? false
        default: return false
        }
    }

    /// Finds out which decisions describe the trip, now that trips were united or parted.
    private mutating func regroup() -> [DetailsFold.FieldStep] {
        figures = [:]
        guard let trip = present[id]?.trip else { return [] }
        let trips = trips(withOne: id)
        lead = trips.first?.id
        shown = lead == id ? Set(trips.map(\.id)) : [id]
        let former = details.fields
        let parts = lead == id ? trips.map(\.id) : [id]
        let count = describe(figures(of: id) ?? trip, as: parts)
        for filed in taken.dropFirst(count) {
            if unites(filed.decision) { details.endWithLastPart() }
            guard shown.contains(filed.trip), DetailsFold.concerns(filed.decision) else { continue }
            details.apply(filed.decision, routine: cluster.routines[filed.decision.order])
        }
        return Self.steps(from: former, to: details.fields)
    }

    /// Takes up the details of the trip as some parts make it, and returns how many decisions are
    /// in them.
    private mutating func describe(_ trip: Trip, as parts: [TripID]) -> Int {
        // The last decision is in none yet.
        if !described.isEmpty { descriptions[described] = (details, max(0, taken.count - 1)) }
        described = parts
        if let known = descriptions.removeValue(forKey: parts) {
            details = known.details
            return known.count
        }
        details = cluster.detailsFold(of: trip, parts: parts)
        if let application = application(to: trip, of: parts) { details.apply(application) }
        return 0
    }

    /// Whether a decision merges trips of which one describes the trip, and was not undone.
    private func unites(_ decision: Decision) -> Bool {
        guard case .tripsMerged(let merge) = decision.event.body else { return false }
        return merge.trips.contains { shown.contains($0) } && !groups.isUndone(decision)
    }

    /// Returns the routine that applies by itself to a trip that is made of some parts.
    private func application(to trip: Trip, of parts: [TripID]) -> RoutineRules.Application? {
        let said = BookedCluster.saidEnds(of: parts, among: cluster.members)
        return cluster.rules.application(to: trip, saidAs: said)
    }

    /// Returns the trips that stand as one with a trip, in order of their starts.
    private func trips(withOne trip: TripID) -> [Trip] {
        (groups.group(of: trip)?.members ?? []).compactMap { present[$0]?.trip }
            .sorted {
                ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id)
            }
    }

    /// Returns the figures that a trip shows: those of all parts if it is the first of them.
    private mutating func figures(of trip: TripID) -> Trip? {
        if let known = figures[trip] { return known }
        let trips = trips(withOne: trip)
        guard let first = trips.first else { return nil }
        let shown =
            first.id != trip
            ? present[trip]?.trip
            : trips.count > 1 ? Trip(merging: first, with: Array(trips.dropFirst())) : first
        figures[trip] = shown
        figures[first.id] = figures[first.id] ?? (first.id == trip ? shown : nil)
        return shown
    }

    /// Returns a trip as the decisions so far have left it; `nil` if there is none.
    private mutating func look(at trip: TripID) -> Look? {
        guard present[trip] != nil, let group = groups.group(of: trip),
            let shown = figures(of: trip)
        else { return nil }
        let first = group.members.count == 1 ? trip : lead(of: trip, group)
        let isPart = first != trip
        let status: BookedStatus =
            isPart ? .merged : group.isVoided ? .voided : BookedTrip(shown).status
        let parts = isPart ? [trip] : group.members
        return Look(
            status: status,
            adjusted: isPart ? nil : group.adjusted,
            recorded: parts.allSatisfy { isCutAsNow($0) } ? shown.distance : nil,
            partCount: parts.count,
            endedAt: shown.endedAt?.timestamp,
            mergedInto: isPart ? first : nil
        )
    }

    private func lead(of trip: TripID, _ group: TripGroups.Group) -> TripID {
        if trip == id || trip == lead, let lead { return lead }
        return trips(withOne: trip).first?.id ?? trip
    }

    /// Returns whether, after the decisions so far, the same splits and exclusions of a trip stand
    /// as now.
    ///
    /// What was excluded of a whole trip is excluded of its parts. Splits of it concern a part only
    /// by making it.
    private func isCutAsNow(_ trip: TripID) -> Bool {
        let last = taken.last?.decision.order
        guard cuts.areAsNow(of: trip, after: last) else { return false }
        var next = cluster.members[trip]?.entry.splitFrom
        while let whole = next {
            guard cuts.areExclusionsAsNow(of: whole, after: last) else { return false }
            next = cluster.members[whole]?.entry.splitFrom
        }
        return true
    }
}

extension TripHistory {
    /// Returns what became of a trip's status and distance; there is always a line for the one that
    /// the decision says.
    private static func figures(
        _ old: Look?,
        _ new: Look,
        _ setsStatus: Bool,
        _ setsDistance: Bool
    ) -> [FieldChange] {
        let status = FieldChange(
            field: "status",
            old: old.map { .text($0.status.rawValue) },
            new: .text(new.status.rawValue)
        )
        let distance = FieldChange(
            field: "distance_m",
            old: old?.distance.flatMap { value($0) },
            new: new.distance.flatMap { value($0) }
        )
        let isStatusShown = setsStatus || old != nil && status.old != status.new
        let isOther = old.map { new.hasOtherDistance(than: $0) } ?? (distance.new != nil)
        let isDistanceShown = setsDistance || isOther
        return (isStatusShown ? [status] : []) + (isDistanceShown ? [distance] : [])
    }

    /// Returns what became of the trip's details.
    private static func detailChanges(
        from old: TripDetails,
        _ oldRoutine: String?,
        to new: DetailsFold,
        _ steps: [DetailsFold.FieldStep]
    ) -> [FieldChange] {
        let routine = FieldChange(
            ifOther: "routine",
            old: oldRoutine.map(CustomValue.text),
            new: new.routine.map(CustomValue.text)
        )
        let fields = steps.compactMap { step -> FieldChange? in
            guard let name = (step.new ?? step.old)?.key else { return nil }
            return FieldChange(
                ifOther: "fields." + name,
                old: step.old?.value,
                new: step.new?.value
            )
        }
        return (routine.map { [$0] } ?? []) + old.plainChanges(to: new.plain) + fields
    }

    /// Returns what becomes of custom fields, in order of their keys.
    private static func steps(
        from old: [[UInt8]: CustomFields.Field],
        to new: [[UInt8]: CustomFields.Field]
    ) -> [DetailsFold.FieldStep] {
        Set(old.keys).union(new.keys)
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { DetailsFold.FieldStep(key: $0, old: old[$0], new: new[$0]) }
    }

    /// Notes the merges and splits that tie the trip to others, and what was excluded of it, and
    /// undoes what restoring one of the trips undoes.
    ///
    /// - Parameters:
    ///   - filed: The decision.
    ///   - isOwn: Whether it is about the trip itself.
    ///   - idle: The ties that it takes back although they had no effect: they are only marked.
    /// - Returns: What becomes of the ties.
    private mutating func tieChanges(
        by filed: BookedCluster.Filed,
        isOwn: Bool,
        except idle: [IdentityDigest: DecisionObstacle]
    ) -> [FieldChange] {
        switch filed.decision.event.body {
        case .tripsMerged where isOwn, .tripSplit where isOwn, .stretchExcluded where isOwn:
            ties.append(Tie(decision: filed.decision, firstLine: lines.count))
            return [Self.tie(filed.decision, isUndone: false)].compactMap(\.self)
        case .tripRestored:
            let isUndone = { (tie: Tie) in Self.undoes(filed, tie.decision) }
            let undone = ties.filter(isUndone)
            guard !undone.isEmpty else { return [] }
            ties.removeAll(where: isUndone)
            for tie in undone { mark(tie, idle[tie.decision.order.identity]) }
            return undone.filter { idle[$0.decision.order.identity] == nil }
                .compactMap { Self.tie($0.decision, isUndone: true) }
        default:
            return []
        }
    }

    /// Marks the lines of a tie that had no effect, if there is a reason why.
    private mutating func mark(_ tie: Tie, _ obstacle: DecisionObstacle?) {
        guard let obstacle else { return }
        let identity = tie.decision.order.identity
        for index in lines.indices.suffix(from: tie.firstLine) {
            guard lines[index].decision == identity else { return }
            lines[index].withoutEffect = obstacle
        }
    }

    /// Returns whether restoring a trip takes back a merge, a split or an exclusion.
    private static func undoes(_ restoring: BookedCluster.Filed, _ tie: Decision) -> Bool {
        tie.namedTrips.contains(restoring.trip)
            && (restoring.isNamed || tie.event.body.kind == .tripsMerged)
    }

    /// Returns, of the ties that restoring a trip takes back, those that have had no effect so
    /// far, and why.
    private func idleTies(
        undoneBy filed: BookedCluster.Filed
    ) -> [IdentityDigest: DecisionObstacle] {
        guard case .tripRestored = filed.decision.event.body else { return [:] }
        let undone = ties.map(\.decision).filter { Self.undoes(filed, $0) }
        guard !undone.isEmpty else { return [:] }
        let waiting = Dictionary(
            groups.withoutEffect(among: taken)
                .map { ($0.decision.order, $0.obstacle) },
            uniquingKeysWith: { first, _ in first }
        )
        var idle: [IdentityDigest: DecisionObstacle] = [:]
        for tie in undone {
            let identity = tie.order.identity
            if tie.event.body.kind == .tripsMerged {
                let parts = Set(tie.trips(among: present).filter { present[$0] != nil })
                let isAlone = parts.count < min(2, Set(tie.namedTrips).count)
                idle[identity] =
                    isAlone
                    ? .isMissing : waiting[tie.order]
            } else {
                let trip = tie.namedTrips.first { present[$0] != nil } ?? id
                idle[identity] = cluster.obstacle(
                    toUndone: BookedCluster.Filed(trip: trip, decision: tie)
                )
            }
        }
        return idle
    }

    private static func tie(_ decision: Decision, isUndone: Bool) -> FieldChange? {
        let field: String
        let value: CustomValue
        switch decision.event.body {
        case .tripsMerged(let merge):
            field = "merged"
            value = .text(merge.trips.map(\.description).joined(separator: " "))
        case .tripSplit(let split):
            field = "split_at"
            let time = split.splitAt
            value = .text(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
        case .stretchExcluded(let exclusion):
            field = "excluded"
            let times = [exclusion.from, exclusion.to]
                .map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
            value = .text(times.joined(separator: "/"))
        default: return nil
        }
        return FieldChange(field: field, old: isUndone ? value : nil, new: isUndone ? nil : value)
    }

    private static func value(_ distance: Distance) -> CustomValue? {
        ExactDecimal(significand: distance.millimeters, decimals: 3).map(CustomValue.number)
    }
}
