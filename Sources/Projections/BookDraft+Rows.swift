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
            try writeHours(id, slot, to: &rows)
            lost += try writeWeeks(id, slot, to: &rows)
            try writeOrphans(id, slot, to: &rows)
        }
        try count(lost, in: &rows)
    }

    private func writeHours<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ slot: Slot,
        to rows: inout Rows
    ) throws {
        let before = slot.before.measured.map { BookKey.hour(of: $0.startedAt.timestamp) }
        let after = slot.after.measured.map { BookKey.hour(of: $0.startedAt.timestamp) }
        guard before != after else { return }
        for (hour, isListed) in [(before, false), (after, true)] {
            guard let hour else { continue }
            let key = BookKey.trips(hour: hour)
            _ = try TripList.set(id, isListed: isListed, key: key, in: &rows)
        }
    }

    /// Returns by how much the number of weeks grows that list the trip as lost.
    private func writeWeeks<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ slot: Slot,
        to rows: inout Rows
    ) throws -> Int64 {
        let before = Self.weeks(of: slot.before)
        let after = Self.weeks(of: slot.after)
        for week in before.symmetricDifference(after) {
            let isListed = after.contains(week)
            let key = BookKey.lost(week: week)
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

    private static func weeks(of entry: BookEntry) -> Set<Int64> {
        Set(entry.lost.compactMap { $0.decision.tripStartedAt.map(BookKey.week) })
    }

    private static func orphans(of entry: BookEntry) -> Set<OrphanedDecision> {
        Set(
            entry.lost.filter { $0.host == nil }
                .map { OrphanedDecision($0.decision, of: entry.id) }
        )
    }
}
