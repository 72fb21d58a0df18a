import RowCoding
import TripEvents
package import TripTracking

// A decision about a trip that does not exist any more is attached to the trip of its own group
// that was under way when the missing one started. For a decision from a source of a group the
// trips of other groups do not exist.
extension TripBook {
    /// Attaches or takes back the decisions that name a trip of a group which has appeared or
    /// disappeared, of those that concern the group.
    mutating func settle(_ id: TripID, of group: String?, wasPresent: Bool) throws {
        let entry = try entry(id)
        guard entry.isPresent != wasPresent, entry.filedCount > 0 else { return }
        let others = unfound[id]?.filter { !$0.concerns(group) } ?? []
        unfound[id] = others.isEmpty ? nil : others
        for filed in try decisions(filedUnder: id) where filed.decision.concerns(group) {
            if entry.isPresent {
                try find(filed, about: id)
            } else {
                try lose(filed.decision, about: id)
            }
        }
    }

    /// Attaches the decisions that were filed since and whose trips are still not there.
    mutating func attachUnfound() throws {
        let unfound = unfound
        self.unfound = [:]
        for (id, decisions) in unfound {
            for decision in decisions { try lose(decision, about: id) }
        }
    }

    /// Lists a decision that names a trip which is not there, and was not listed before, and
    /// attaches it to another trip if there is one.
    private mutating func lose(_ decision: Decision, about id: TripID) throws {
        guard decision.namedTrips.contains(id) else { return }
        if let startedAt = decision.tripStartedAt {
            let key = BookKey.lost(startedAt, id, decision.order)
            rows.put(BookKey.mark, key: key)
            try countLost(1)
        }
        if let host = try newHost(of: decision, about: id) {
            try adopt(decision, about: id, by: host)
        } else {
            rows.put(DecisionWithoutEffect(decision, of: id))
        }
    }

    /// Takes a decision from the lost ones, now that its trip is there.
    private mutating func find(_ filed: FiledDecision, about id: TripID) throws {
        let decision = filed.decision
        guard decision.namedTrips.contains(id) else { return }
        if let startedAt = decision.tripStartedAt {
            let key = BookKey.lost(startedAt, id, decision.order)
            // The decision that makes the trip was never lost.
            guard try rows.value(forKey: key) != nil else { return }
            rows.remove(key: key)
            try countLost(-1)
        }
        try move(filed, about: id, to: nil)
        rows.remove(key: BookKey.orphan(decision, of: id))
    }

    /// Attaches lost decisions again: those whose trips started within spans in which the measured
    /// trips have changed.
    mutating func attachAgain(in spans: [TripSpan]) throws {
        guard try countLost(0) > 0 else { return }
        for span in spans {
            let keys = KeyRange(
                from: BookKey.lost(span.start),
                upTo: BookKey.lost(span.end.advanced(byMilliseconds: 1))
            )
            for row in try rows.rows(in: keys) {
                let key = BookKey.filed(ofLost: row.key)
                guard let stored = try rows.value(forKey: key) else { continue }
                let id = BookKey.trip(endOf: Array(key.prefix(17)))
                let lost = try FiledDecision(decoding: stored)
                try move(lost, about: id, to: newHost(of: lost.decision, about: id))
            }
        }
    }

    /// Returns the trip under way when a missing one started, to which a lost decision is attached;
    /// `nil` if there is none.
    ///
    /// A decision about a part that a split made is never attached to another trip: it holds again
    /// when the split does.
    private mutating func newHost(of decision: Decision, about id: TripID) throws -> TripID? {
        guard let startedAt = decision.tripStartedAt,
            try !entry(id).isSplitOff(for: decision)
        else { return nil }
        return try trip(at: startedAt, of: decision.group)
    }

    /// Returns a decision that has no effect with the trip from which a split made the missing one.
    ///
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    package func tracingSplit(
        of decision: DecisionWithoutEffect
    ) throws -> DecisionWithoutEffect {
        guard decision.obstacle == .isMissing, let trip = decision.trip else { return decision }
        var book = self
        let entry = try book.entry(trip)
        var traced = decision
        traced.splitFrom = entry.isSplitOff(for: decision.decision) ? entry.splitFrom : nil
        return traced
    }

    /// Returns whether a decision without effect is still wanted.
    ///
    /// An erasure is not, because it stands whatever became of the trip; nor is a merge that was
    /// taken back although one of its trips has gone.
    func isWanted(_ decision: Decision, _ restored: inout LastRestorations) throws -> Bool {
        switch decision.event.body.kind {
        case .entriesErased: return false
        case .tripsMerged:
            return try !decision.namedTrips.contains { trip in
                try restored.of(trip, in: self)
                    .contains { $0.order > decision.order && $0.concerns(decision.group) }
            }
        default: return true
        }
    }

