import Geodesy
package import TripEvents
package import TripTracking

/// Trips that merges and splits tie together, with all decisions that hold for them.
///
/// It is the pure function from measured trips and decisions to booked trips. Decisions are folded
/// in event order. A merge stands until one of its trips is restored; a decision about a
/// part that comes after the merge concerns the merged trip. A person who knows of the merge names
/// its first trip. So a later decision that names another part, and voids it or gives it a vehicle
/// that differs from another part's, was made without knowing of the merge, which then has no
/// effect: see ``MergeStandings``. A decision that cannot stand has no effect: see
/// ``DecisionObstacle``.
struct BookedCluster {
    /// A trip id of the cluster with the decisions about it, in event order.
    struct Member {
        /// The book's entry of the trip.
        let entry: BookEntry

        /// The decisions that name the trip or were attached to it.
        var decisions: [Decision]

        /// The decisions about it that have no effect, whatever other decisions there are;
        /// `decisions` does not hold them.
        private(set) var leftOut: [DecisionWithoutEffect] = []

        /// The report of the trip, and the decision that made it.
        let report: (report: TripReported, decision: Decision)?

        /// The odometer readings at both ends of a trip about which nothing else is known.
        var odometer: OdometerSpan?

        /// Takes the decisions about a trip, in event order.
        init(entry: BookEntry, decisions: [Decision]) {
            self.entry = entry
            self.decisions = decisions
            report =
                !entry.isReported
                ? nil
                : decisions.lazy
                    .compactMap { decision in
                        guard decision.madeTrip == entry.id else { return nil }
                        return decision.report.map { ($0, decision) }
                    }
                    .first
        }

        /// Leaves out the decisions to which there is an obstacle.
        mutating func leaveOut(
            because obstacle: (Decision) throws -> DecisionObstacle?
        ) rethrows {
            try decisions.removeAll { decision in
                guard let obstacle = try obstacle(decision) else { return false }
                leftOut.append(DecisionWithoutEffect(decision, about: entry.id, obstacle))
                return true
            }
        }

        /// How the report of the trip calls its ends; nothing for a measured one.
        var saidEnds: SaidEnds {
            SaidEnds(
                origin: report?.report.origin,
                destination: report?.report.destination,
                originAddress: report?.report.originAddress,
                destinationAddress: report?.report.destinationAddress
            )
        }

        /// The trip as the recorder or a person reported it, before any decision about it.
        var trip: Trip? {
            guard let measured = entry.measured else {
                return report.map { Trip($0.report, by: $0.decision) }
            }
            return odometer.map { measured.going(by: $0) } ?? measured
        }

        /// Whether a recorder says how far it went.
        var isMeasured: Bool { entry.measured != nil && odometer == nil }
    }

    /// A decision and the trip that it is about.
    struct Filed {
        let trip: TripID
        let decision: Decision

        /// Whether the decision names the trip, and is not attached to it because the trip that it
        /// names has gone.
        var isNamed: Bool { decision.namedTrips.contains(trip) }
    }

    /// All trip ids of the cluster.
    let ids: [TripID]

    /// The routines that decisions apply, as they were then.
    let routines: [EventOrder: Routine]

    /// The routines that apply by themselves.
    let rules: RoutineRules

    /// The trips that there are.
    let members: [TripID: Member]

    /// Creates the cluster of some trip ids; those without a trip are left out.
    init(_ members: [TripID: Member], routines: [EventOrder: Routine], rules: RoutineRules) {
        ids = Array(members.keys)
        self.routines = routines
        self.rules = rules
        self.members = members.filter(\.value.entry.isPresent)
    }

    /// All decisions in event order; a merge stands here once for each of its trips.
    var filed: [Filed] {
        if members.count == 1, let member = members.values.first {
            return member.decisions.map { Filed(trip: member.entry.id, decision: $0) }
        }
        return
            members.values
            .flatMap { member in
                member.decisions.map { Filed(trip: member.entry.id, decision: $0) }
            }
            .sorted { $0.decision < $1.decision }
    }

