import Projections
import RoutinesProjection
import SystemPackage
import TripEvents
import TripTracking
package import TripsProjection

/// The event that a decision is, with every name looked up in one snapshot.
struct DecisionResolution {
    /// The content of the event.
    var body: EventBody

    /// The trip that it is about, of several the first.
    var trip: TripID?

    /// The group that this trip belongs to; `nil` for the owner's, or if it is about no trip.
    var group: String?

    /// When it happens, if the decision itself says so.
    var time: EventTime?

    /// The odometer readings to append with it, each with its time.
    var readings: [(at: EventTime, read: OdometerRead)] = []
}

extension Snapshot {
    /// Looks up what a decision names, and checks it against what is there.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - time: When it is decided, or from when on it holds; `nil` for `now`.
    ///   - now: When the ledger stores it.
    ///   - group: The group of sources that it is for alone; `nil` for all.
    /// - Returns: The event's content, and what it is about.
    /// - Throws: `.notFound` if something that it names is not there, `.ambiguous` if a name may
    ///   mean several trips, `.notMergeable`, `.notSplittable`, `.notExcludable` or
    ///   `.nothingToRecover` if the trips do not allow it, `.tooManyPlaces`; `.damaged`,
    ///   `.inputOutput`.
    func resolve(
        _ decision: LedgerDecision,
        at time: Timestamp? = nil,
        now: Timestamp,
        for group: String? = nil
    ) throws(LedgerError) -> DecisionResolution {
        switch decision {
        case .edit(let trip, let edit):
            let (asked, trip) = try meant(trip, at: time ?? now, for: group)
            let edited = DetailsEdited(edit, of: trip.id, from: trip.startedAt)
            return DecisionResolution(body: .detailsEdited(edited), trip: asked, group: trip.group)
        case .applyRoutine(let name, let trip):
            let (asked, trip) = try meant(trip, at: time ?? now, for: group)
            try expectRoutine(name, for: trip.group)
            let applied = RoutineApplied(
                trip: trip.id,
                tripStartedAt: trip.startedAt,
                routine: name
            )
            return DecisionResolution(body: .routineApplied(applied), trip: asked)
        case .adjust(let trip, let meters, let why):
            let (asked, trip) = try meant(trip, at: time ?? now, for: group)
            let adjusted = DistanceAdjusted(
                trip: trip.id,
                tripStartedAt: trip.startedAt,
                distanceMeters: meters,
                why: why
            )
            return DecisionResolution(body: .distanceAdjusted(adjusted), trip: asked)
        case .void(let trip, let why):
            let (asked, trip) = try meant(trip, at: time ?? now, for: group)
            let voided = TripVoided(trip: trip.id, tripStartedAt: trip.startedAt, why: why)
            return DecisionResolution(body: .tripVoided(voided), trip: asked)
        case .restore(let trip, let why):
            let (asked, trip) = try meantToRestore(trip, at: time ?? now, for: group)
            let restored = TripRestored(trip: trip.id, tripStartedAt: trip.startedAt, why: why)
            return DecisionResolution(body: .tripRestored(restored), trip: asked)
        case .merge(let trips, let why): return try resolveMerge(of: trips, why: why, for: group)
        case .split(let trip, let time, let why):
            return try resolveSplit(of: trip, at: time, why: why, for: group)
        case .exclude(let trip, let from, let to, let why):
            return try resolveExclusion(of: trip, from: from, to: to, why: why, for: group)
        case .recover(let what, let trip, let source):
            let open = try openTrip(trip, source: source, now: now, for: group)
            let decided = RecoveryDecided(
                trip: open.id,
                tripStartedAt: open.startedAt,
                decision: what
            )
            return DecisionResolution(body: .recoveryDecided(decided), trip: open.id)
        case .reportTrip(let report, let odometer):
            return try resolve(report, by: odometer, for: group)
        case .saveRoutine, .removeRoutine, .savePlace, .removePlace, .registerVehicle,
            .readOdometer, .recordExpense, .voidExpense, .defineField, .adoptRules, .loadRates,
            .shiftClock, .changeSettings:
            return try resolveSetting(decision, now: now, for: group)
        }
    }

    /// Returns the trip that a decision asks about, and the one that its event names: for a part of
    /// a merged trip the one that shows the whole.
    ///
    /// So the event shows that the person who decided knew of the merge: an event that names
    /// another part was made without knowing of it. A decision for a time before the merge is about
    /// the part.
    private func meant(
        _ reference: TripReference,
        at time: Timestamp,
        for group: String?
    ) throws(LedgerError) -> (asked: TripID, named: Trip) {
        let asked = try trip(reference, for: group)
        guard let lead = asked.booked.mergedInto,
            try decisions(about: asked.trip.id)
                .contains(where: { decision in
                    decision.event.body.kind == .tripsMerged && decision.event.occurredAt <= time
                })
        else { return (asked.trip.id, asked.trip) }
        return (asked.trip.id, try trip(.named(lead), for: group).trip)
    }

