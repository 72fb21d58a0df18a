import Geodesy
import TripEvents
import TripTracking

extension BookedCluster {
    /// Returns every change that people made to a trip, in event order.
    func history(of id: TripID) -> [TripAmendment] {
        var history = TripHistory(of: id, in: self)
        var last: EventOrder?
        for filed in filed where filed.decision.order != last {
            last = filed.decision.order
            history.take(filed)
        }
        return history.lines
    }
}

/// Tells the history of a trip.
///
/// Each line compares the trip as it was booked just before a decision with how it was booked just
/// after it: what is decided later changes no earlier line. So the decisions are folded one by one,
/// and begun anew only where one changes what earlier ones mean.
struct TripHistory {
    /// A trip as the decisions so far have left it.
    private struct Look {
        let status: BookedStatus
        let distance: Distance
        let endedAt: Timestamp?

        /// The trip that shows its figures, if it is not the trip itself.
        let mergedInto: TripID?
    }

    /// The lines so far.
    private(set) var lines: [TripAmendment] = []

    private let id: TripID
    private let cluster: BookedCluster

    /// The decisions that name the trip or were attached to it.
    private let own: Set<EventOrder>

    /// The decisions so far.
    private var taken: [BookedCluster.Filed] = []

    /// The trips that there are, as far as decisions have not to report them first.
    private var present: [TripID: BookedCluster.Member]

    private var restored: [TripID: EventOrder] = [:]
    private var standings: MergeStandings
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

    /// The merges and splits that tie the trip to others.
    private var ties: [Decision] = []