    /// The booked trips, by id, and the decisions about them that have no effect.
    var booked: (trips: [TripID: BookedTrip], withoutEffect: [DecisionWithoutEffect]) {
        let filed = filed
        let restored = TripGroups.restored(by: filed)
        var standings = MergeStandings(of: self, having: members, restored: restored)
        // Fast path: nearly every trip has nothing to do with another one.
        if members.count > 1 { for filed in filed { _ = standings.take(filed) } }
        var groups = TripGroups(of: self, restored: restored, standings: standings)
        for filed in filed { groups.fold(filed) }
        var booked: [TripID: BookedTrip] = [:]
        for group in groups.all {
            let trips = inOrderOfStart(group.members)
            guard let lead = trips.first else { continue }
            booked[lead.id] = self.booked(group, lead, among: trips, groups)
            for part in trips.dropFirst() {
                booked[part.id] = self.booked(part: part, of: lead, groups)
            }
        }
        let withoutEffect =
            members.values.flatMap(\.leftOut) + groups.withoutEffect(among: filed)
            + filed.compactMap { unheeded($0, groups) }
        return (booked, withoutEffect)
    }

    /// Returns a split or an exclusion that has no effect although it was not undone; `nil` for
    /// every other decision.
    private func unheeded(
        _ filed: Filed,
        _ groups: TripGroups
    ) -> DecisionWithoutEffect? {
        let decision = filed.decision
        guard let member = members[filed.trip], let trip = member.trip,
            filed.trip != decision.madeTrip, !groups.isUndone(decision)
        else { return nil }
        if let named = decision.namedTrips.first, !decision.namedTrips.contains(filed.trip) {
            return cut(of: named, takenOver: filed, groups)
        }
        let obstacle: DecisionObstacle
        switch decision.event.body {
        case .tripSplit(let split) where !divides(decision):
            obstacle = .isElsewhere(at: split.splitAt, start: trip.startedAt, end: trip.endedAt)
        case .stretchExcluded where !takes(from: filed.trip, groups):
            obstacle = .hasNothingMeasured
        default: return nil
        }
        let isReported = member.entry.measured == nil
        return DecisionWithoutEffect(
            decision,
            about: filed.trip,
            isReported ? .isReported : obstacle
        )
    }

    /// Returns a split or an exclusion of a trip that is gone, as a decision without effect on the
    /// trip that has taken its place.
    ///
    /// Returns `nil` for every other decision, for one that was taken back, and if the same was
    /// decided about the new trip.
    ///
    /// Trackers apply splits and exclusions while they measure, and find a trip only by its own id.
    private func cut(
        of gone: TripID,
        takenOver filed: Filed,
        _ groups: TripGroups
    ) -> DecisionWithoutEffect? {
        guard !groups.isRestored(filed.trip, after: filed.decision) else { return nil }
        let isAgain: (Decision) -> Bool
        switch filed.decision.event.body {
        case .tripSplit(let split):
            isAgain = { other in
                guard case .tripSplit(let again) = other.event.body else { return false }
                return again.splitAt.timestamp == split.splitAt.timestamp && divides(other)
            }
        case .stretchExcluded(let exclusion):
            isAgain = { other in
                guard case .stretchExcluded(let again) = other.event.body else { return false }
                return again.from.timestamp <= exclusion.from.timestamp
                    && again.to.timestamp >= exclusion.to.timestamp
            }
        default: return nil
        }
        let isDecidedAgain =
            members[filed.trip]?.decisions
            .contains { other in
                other.namedTrips.first == filed.trip && !groups.isUndone(other) && isAgain(other)
            }
        guard isDecidedAgain == false else { return nil }
        let isReported = members[filed.trip]?.entry.measured == nil
        return DecisionWithoutEffect(
            filed.decision,
            about: filed.trip,
            isReported ? .isReported : .hasTakenPlace(of: gone)
        )
    }

