import TripEvents
import TripTracking

extension BookDraft {
    /// Puts the changed entries, and what they are found by, into the book's rows.
    func write<Rows: RowStore & ~Copyable>(to rows: inout Rows) throws {
        var lost: Int64 = 0
        for (id, slot) in slots where slot.before != slot.after {
            let key = BookKey.entry(id)
            if slot.after.isEmpty {
                try rows.remove(key: key)
            } else {
                try rows.put(slot.after.encoded, key: key, orderKey: key)
            }
            let trips = (slot.before.measured, slot.after.measured)
            try SoleTrip.list(id, from: trips.0, to: trips.1, in: &rows)
            lost += try writePeriods(id, slot, to: &rows)
            try writeOrphans(id, slot, to: &rows)
        }
        try count(lost, in: &rows)
    }

    /// Returns by how much the number of periods grows that list the trip as lost.
    private func writePeriods<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ slot: Slot,
        to rows: inout Rows
    ) throws -> Int64 {
        let before = Self.periods(of: slot.before)
        let after = Self.periods(of: slot.after)
        for period in before.symmetricDifference(after) {
            let isListed = after.contains(period)
            let key = BookKey.lost(period: period)
            _ = try TripList.set(id, isListed: isListed, key: key, in: &rows)
        }
        return Int64(after.count - before.count)
    }

    private func writeOrphans<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ slot: Slot,
        to rows: inout Rows
    ) throws {
        let before = Self.orphans(of: slot.before)
        let after = Self.orphans(of: slot.after)
        for orphan in before.subtracting(after) {
            try rows.remove(key: orphan.key)
        }
        for orphan in after.subtracting(before) {
            try rows.put(orphan.encoded, key: orphan.key, orderKey: orphan.key)
        }
    }

    private func count<Rows: RowStore & ~Copyable>(_ more: Int64, in rows: inout Rows) throws {
        guard more != 0 else { return }
        let key = BookKey.lostCount
        var count: Int64 = 0
        if let stored = try rows.value(forKey: key) {
            var reader = try StateReader(stored, version: 1)
            count = try reader.readAmount()
        }
        var writer = StateWriter(version: 1)
        writer.write(count + more)
        if count + more > 0 {
            try rows.put(writer.bytes, key: key, orderKey: key)
        } else {
            try rows.remove(key: key)
        }
    }

    private static func periods(of entry: BookEntry) -> Set<Int64> {
        Set(entry.lost.compactMap { $0.decision.tripStartedAt.map(BookKey.period) })
    }

    private static func orphans(of entry: BookEntry) -> Set<OrphanedDecision> {
        Set(
            entry.lost.filter { $0.host == nil }
                .map { OrphanedDecision($0.decision, of: entry.id) }
        )
    }
}