    /// Begins before the first decision.
    init(of id: TripID, in cluster: BookedCluster) {
        self.id = id
        self.cluster = cluster
        own = Set((cluster.members[id]?.decisions ?? []).map(\.order))
        present = cluster.members.filter { $0.value.entry.measured != nil }
        standings = MergeStandings(of: cluster, having: present, restored: [:])
        groups = TripGroups(of: cluster, having: present, restored: [:], standings: standings)
        let fields = regroup()
        if let trip = figures(of: id), let application = application(to: trip, of: [id]) {
            // Details of routines that apply by themselves are there before anything is decided.
            let pressed = TripDetails(pressedFor: trip)
            lines = detailChanges(pressed, nil, fields)
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

        taken.append(filed)
        let steps = fold(filed)
        decided.insert(filed.trip)

        guard let kind, let trip = look(at: id) else { return }
        var changes: [FieldChange] = []
        // If the decision shows that the trip is no part, it is about the trip alone.
        let isAlone = whole == id || trip.mergedInto != whole
        if let new = isAlone ? trip : look(at: whole) {
            let setsStatus = isOwn && (kind == .tripVoided || kind == .tripRestored)
            let setsDistance = isOwn && (kind == .distanceAdjusted || kind == .tripReported)
            changes += Self.figures(isAlone ? oldLook : oldWhole, new, setsStatus, setsDistance)
        }
        changes +=
            oldLook == nil
            ? detailChanges(TripDetails(), nil, Self.steps(from: [:], to: details.fields))
            : detailChanges(old.plain, old.routine, steps)
        changes += old.ends.changes(to: details.ends)
        changes += tieChanges(by: filed, isOwn: isOwn)
        let named = decision.namedTrips
        lines += changes.map {
            TripAmendment(
                $0,
                by: decision,
                kind: kind,
                // For a decision that was attached by time, the trip that has gone.
                trip: named.contains(id) || decision.madeTrip == id ? id : named.first ?? id,
                endedAt: trip.endedAt
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
            restored[filed.trip] = decision.order
            if merged.contains(filed.trip) { return beginAnew() }
            groups.fold(filed)
        default:
            if standings.take(filed) { return beginAnew() }
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
        if isNew, decided.contains(filed.trip) || merged.contains(filed.trip) {
            // Decisions about it that came before the report hold from now on.
            return beginAnew()
        }
        if isNew, let member = cluster.members[filed.trip] {
            standings.add(member)
            groups.add(member)
        }
        if standings.take(filed) { return beginAnew() }
        if changesGroup(by: filed) || isNew && filed.trip == id { return regroup() }
        guard shown.contains(filed.trip) else { return [] }
        let decision = filed.decision
        return details.apply(decision, routine: cluster.routines[decision.order])
    }

    /// Folds all decisions so far again.
    private mutating func beginAnew() -> [DetailsFold.FieldStep] {
        let known = taken.compactMap { concerning($0) }
        restored = TripGroups.restored(by: known)
        standings = MergeStandings(of: cluster, having: present, restored: restored)
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
            guard case .tripsMerged(let merge) = filed.decision.event.body,
                !groups.isUndone(filed.decision)
            else { continue }
            merged.formUnion(merge.trips)
        }
        return regroup()
    }

    /// Finds out which decisions describe the trip, now that trips were united or parted.
    private mutating func regroup() -> [DetailsFold.FieldStep] {
        figures = [:]
        guard let trip = present[id]?.trip else { return [] }
        let trips = trips(withOne: id)
        lead = trips.first?.id
        shown = lead == id ? Set(trips.map(\.id)) : [id]
        let former = details.fields
        let shownTrip = figures(of: id) ?? trip
        let parts = lead == id ? trips.map(\.id) : [id]
        details = cluster.detailsFold(of: shownTrip, parts: parts)
        if let application = application(to: shownTrip, of: parts) { details.apply(application) }
        for filed in taken {
            if unites(filed.decision) { details.endWithLastPart() }
            guard shown.contains(filed.trip), DetailsFold.concerns(filed.decision) else { continue }
            details.apply(filed.decision, routine: cluster.routines[filed.decision.order])
        }
        return Self.steps(from: former, to: details.fields)
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
        return Look(
            status: status,
            distance: isPart ? shown.distance : group.adjusted ?? shown.distance,
            endedAt: shown.endedAt?.timestamp,
            mergedInto: isPart ? first : nil
        )
    }

    private func lead(of trip: TripID, _ group: TripGroups.Group) -> TripID {
        if trip == id || trip == lead, let lead { return lead }
        return trips(withOne: trip).first?.id ?? trip
    }
}

extension TripHistory {
    /// Returns what became of a trip's status and distance; there is always a line for what the
    /// decision says.
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
            old: old.flatMap { value($0.distance) },
            new: value(new.distance)
        )
        let isStatusShown = setsStatus || old != nil && status.old != status.new
        let isDistanceShown = setsDistance || distance.old != distance.new
        return (isStatusShown ? [status] : []) + (isDistanceShown ? [distance] : [])
    }

    /// Returns what became of the trip's details.
    private func detailChanges(
        _ old: TripDetails,
        _ oldRoutine: String?,
        _ steps: [DetailsFold.FieldStep]
    ) -> [FieldChange] {
        let routine = FieldChange(
            ifOther: "routine",
            old: oldRoutine.map(CustomValue.text),
            new: details.routine.map(CustomValue.text)
        )
        let fields = steps.compactMap { step -> FieldChange? in
            guard let name = (step.new ?? step.old)?.key else { return nil }
            return FieldChange(
                ifOther: "fields." + name,
                old: step.old?.value,
                new: step.new?.value
            )
        }
        return (routine.map { [$0] } ?? []) + old.plainChanges(to: details.plain) + fields
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
    private mutating func tieChanges(
        by filed: BookedCluster.Filed,
        isOwn: Bool
    ) -> [FieldChange] {
        switch filed.decision.event.body {
        case .tripsMerged where isOwn, .tripSplit where isOwn, .stretchExcluded where isOwn:
            ties.append(filed.decision)
            return [Self.tie(filed.decision, isUndone: false)].compactMap(\.self)
        case .tripRestored:
            let isUndone = { (tie: Decision) in tie.namedTrips.contains(filed.trip) }
            let undone = ties.filter(isUndone).compactMap { Self.tie($0, isUndone: true) }
            if !undone.isEmpty { ties.removeAll(where: isUndone) }
            return undone
        default:
            return []
        }
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