    /// Returns why a split or an exclusion that was taken back had no effect; `nil` if it may have
    /// had one, and for every other decision.
    ///
    /// The trip is whole again, so only its times can show whether there was an obstacle.
    func obstacle(toUndone filed: Filed) -> DecisionObstacle? {
        guard let member = members[filed.trip], let trip = member.trip else { return nil }
        let obstacle: DecisionObstacle
        let from: Timestamp
        let to: Timestamp
        switch filed.decision.event.body {
        case .tripSplit(let split):
            from = split.splitAt.timestamp
            to = from
            obstacle = .isElsewhere(at: split.splitAt, start: trip.startedAt, end: trip.endedAt)
        case .stretchExcluded(let exclusion):
            from = exclusion.from.timestamp
            to = exclusion.to.timestamp
            obstacle = .hasNothingMeasured
        default: return nil
        }
        guard member.entry.measured != nil else { return .isReported }
        // Parts that later splits cut off still belonged to it then.
        let parts = members.values.filter { $0.entry.splitFrom != nil }.compactMap(\.trip)
        let isWithin =
            to > trip.startedAt.timestamp
            && (parts + [trip]).contains { $0.endedAt.map { from < $0.timestamp } ?? true }
        return isWithin ? nil : obstacle
    }

    /// Returns whether exclusions take something from a trip, or from the parts that were split off
    /// from it later.
    private func takes(from trip: TripID, _ groups: TripGroups) -> Bool {
        func isShortened(_ member: Member) -> Bool { (member.trip?.excluded ?? .zero) > .zero }
        // Fast path: few trips are split.
        return members[trip].map(isShortened) ?? false
            || members.values.contains { member in
                isShortened(member) && tripExcluding(from: member.entry.id, groups) == trip
            }
    }

    /// Returns the trip whose standing exclusion concerns a part: the part itself, or the nearest
    /// trip from which it was split off after the exclusion; `nil` if there is none.
    private func tripExcluding(from part: TripID, _ groups: TripGroups) -> TripID? {
        var trip = part
        var splitAt: EventOrder?
        while let member = members[trip] {
            let isExcluding = member.decisions.contains { decision in
                decision.event.body.kind == .stretchExcluded && !groups.isUndone(decision)
                    && (splitAt.map { decision.order < $0 } ?? true)
            }
            if isExcluding { return trip }
            let made = member.decisions
                .first { $0.madeTrip == trip && $0.event.body.kind == .tripSplit }
            guard let split = made?.order else { return nil }
            let whole = members.values.first { other in
                other.entry.id != trip && other.decisions.contains { $0.order == split }
            }
            guard let next = whole?.entry.id else { return nil }
            splitAt = min(splitAt ?? split, split)
            trip = next
        }
        return nil
    }

    /// Whether the trip that a split makes exists.
    private func divides(_ split: Decision) -> Bool {
        split.madeTrip.map { members[$0] != nil } ?? false
    }

    /// Returns the decisions about some trips in event order, each once.
    private func decisions(about trips: [TripID]) -> [Decision] {
        var all = trips.flatMap { members[$0]?.decisions ?? [] }
        if trips.count > 1 { all.sort() }
        var decisions: [Decision] = []
        decisions.reserveCapacity(all.count)
        for decision in all where decisions.last?.order != decision.order {
            decisions.append(decision)
        }
        return decisions
    }

