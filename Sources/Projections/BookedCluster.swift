import Geodesy
package import TripEvents
package import TripTracking

/// Trips that merges and splits tie together, with all decisions that hold for them.
///
/// It is the pure function from measured trips and decisions to booked trips. Decisions are folded
/// in event order. A merge stands until one of its trips is restored; a decision about a
/// part that comes after the merge concerns the merged trip. Trips that were voided before a merge
/// take no part in it.
struct BookedCluster {
    /// A decision and the trip that it is about.
    struct Filed {
        let trip: TripID
        let decision: Decision
    }

    /// Trips that stand as one, as of the decisions folded so far.
    struct Group {
        var members: [TripID]
        var isVoided = false
        var adjusted: Distance?
    }

    /// The trips, by id.
    let entries: [TripID: BookEntry]

    /// All decisions in event order; a merge stands here once for each of its trips.
    private let filed: [Filed]

    /// For each restored trip, the last time it was.
    private let restored: [TripID: EventOrder]

    /// The versions of every routine that a decision applies.
    let routines: [[UInt8]: RoutineVersions]

    /// The trips that stand as one.
    private(set) var groups: [Group]

    /// Creates the cluster of some entries; those without a trip are left out.
    init(_ entries: [BookEntry], routines: [[UInt8]: RoutineVersions]) {
        let present = entries.filter(\.isPresent)
        self.entries = Dictionary(uniqueKeysWithValues: present.map { ($0.id, $0) })
        self.routines = routines
        filed =
            present.flatMap { entry in
                entry.decisions.map { Filed(trip: entry.id, decision: $0) }
            }
            .sorted { $0.decision < $1.decision }
        var restored: [TripID: EventOrder] = [:]
        for filed in filed {
            if case .tripRestored = filed.decision.event.body {
                restored[filed.trip] = filed.decision.order
            }
        }
        self.restored = restored
        groups = present.map { Group(members: [$0.id]) }
        for filed in filed {
            fold(filed)
        }
    }

    /// The booked trips, by id.
    var bookedTrips: [TripID: BookedTrip] {
        var booked: [TripID: BookedTrip] = [:]
        for group in groups {
            let members = inOrderOfStart(group.members)
            for trip in members {
                booked[trip.id] = self.booked(group, lead: members[0], trip, among: members)
            }
        }
        return booked
    }

    /// Returns the decisions about some trips in event order, each once.
    func decisions(about trips: [TripID]) -> [Filed] {
        var decisions: [Filed] = []
        for filed in filed where trips.contains(filed.trip) {
            if decisions.last?.decision.order != filed.decision.order {
                decisions.append(filed)
            }
        }
        return decisions
    }

    /// Returns whether a merge or split was undone by restoring one of its trips.
    func isUndone(_ decision: Decision) -> Bool {
        decision.namedTrips.contains { trip in
            restored[trip].map { $0 > decision.order } ?? false
        }
    }

    /// Returns the routine that a decision applies, as it was then.
    func routine(appliedBy decision: Decision) -> Routine? {
        decision.appliedRoutine.flatMap {
            routines[Array($0.utf8)]?.routine(at: decision.order)
        }
    }

    /// Returns what the recorder or a person says of a trip, before any decision about it.
    func trip(_ id: TripID) -> Trip? {
        guard let entry = entries[id] else { return nil }
        if let measured = entry.measured { return measured }
        guard let decision = entry.reporting, let report = decision.report else { return nil }
        return Trip(report, by: decision)
    }

    private mutating func fold(_ filed: Filed) {
        guard let index = groups.firstIndex(where: { $0.members.contains(filed.trip) }) else {
            return
        }
        switch filed.decision.event.body {
        case .tripVoided:
            groups[index].isVoided = true
        case .distanceAdjusted(let adjustment):
            groups[index].adjusted = Distance(nearestTo: adjustment.distanceMeters)
        case .tripRestored:
            groups[index].isVoided = false
            groups[index].adjusted = nil
        case .tripsMerged(let merge) where !isUndone(filed.decision):
            unite(merge.trips)
        default:
            break
        }
    }

