import RowCoding
import TripEvents
import TripTracking

// The routines, the places and the trips decide which routines apply by themselves: if one of them
// changes, this is found out again.
extension BookDraft {
    /// Returns whether a routine applies to a trip by itself.
    mutating func followsRule<Rows: OrderedRowStore & ~Copyable>(
        _ trip: Trip?,
        _ rows: borrowing Rows
    ) throws -> Bool {
        guard let trip else { return false }
        return try rules(rows).application(to: trip, saidAs: SaidEnds()) != nil
    }

    /// Returns the routines that apply by themselves.
    mutating func rules<Rows: OrderedRowStore & ~Copyable>(
        _ rows: borrowing Rows
    ) throws -> RoutineRules {
        if let rules { return rules }
        let rules = try RoutineRules(in: rows)
        self.rules = rules
        return rules
    }

    /// Notes that routines that apply by themselves, or the places between which they do, are
    /// others now.
    ///
    /// - Parameters:
    ///   - instant: the start of the first trip that it concerns; `nil` for the first one that any
    ///     such routine does.
    ///   - rows: the book's rows.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    mutating func noteRulesRevised<Rows: OrderedRowStore & ~Copyable>(
        from instant: Timestamp?,
        in rows: inout Rows
    ) throws {
        rules = nil
        guard let since = try rules(rows).since else { return }
        // What was decided about a reported trip says where it goes: it is booked with all of that.
        let reported = BookKey.reports(from: max(instant ?? since, since))
        for row in try rows.rows(in: reported, isDescending: false, limit: .max) {
            let key = BookKey.due(BookKey.trip(endOf: row.key))
            try rows.put(BookKey.mark, key: key, orderKey: key)
            hasLeftWork = true
        }
        let first = BookKey.start(max(instant ?? since, since))
        let noted = try rows.value(forKey: BookKey.rulesRevised)
        guard noted.map({ first.lexicographicallyPrecedes($0) }) ?? true else { return }
        try rows.put(first, key: BookKey.rulesRevised, orderKey: BookKey.rulesRevised)
        hasLeftWork = true
    }

    /// Finds out again which routines apply by themselves to trips that this may have changed for,
    /// and books these: about `limit` of them, or until about as many have changed.
    ///
    /// - Returns: whether none is left.
    mutating func takeRevisedRules<Rows: OrderedRowStore & ~Copyable>(
        upTo limit: Int,
        in rows: inout Rows
    ) throws -> Bool {
        guard let first = try rows.value(forKey: BookKey.rulesRevised) else { return true }
        var keys = BookKey.starts(from: first)
        var count = 0
        while max(count, changes.count) < limit {
            let page = try rows.rows(in: keys, isDescending: false, limit: 64)
            guard let last = page.last else {
                try rows.remove(key: BookKey.rulesRevised)
                return true
            }
            for row in page { try applyRules(to: BookKey.trip(endOf: row.key), in: &rows) }
            try bookCheapTrips(in: &rows)
            keys.from = last.key + [0]
            count += page.count
        }
        try rows.put(keys.from, key: BookKey.rulesRevised, orderKey: BookKey.rulesRevised)
        hasLeftWork = true
        return false
    }

    private mutating func applyRules<Rows: OrderedRowStore & ~Copyable>(
        to id: TripID,
        in rows: inout Rows
    ) throws {
        let old = try entry(id, rows)
        let followsRule = try followsRule(old.measured, rows)
        // Trips that are merged go elsewhere than each of them.
        guard followsRule || old.followsRule || old.isTied else { return }
        try noteDue(id, in: &rows)
    }
}