    private func inOrderOfStart(_ trips: [TripID]) -> [Trip] {
        trips.compactMap { members[$0]?.trip }
            .sorted {
                ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id)
            }
    }

    /// Returns the first trip of a group as booked: it shows the figures of all.
    private func booked(
        _ group: TripGroups.Group,
        _ lead: Trip,
        among trips: [Trip],
        _ groups: TripGroups
    ) -> BookedTrip {
        let others = trips.dropFirst()
        var booked = BookedTrip(others.isEmpty ? lead : Trip(merging: lead, with: Array(others)))
        booked.isMeasured = trips.allSatisfy { members[$0.id]?.isMeasured ?? false }
        if trips.contains(where: { members[$0.id]?.odometer != nil }) {
            booked.flags.insert(.odometer)
        }
        if !others.isEmpty {
            booked.flags.insert(.merged)
            booked.parts = trips.map {
                BookedTrip.Part(id: $0.id, startedAt: $0.startedAt, endedAt: $0.endedAt)
            }
        }
        if group.isVoided { booked.status = .voided }
        booked.adjusted = group.adjusted
        if group.adjusted != nil { booked.flags.insert(.adjusted) }
        describe(&booked, as: trips.map(\.id), groups)
        return booked
    }

    /// Returns another trip of a group as booked: a part of the first one.
    private func booked(part: Trip, of lead: Trip, _ groups: TripGroups) -> BookedTrip {
        var booked = BookedTrip(part)
        booked.isMeasured = members[part.id]?.isMeasured ?? false
        if members[part.id]?.odometer != nil { booked.flags.insert(.odometer) }
        booked.flags.insert(.merged)
        booked.status = .merged
        booked.mergedInto = lead.id
        describe(&booked, as: [part.id], groups)
        return booked
    }

    /// Returns the details of a trip without decisions, made of some parts.
    func detailsFold(of trip: Trip, parts: [TripID]) -> DetailsFold {
        DetailsFold(
            TripDetails(pressedFor: trip),
            of: parts.map { ($0, members[$0]?.saidEnds ?? SaidEnds()) }
        )
    }

    /// Returns how the reports of some trips, which stand as one, call its ends.
    static func saidEnds(of parts: [TripID], among members: [TripID: Member]) -> SaidEnds {
        SaidEnds(
            origin: parts.first.flatMap { members[$0]?.saidEnds.origin },
            destination: parts.last.flatMap { members[$0]?.saidEnds.destination },
            originAddress: parts.first.flatMap { members[$0]?.saidEnds.originAddress },
            destinationAddress: parts.last.flatMap { members[$0]?.saidEnds.destinationAddress }
        )
    }

    /// Adds what was said of a trip that shows the figures of some parts.
    private func describe(
        _ booked: inout BookedTrip,
        as parts: [TripID],
        _ groups: TripGroups
    ) {
        booked.importedFrom = parts.first.flatMap { members[$0]?.report?.report.importedFrom }
        var fold = detailsFold(of: booked.trip, parts: parts)
        let said = Self.saidEnds(of: parts, among: members)
        if let application = rules.application(to: booked.trip, saidAs: said) {
            fold.apply(application)
            // The trip has the routine's details as soon as the ledger holds both.
            let at = max(application.decision.recordedAt, booked.trip.recorded.lastAt)
            booked.detailsRecorded = Trip.Recorded(firstAt: at, lastAt: at)
        }
        var split: Set<TripID> = []
        for decision in decisions(about: parts) {
            switch decision.event.body {
            case .tripsMerged where !groups.isUndone(decision): fold.endWithLastPart()
            case .entriesErased: booked.flags.insert(.erased)
            case .tripSplit where divides(decision) && !groups.isUndone(decision):
                split.formUnion(decision.namedTrips)
            default: break
            }
            guard DetailsFold.concerns(decision) else { continue }
            fold.apply(decision, routine: routines[decision.order])
            let at = decision.recordedAt
            let before = booked.detailsRecorded
            booked.detailsRecorded = Trip.Recorded(
                firstAt: before.map { min($0.firstAt, at) } ?? at,
                lastAt: before.map { max($0.lastAt, at) } ?? at
            )
        }
        if !split.isEmpty {
            booked.flags.insert(.split)
            booked.splitFrom = split.contains(booked.id) ? nil : split.min()
        }
        if booked.trip.excluded > .zero {
            booked.flags.insert(.excluded)
            let excluded = parts.compactMap { tripExcluding(from: $0, groups) }
            booked.excludedWith = excluded.contains(where: parts.contains) ? nil : excluded.first
        }
        if fold.isRevised { booked.flags.insert(.edited) }
        if fold.isRoutineByRule { booked.flags.insert(.byRule) }
        booked.details = fold.details
        (booked.origin, booked.destination) = (fold.ends.origin, fold.ends.destination)
        booked.originAddress = fold.ends.originAddress
        booked.destinationAddress = fold.ends.destinationAddress
        booked.routine = fold.routine
        booked.followSaidMode()
    }
}

