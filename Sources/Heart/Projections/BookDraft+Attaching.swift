import RowCoding
import TripEvents
import TripTracking

// A decision about a trip that does not exist any more is attached to the trip of its own group
// that was under way when the missing one started. For a decision from a source of a group the
// trips of other groups do not exist.
extension BookDraft {
    /// Attaches or takes back the decisions that name a trip of a group which has appeared or
    /// disappeared, of those that concern the group.
    mutating func settle<Rows: OrderedRowStore & ~Copyable>(
        _ id: TripID,
        of group: String?,
        wasPresent: Bool,
        in rows: inout Rows
    ) throws {
        let entry = try entry(id, rows)
        guard entry.isPresent != wasPresent, entry.filedCount > 0 else { return }
        let others = unfound[id]?.filter { !$0.concerns(group) } ?? []
        unfound[id] = others.isEmpty ? nil : others
        for filed in try decisions(filedUnder: id, rows) where filed.decision.concerns(group) {
            if entry.isPresent {
                try find(filed, about: id, in: &rows)
            } else {
                try lose(filed.decision, about: id, in: &rows)
            }
        }
    }

    /// Attaches the decisions that were filed since and whose trips are still not there.
    mutating func attachUnfound<Rows: OrderedRowStore & ~Copyable>(in rows: inout Rows) throws {
        let unfound = unfound
        self.unfound = [:]
        for (id, decisions) in unfound {
            for decision in decisions { try lose(decision, about: id, in: &rows) }
        }
    }

    /// Lists a decision that names a trip which is not there, and was not listed before, and
    /// attaches it to another trip if there is one.
    private mutating func lose<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        about id: TripID,
        in rows: inout Rows
    ) throws {
        guard decision.namedTrips.contains(id) else { return }
        if let startedAt = decision.tripStartedAt {
            let key = BookKey.lost(startedAt, id, decision.order)
            try rows.put(BookKey.mark, key: key, orderKey: key)
            try countLost(1, rows)
        }
        if let host = try host(of: decision, about: id, rows) {
            try adopt(decision, about: id, by: host, in: &rows)
        } else {
            try rows.put(DecisionWithoutEffect(decision, of: id))
        }
    }

    /// Takes a decision from the lost ones, now that its trip is there.
    private mutating func find<Rows: OrderedRowStore & ~Copyable>(
        _ filed: FiledDecision,
        about id: TripID,
        in rows: inout Rows
    ) throws {
        let decision = filed.decision
        guard decision.namedTrips.contains(id) else { return }
        if let startedAt = decision.tripStartedAt {
            let key = BookKey.lost(startedAt, id, decision.order)
            // The decision that makes the trip was never lost.
            guard try rows.value(forKey: key) != nil else { return }
            try rows.remove(key: key)
            try countLost(-1, rows)
        }
        try move(filed, about: id, to: nil, in: &rows)
        try rows.remove(key: BookKey.orphan(decision, of: id))
    }

    /// Attaches lost decisions again: those whose trips started within spans in which the measured
    /// trips have changed.
    mutating func attachAgain<Rows: OrderedRowStore & ~Copyable>(
        in spans: [TripSpan],
        in rows: inout Rows
    ) throws {
        guard try countLost(0, rows) > 0 else { return }
        for span in spans {
            let keys = KeyRange(
                from: BookKey.lost(span.start),
                upTo: BookKey.lost(span.end.advanced(byMilliseconds: 1))
            )
            for row in try rows.rows(in: keys, isDescending: false, limit: .max) {
                let key = BookKey.filed(ofLost: row.key)
                guard let stored = try rows.value(forKey: key) else { continue }
                let id = BookKey.trip(endOf: Array(key.prefix(17)))
                let lost = try FiledDecision(decoding: stored)
                try move(lost, about: id, to: host(of: lost.decision, about: id, rows), in: &rows)
            }
        }
    }

    /// Returns the trip under way when a missing one started, to which a lost decision is attached;
    /// `nil` if there is none.
    ///
    /// A decision about a part that a split made is never attached to another trip: it holds again
    /// when the split does.
    private mutating func host<Rows: OrderedRowStore & ~Copyable>(
        of decision: Decision,
        about id: TripID,
        _ rows: borrowing Rows
    ) throws -> TripID? {
        guard let startedAt = decision.tripStartedAt,
            try !entry(id, rows).isSplitOff(for: decision)
        else { return nil }
        return try Self.trip(at: startedAt, of: decision.group, rows)
    }

    /// Attaches a lost decision to another trip, or with `nil` to none.
    mutating func move<Rows: OrderedRowStore & ~Copyable>(
        _ filed: FiledDecision,
        about id: TripID,
        to host: TripID?,
        in rows: inout Rows
    ) throws {
        guard filed.host != host else { return }
        let decision = filed.decision
        if let old = filed.host {
            try noteDue(old, in: &rows)
            slots[old]?.entry.adoptedCount -= 1
            try rows.remove(key: BookKey.adopted(old, decision.order))
        }
        if let host {
            try adopt(decision, about: id, by: host, in: &rows)
            if filed.host == nil { try rows.remove(key: BookKey.orphan(decision, of: id)) }
        } else {
            try rows.put(FiledDecision(decision), key: BookKey.filed(id, decision.order))
            try rows.put(DecisionWithoutEffect(decision, of: id))
        }
    }

    /// Attaches a lost decision, which is attached to no trip, to one.
    private mutating func adopt<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        about id: TripID,
        by host: TripID,
        in rows: inout Rows
    ) throws {
        try noteDue(host, in: &rows)
        slots[host]?.entry.adoptedCount += 1
        try rows.put(FiledDecision(decision), key: BookKey.adopted(host, decision.order))
        try rows.put(FiledDecision(decision, host: host), key: BookKey.filed(id, decision.order))
    }

    /// Returns the measured trip of a group under way at an instant: of several the one that
    /// started last, and of these the one with the lowest id.
    private static func trip<Rows: OrderedRowStore & ~Copyable>(
        at instant: Timestamp,
        of group: String?,
        _ rows: borrowing Rows
    ) throws -> TripID? {
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
    private mutating func countLost<Rows: OrderedRowStore & ~Copyable>(
        _ more: Int64,
        _ rows: borrowing Rows
    ) throws -> Int64 {
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

extension RowStore where Self: ~Copyable {
    /// Stores a filed decision.
    mutating func put(_ filed: FiledDecision, key: [UInt8]) throws(Failure) {
        try put(filed.encoded, key: key, orderKey: key)
    }

    /// Stores a decision that has no effect.
    mutating func put(_ decision: DecisionWithoutEffect) throws(Failure) {
        try put(decision.encoded, key: decision.key, orderKey: decision.key)
    }
}