    /// Attaches a lost decision to another trip, or with `nil` to none.
    mutating func move(_ filed: FiledDecision, about id: TripID, to host: TripID?) throws {
        guard filed.host != host else { return }
        let decision = filed.decision
        if let old = filed.host {
            try noteDue(old)
            slots[old]?.entry.adoptedCount -= 1
            rows.remove(key: BookKey.adopted(old, decision.order))
        }
        if let host {
            try adopt(decision, about: id, by: host)
            if filed.host == nil { rows.remove(key: BookKey.orphan(decision, of: id)) }
        } else {
            rows.put(FiledDecision(decision), key: BookKey.filed(id, decision.order))
            rows.put(DecisionWithoutEffect(decision, of: id))
        }
    }

    /// Attaches a lost decision, which is attached to no trip, to one.
    private mutating func adopt(_ decision: Decision, about id: TripID, by host: TripID) throws {
        try noteDue(host)
        slots[host]?.entry.adoptedCount += 1
        rows.put(FiledDecision(decision), key: BookKey.adopted(host, decision.order))
        rows.put(FiledDecision(decision, host: host), key: BookKey.filed(id, decision.order))
    }

    /// Returns the measured trip of a group under way at an instant: of several the one that
    /// started last, and of these the one with the lowest id.
    private func trip(at instant: Timestamp, of group: String?) throws -> TripID? {
        let earliest = instant.advanced(byMilliseconds: -BookKey.reachMilliseconds)
        var keys = KeyRange(
            from: BookKey.start(earliest),
            upTo: BookKey.start(instant.advanced(byMilliseconds: 1))
        )
        var best: (start: Timestamp, id: TripID)?
        var limit = 4
        while true {
            let page = try rows.rows(in: keys, isDescending: true, limit: limit)
            for row in page {
                let span = try TripSpan(start: BookKey.instant(in: row.key), decoding: row.value)
                if let best, best.start != span.start { return best.id }
                guard span.group.hasSameBytes(as: group) else { continue }
                if span.contains(instant) { best = (span.start, BookKey.trip(endOf: row.key)) }
            }
            guard page.count == limit, let last = page.last else { return best?.id }
            keys.upTo = last.key
            limit = min(4 * limit, 256)
        }
    }

    /// Returns how many lost decisions say when their trips started, after counting more.
    @discardableResult
    private mutating func countLost(_ more: Int64) throws -> Int64 {
        var count: (stored: Int64, now: Int64)
        if let lostCount {
            count = lostCount
        } else {
            count = (0, 0)
            if let stored = try rows.value(forKey: BookKey.lostCount) {
                var reader = try RowDecoder(stored, version: 1)
                let value = try reader.readAmount()
                count = (value, value)
            }
        }
        count.now += more
        lostCount = count
        return count.now
    }
}

/// The last decision of each group to restore a trip, of the trips that were asked about: many
/// merges may name one trip, and each of them is filed under it.
struct LastRestorations {
    private var known: [TripID: [Decision]] = [:]

    /// Returns the last of each group, of those about a trip.
    fileprivate mutating func of(_ trip: TripID, in book: TripBook) throws -> [Decision] {
        if let found = known[trip] { return found }
        var last: [Decision] = []
        for filed in try book.decisions(filedUnder: trip) {
            let decision = filed.decision
            guard decision.event.body.kind == .tripRestored else { continue }
            let earlier = last.firstIndex { $0.group.hasSameBytes(as: decision.group) }
            if let earlier { last[earlier] = decision } else { last.append(decision) }
        }
        known[trip] = last
        return last
    }
}

// The routines, the places and the trips decide which routines apply by themselves: if one of them
// changes, this is found out again.
extension TripBook {
    /// Returns whether a routine applies to a trip by itself.
    mutating func followsRule(_ trip: Trip?) throws -> Bool {
        guard let trip else { return false }
        return try rules().application(to: trip, saidAs: SaidEnds()) != nil
    }

    /// Returns the routines that apply by themselves.
    mutating func rules() throws -> RoutineRules {
        if let knownRules { return knownRules }
        let rules = try RoutineRules(in: rows)
        knownRules = rules
        return rules
    }