extension Trip {
    /// Creates the trip that is made of several, given in order of their starts: the first one's
    /// id and start, the last one's end, and everything measured together.
    ///
    /// The way between two parts was not measured and is a gap. The sampling interval is that of
    /// the part that was sampled most sparsely: the merged distance is no better than that of its
    /// worst part.
    package init(merging first: Trip, with others: [Trip]) {
        self = first
        var last = first
        for part in others {
            addGap(from: last, to: part)
            distance += part.distance
            excluded += part.excluded
            gaps.count += part.gaps.count
            gaps.milliseconds += part.gaps.milliseconds
            gaps.distance += part.gaps.distance
            for verdict in Verdict.allCases {
                fixes[verdict] += part.fixes[verdict]
            }
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                part.maximumSpeedMetersPerSecond
            )
            movingMilliseconds += part.movingMilliseconds
            if let sampling = part.samplingMilliseconds {
                samplingMilliseconds = max(samplingMilliseconds ?? 0, sampling)
            }
            evidence.add(part.evidence)
            way.add(part.way)
            flags.formUnion(part.flags)
            vehicle = vehicle ?? part.vehicle
            driver = driver ?? part.driver
            start = start ?? part.start
            recorded.firstAt = min(recorded.firstAt, part.recorded.firstAt)
            recorded.lastAt = max(recorded.lastAt, part.recorded.lastAt)
            if part.endsAfter(last) { last = part }
        }
        endedAt = last.endedAt
        endedBy = last.endedBy
        end = last.end ?? end
        let statuses = [first.status] + others.map(\.status)
        status =
            statuses.contains(.active)
            ? .active : statuses.contains(.completed) ? .completed : .abandoned
        abandonReason = status == .abandoned ? abandonReason : nil
    }

    private mutating func addGap(from earlier: Trip, to later: Trip) {
        guard let endedAt = earlier.endedAt else { return }
        let milliseconds = later.startedAt.timestamp.milliseconds(since: endedAt.timestamp)
        guard milliseconds > 0 else { return }
        gaps.count += 1
        gaps.milliseconds += milliseconds
        if let end = earlier.end, let start = later.start {
            gaps.distance += end.distance(to: start)
        }
    }

    private func endsAfter(_ other: Trip) -> Bool {
        guard let otherEnd = other.endedAt else { return false }
        guard let endedAt else { return true }
        return endedAt.timestamp >= otherEnd.timestamp
    }
}

extension Trip {
    /// Creates the trip that a person reported, in the form of a measured one.
    ///
    /// - Parameters:
    ///   - report: what was reported.
    ///   - decision: the decision that reports it, which names it.
    package init(_ report: TripReported, by decision: Decision) {
        self.init(
            id: TripID(openedBy: decision.order.identity),
            source: decision.event.source,
            group: decision.group,
            vehicle: nil,
            rules: RulesName(version: .v1),
            startedBy: .report,
            startedAt: report.startedAt,
            recorded: Recorded(firstAt: decision.recordedAt, lastAt: decision.recordedAt)
        )
        status = .completed
        endedBy = .report
        endedAt = report.endedAt
        distance = Distance(nearestTo: report.distanceMeters)
        start = Self.position(report.latitude, report.longitude)
        end = Self.position(report.toLatitude, report.toLongitude)
    }

    private static func position(
        _ latitude: ExactDecimal?,
        _ longitude: ExactDecimal?
    ) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
    }
}