    /// Returns the trip that a restoring asks about, and the one that its event names: the whole
    /// only if that was voided or adjusted, because restoring any part undoes the merge.
    private func meantToRestore(
        _ reference: TripReference,
        at time: Timestamp,
        for group: String?
    ) throws(LedgerError) -> (asked: TripID, named: Trip) {
        let (asked, named) = try meant(reference, at: time, for: group)
        let shown = try trip(.named(named.id), for: group).booked
        let isDecided = shown.status == .voided || shown.adjusted != nil
        return (asked, isDecided ? named : try trip(.named(asked), for: group).trip)
    }

    private func resolveMerge(
        of references: [TripReference],
        why: String?,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        var rows: [TripRow] = []
        for reference in references { rows.append(try trip(reference, for: group)) }
        rows.sort { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
        if let refusal = LedgerError(merging: rows.map(\.booked)) { throw refusal }
        let merged = TripsMerged(trips: rows.map(\.trip.id), why: why)
        return DecisionResolution(body: .tripsMerged(merged), trip: rows.first?.trip.id)
    }

    private func resolveSplit(
        of reference: TripReference,
        at time: TripTime,
        why: String?,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let row = try trip(reference, for: group)
        if let refusal = LedgerError(splitting: row.booked) { throw refusal }
        func refuse(_ obstacle: DecisionObstacle) -> LedgerError {
            LedgerError(obstacle, about: row.trip.id, deciding: .tripSplit)
        }
        let (start, end) = told(row.trip)
        guard !time.isUnclear(onTripFrom: start, to: end) else {
            throw refuse(.hasUnclearTimes(start: start))
        }
        let splitAt = time.time(onTripFrom: start, to: end)
        guard let splitAt, try canSplit(row.trip.id, at: splitAt.timestamp) else {
            throw refuse(.isElsewhere(at: splitAt, start: start, end: end))
        }
        let split = TripSplit(
            trip: row.trip.id,
            tripStartedAt: row.trip.startedAt,
            splitAt: splitAt,
            why: why
        )
        return DecisionResolution(body: .tripSplit(split), trip: row.trip.id)
    }

    /// Returns when a trip started and ended, as its clock tells it: what people who decide about
    /// it read.
    func told(_ trip: Trip) -> (start: EventTime, end: EventTime?) {
        (trip.startedAt.told(by: clock), trip.endedAt?.told(by: clock))
    }

    private func resolveExclusion(
        of reference: TripReference,
        from: TripTime,
        to: TripTime,
        why: String,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        let row = try trip(reference, for: group)
        if let refusal = LedgerError(excludingFrom: row.booked) { throw refusal }
        func refuse(_ obstacle: DecisionObstacle) -> LedgerError {
            LedgerError(obstacle, about: row.trip.id, deciding: .stretchExcluded)
        }
        let (start, end) = told(row.trip)
        guard ![from, to].contains(where: { $0.isUnclear(onTripFrom: start, to: end) }) else {
            throw refuse(.hasUnclearTimes(start: start))
        }
        let times = (from.time(onTripFrom: start, to: end), to.time(onTripFrom: start, to: end))
        if let first = times.0, let last = times.1, first.timestamp >= last.timestamp {
            throw refuse(.isBackwards(from: first, to: last))
        }
        guard let first = times.0, let last = times.1,
            try hasDistance(row.trip.id, from: first.timestamp, to: last.timestamp)
        else { throw refuse(.hasNothingMeasured) }
        let exclusion = StretchExcluded(
            trip: row.trip.id,
            tripStartedAt: row.trip.startedAt,
            from: first,
            to: last,
            why: why
        )
        return DecisionResolution(body: .stretchExcluded(exclusion), trip: row.trip.id)
    }

    /// Returns whether the fixes after one time up to another add to a trip's distance.
    private func hasDistance(
        _ trip: TripID,
        from: Timestamp,
        to: Timestamp
    ) throws(LedgerError) -> Bool {
        try asking {
            guard let row = try store.tripRow(trip) else { throw missing(trip) }
            var explainer = TripExplainer(trackers(), upTo: head.size)
            guard let passed = try explainer.pass(row.trip) else { throw missing(trip) }
            return passed.events.contains { event in
                event.adds && from < event.happenedAt && event.happenedAt <= to
            }
        }
    }

    /// Returns the trip that is named, or without a name, the only trip that is recovering, or else
    /// the only one that goes on.
    private func openTrip(
        _ reference: TripReference?,
        source: String?,
        now: Timestamp,
        for group: String?
    ) throws(LedgerError) -> Trip {
        let named = try reference.map { reference throws(LedgerError) in
            try trip(reference, for: group).trip
        }
        let id = named?.id
        if let source { try requireSource(named: source) }
        let selection = (source ?? named?.source).map { SourceSelection.named($0) } ?? .readable
        let status = try status(asOf: now, of: selection)
        let open = status.sources.compactMap(\.live.trip)
            .filter { group == nil || $0.group.hasSameBytes(as: group) }
        let recovering = status.sources.filter { $0.live.phase == .recovering }
            .compactMap(\.live.trip)
            .filter { group == nil || $0.group.hasSameBytes(as: group) }
        let candidates =
            id.map { id in open.filter { $0.id == id } } ?? (recovering.isEmpty ? open : recovering)
        guard let trip = candidates.first else {
            let what = id.map { "trip \($0.shortText) is not going on" } ?? "no trip is going on"
            throw LedgerError(
                .nothingToRecover,
                at: path.string,
                cause: "\(what), so there is nothing to recover",
                hint: "See what is going on with `ledger status`. A trip that should not count is "
                    + "voided with `ledger void`"
            )
        }
        guard candidates.count == 1 else {
            let names = candidates.map { "\($0.id.shortText) of \($0.source)" }
            throw LedgerError(
                .ambiguous,
                at: path.string,
                cause: "several trips are going on: \(names.joined(separator: ", "))",
                hint: "Name one of them by its id, or its source with --source"
            )
        }
        return trip
    }

    /// Returns the trip that is named, if the person may decide about it: a source of a group
    /// decides about trips of its group alone.
    ///
    /// - Throws: As ``trip(_:)``; `.notFound` if it belongs to another group.
    package func trip(
        _ reference: TripReference,
        for group: String?
    ) throws(LedgerError) -> TripRow {
        let row = try trip(reference, of: group)
        guard let group, !row.trip.group.hasSameBytes(as: group) else { return row }
        throw LedgerError(
            .notFound,
            at: path.string,
            cause:
                "trip \(row.trip.id.shortText) does not belong to the group \(Excerpt.of(group)), "
                + "which decides about its own trips only",
            hint:
                "List its trips with `ledger trips \(ShellWord.option("--group", group))`, or "
                + "decide without --group"
        )
    }

    /// Returns the trip that is named; the last one, and the one that goes on, is that of a group.
    private func trip(
        _ reference: TripReference,
        of group: String?
    ) throws(LedgerError) -> TripRow {
        guard let group else { return try trip(reference) }
        var filter = TripFilter(limit: 1, group: GroupSelection(group))
        switch reference {
        case .prefix: return try trip(reference)
        case .last: break
        case .active: filter.status = .active
        }
        if let row = try trips(filter).first { return row }
        return try trip(reference)
    }

    /// Throws, with the names that there are, if there is no routine of a name for a group.
    func expectRoutine(_ name: String, for group: String?) throws(LedgerError) {
        let routines = try routines()
        guard routines.routine(named: name, for: group) == nil else { return }
        let names = routines.routines(for: group).map(\.routine.name)
        throw LedgerError(noRoutine: name, among: names, at: path)
    }
}

extension TripID {
    /// The first eight digits, as messages show a trip.
    var shortText: Substring { description.prefix(8) }
}

extension LedgerError {
    /// Says that a decision is refused: it would not mean what it says.
    ///
    /// - Parameters:
    ///   - obstacle: Why.
    ///   - trip: The trip that is in the way.
    ///   - kind: The kind of the event that says the decision.
    init(_ obstacle: DecisionObstacle, about trip: TripID, deciding kind: EventKind) {
        let code: Code =
            switch kind {
            case .tripsMerged: .notMergeable
            case .tripSplit: .notSplittable
            default: .notExcludable
            }
        self.init(
            code,
            at: Self.tripPlace + trip.shortText,
            cause: obstacle.cause(by: nil),
            hint: obstacle.hint(about: trip, deciding: kind)
        )
    }

    /// Refuses to merge trips, given in order of their starts, or returns `nil` if they can be one.
    init?(merging trips: [BookedTrip]) {
        guard let found = DecisionObstacle.toMerging(trips.map { MergePart($0) }) else {
            return nil
        }
        self.init(found.obstacle, about: found.trip, deciding: .tripsMerged)
    }

    /// Refuses to split a trip at any time, or returns `nil` if nothing is known that hinders it.
    init?(splitting booked: BookedTrip) {
        guard let obstacle = DecisionObstacle.toSplitting(booked) else { return nil }
        self.init(obstacle, about: booked.id, deciding: .tripSplit)
    }

    /// Refuses to exclude anything from a trip, or returns `nil` if nothing is known that hinders
    /// it.
    init?(excludingFrom booked: BookedTrip) {
        guard let obstacle = DecisionObstacle.toExcluding(from: booked) else { return nil }
        self.init(obstacle, about: booked.id, deciding: .stretchExcluded)
    }
}