    /// Notes that the routines that apply by themselves, or the places in their patterns, have
    /// changed.
    ///
    /// - Parameter instant: the start of the first trip that this concerns; `nil` for the first
    ///   trip that any such routine concerns.
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    mutating func noteRulesRevised(from instant: Timestamp?) throws {
        knownRules = nil
        guard let since = try rules().since else { return }
        // Decisions about a reported trip may say where it goes, so it is booked with all of them.
        let reported = BookKey.reports(from: max(instant ?? since, since))
        for row in try rows.rows(in: reported) {
            let key = BookKey.due(BookKey.trip(endOf: row.key))
            rows.put(BookKey.mark, key: key)
            hasLeftWork = true
        }
        let first = BookKey.start(max(instant ?? since, since))
        let noted = try rows.value(forKey: BookKey.rulesRevised)
        guard noted.map({ first.lexicographicallyPrecedes($0) }) ?? true else { return }
        rows.put(first, key: BookKey.rulesRevised)
        hasLeftWork = true
    }

    /// Determines again which routines apply by themselves, for trips for which that may have
    /// changed, and books these trips: until about `limit` were looked at, or about as many have
    /// changed.
    ///
    /// - Returns: whether none is left.
    mutating func takeRevisedRules(upTo limit: Int) throws -> Bool {
        guard let first = try rows.value(forKey: BookKey.rulesRevised) else { return true }
        var keys = BookKey.starts(from: first)
        var count = 0
        while max(count, changes.count) < limit {
            let page = try rows.rows(in: keys, limit: 64)
            guard let last = page.last else {
                rows.remove(key: BookKey.rulesRevised)
                return true
            }
            for row in page { try applyRules(to: BookKey.trip(endOf: row.key)) }
            try bookCheap()
            keys.from = last.key + [0]
            count += page.count
        }
        rows.put(keys.from, key: BookKey.rulesRevised)
        hasLeftWork = true
        return false
    }

    private mutating func applyRules(to id: TripID) throws {
        let old = try entry(id)
        let followsRule = try followsRule(old.measured)
        // A merged trip has other ends than each of its parts.
        guard followsRule || old.followsRule || old.isTied else { return }
        try noteDue(id)
    }
}

// A trip that is known by GO and STOP alone takes its distance from the odometer of its vehicle:
// the difference of the readings at both presses. Readings are looked up by the very instants of
// the presses, so that nothing else has to be known: neither other trips nor other readings can lie
// between.
extension TripBook {
    /// Notes that trips are to be booked again, because the odometer readings for them have
    /// changed.
    mutating func noteDue(_ trips: [TripID]) throws {
        for trip in trips { try noteDue(trip) }
    }

    /// The keys under which a trip that may take its distance from the odometer is found.
    func odometerEndKeys(of trip: Trip) -> [[UInt8]] {
        [trip.startedAt, trip.endedAt].compactMap(\.self)
            .map { BookKey.odometerEnd($0.timestamp, trip.id) }
    }

    /// Returns what the odometer of its vehicle showed at both ends of a trip, if that is known.
    ///
    /// Its vehicle is the one that the presses name, whatever people say later: what was measured
    /// does not depend on decisions. If they name none, it is the only one that was read at both.
    func odometerSpan(of trip: Trip) throws -> OdometerSpan? {
        guard let endedAt = trip.endedAt?.timestamp else { return nil }
        let first = try readings(at: trip.startedAt.timestamp, of: trip.group)
        let last = try readings(at: endedAt, of: trip.group)
        let names = Set(first.names).intersection(last.names)
        guard let vehicle = trip.vehicle ?? (names.count == 1 ? names.first : nil) else {
            return nil
        }
        return OdometerSpan(
            from: first.readings(of: vehicle, for: trip.group),
            to: last.readings(of: vehicle, for: trip.group)
        )
    }

    /// Returns the odometer readings of a group and of the owner at an instant, with their
    /// corrections.
    private func readings(at instant: Timestamp, of group: String?) throws -> VehicleBook {
        let made = BookKey.decisions(on: .vehicles, at: instant)
        let corrections = BookKey.corrections(of: instant)
        let decisions = try [made, corrections]
            .flatMap { keys in
                try rows.rows(in: keys)
                    .map { try DecisionTopic.decision(decoding: $0.value) }
            }
        // Only readings of that instant count, not those of another one; a correction is found
        // under both.
        let readings = Set(decisions)
            .filter { decision in
                guard case .odometerRead(let reading) = decision.event.body,
                    decision.concerns(group)
                else { return false }
                let readAt = reading.corrects?.timestamp ?? decision.order.occurredAt
                return readAt == instant
            }
        return VehicleBook(Array(readings))
    }
}

extension Trip {
    /// Whether it is known from GO and STOP alone, so that its distance may come from odometer
    /// readings at both presses.
    package var mayGoByOdometer: Bool {
        abandonReason == .noPosition && endedBy == .press && endedAt != nil
    }

    /// The same trip with the distance that an odometer showed: it is completed, not abandoned.
    package func going(by odometer: OdometerSpan) -> Trip {
        var trip = self
        trip.distance = odometer.distance
        trip.status = .completed
        trip.abandonReason = nil
        return trip
    }
}