    /// Makes one group of those that hold some trips, but for the voided ones.
    private mutating func unite(_ trips: [TripID]) {
        let isTaken = { (group: Group) in
            !group.isVoided && group.members.contains { trips.contains($0) }
        }
        let parts = groups.filter(isTaken)
        guard parts.count > 1 else { return }
        var united = Group(members: parts.flatMap(\.members))
        if parts.contains(where: { $0.adjusted != nil }) {
            united.adjusted = parts.map(claimedDistance).reduce(.zero, +)
        }
        groups.removeAll(where: isTaken)
        groups.append(united)
    }

    private func claimedDistance(of group: Group) -> Distance {
        group.adjusted ?? group.members.compactMap { trip($0)?.distance }.reduce(.zero, +)
    }

    private func inOrderOfStart(_ trips: [TripID]) -> [Trip] {
        trips.compactMap(trip)
            .sorted {
                ($0.startedAt.timestamp, $0.id) < ($1.startedAt.timestamp, $1.id)
            }
    }

    /// Returns one trip of a group as booked: the first one shows the figures of all.
    private func booked(
        _ group: Group,
        lead: Trip,
        _ trip: Trip,
        among members: [Trip]
    ) -> BookedTrip {
        let isLead = trip.id == lead.id
        let shown = isLead ? members : [trip]
        let figures =
            shown.count > 1 ? Trip(merging: lead, with: Array(members.dropFirst())) : trip
        var booked = BookedTrip(figures)
        booked.isMeasured = shown.allSatisfy { entries[$0.id]?.measured != nil }
        if members.count > 1 {
            booked.flags.insert(.merged)
            if isLead { booked.parts = members.map(\.id) }
        }
        if !isLead {
            booked.status = .merged
            booked.mergedInto = lead.id
        } else {
            if group.isVoided { booked.status = .voided }
            booked.adjusted = group.adjusted
            if group.adjusted != nil { booked.flags.insert(.adjusted) }
        }
        if let report = entries[trip.id]?.reporting?.report {
            booked.origin = report.origin
            booked.destination = report.destination
            booked.importedFrom = report.importedFrom
        }
        describe(&booked, by: decisions(about: shown.map(\.id)))
        return booked
    }

    private func describe(_ booked: inout BookedTrip, by decisions: [Filed]) {
        var fold = DetailsFold(vehicle: booked.trip.vehicle)
        for filed in decisions {
            let decision = filed.decision
            switch decision.event.body {
            case .detailsEdited: booked.flags.insert(.edited)
            case .entriesErased: booked.flags.insert(.erased)
            case .tripSplit where !isUndone(decision): booked.flags.insert(.split)
            default: break
            }
            guard DetailsFold.concerns(decision) else { continue }
            fold.apply(decision, routine: routine(appliedBy: decision))
            let at = decision.recordedAt
            let before = booked.detailsRecorded
            booked.detailsRecorded = Trip.Recorded(
                firstAt: before.map { min($0.firstAt, at) } ?? at,
                lastAt: before.map { max($0.lastAt, at) } ?? at
            )
        }
        booked.details = fold.details
        booked.routine = fold.routine
    }
}

extension Trip {
    /// Creates the trip that is made of several, given in order of their starts: the first one's
    /// id and start, the last one's end, and everything measured together.
    ///
    /// The way between two parts was not measured and is a gap. The sampling interval is that of
    /// the part that was sampled most sparsely: the merged distance is no better than its worst.
    package init(merging first: Trip, with others: [Trip]) {
        self = first
        var last = first
        for part in others {
            addGap(from: last, to: part)
            distance += part.distance
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
            flags.formUnion(part.flags)
            vehicle = vehicle ?? part.vehicle
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
    }
}
