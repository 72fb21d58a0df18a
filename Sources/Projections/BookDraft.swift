import RowCoding
import TripEvents
import TripTracking

/// Changes of the book that are not all written yet: the entries that they read or change, and the
/// trips that are to be booked again.
///
/// Decisions are filed at once, each in rows of its own. What follows from all decisions about a
/// trip is found out once, however many of them came: ``bookCheapTrips(in:)`` does it where that is
/// little work, ``bookTrips(upTo:in:)`` at the end of a run for all others.
package struct BookDraft: Sendable {
    /// An entry as it is stored and as it will be.
    struct Slot {
        var stored: BookEntry
        var entry: BookEntry
    }

    /// The entries that were read.
    var slots: [TripID: Slot] = [:]

    /// The decisions whose trips were not there when they were filed, by trip: most trips come with
    /// the same run.
    var unfound: [TripID: [Decision]] = [:]

    /// The trips that are to be booked again.
    var due: Set<TripID> = []

    /// Whether the book's rows note trips or routines that are still to be booked, or splits to be
    /// settled.
    package internal(set) var hasLeftWork = false

    /// What has changed since it was asked for last.
    var changes: [BookChange] = []

    /// The routines that apply by themselves; `nil` if they were not needed yet, or have changed.
    var rules: RoutineRules?

    /// How many lost decisions say when their trips started, as stored and as it will be; `nil` if
    /// that was not needed yet.
    var lostCount: (stored: Int64, now: Int64)?

    /// Creates a draft that changes nothing.
    package init() {}

    /// Returns what has changed, and forgets it.
    mutating func takeChanges() -> [BookChange] {
        defer { changes = [] }
        return changes
    }

    /// Notes a change of something else than a trip.
    mutating func note(_ change: RoutineChange) {
        changes.append(.routine(change))
    }

    /// Returns an entry as it will be.
    mutating func entry<Rows: OrderedRowStore & ~Copyable>(
        _ id: TripID,
        _ rows: borrowing Rows
    ) throws -> BookEntry {
        if let slot = slots[id] { return slot.entry }
        let stored = try rows.value(forKey: BookKey.entry(id))
        let entry = try stored.map { try BookEntry(id, decoding: $0) } ?? BookEntry(id)
        slots[id] = Slot(stored: entry, entry: entry)
        return entry
    }

    /// Sets, or with `nil` withdraws, the trip as the tracker derives it.
    mutating func setMeasured<Rows: OrderedRowStore & ~Copyable>(
        _ trip: Trip?,
        of id: TripID,
        in rows: inout Rows
    ) throws {
        let old = try entry(id, rows)
        guard old.measured != trip else { return }
        let mayGoByOdometer = trip?.mayGoByOdometer ?? false
        let followsRule = try followsRule(trip, rows)
        if mayGoByOdometer || followsRule { try noteDue(id, in: &rows) }
        slots[id]?.entry.measured = trip
        slots[id]?.entry.followsRule = followsRule
        if old.isBookedAsMeasured, !due.contains(id) {
            // Nearly every trip is without decisions and booked as it was measured.
            let change = TripChange(
                old: old.measured.map { BookedTrip($0) },
                new: trip.map { BookedTrip($0) }
            )
            changes.append(.trip(change))
        } else {
            due.insert(id)
        }
        if let measured = old.measured, measured.mayGoByOdometer {
            for key in odometerEndKeys(of: measured) { try rows.remove(key: key) }
        }
        if mayGoByOdometer, let trip {
            for key in odometerEndKeys(of: trip) {
                try rows.put(BookKey.mark, key: key, orderKey: key)
            }
        }
        let spans = [old.measured.map(TripSpan.init), trip.map(TripSpan.init)]
        if spans[0] != spans[1] {
            if let span = spans[0] { try rows.remove(key: BookKey.start(span.start, id)) }
            if let span = spans[1] {
                let key = BookKey.start(span.start, id)
                try rows.put(span.encoded, key: key, orderKey: key)
            }
        }
        if old.isCut, (old.measured == nil) != (trip == nil) { try noteUnsettled(id, in: &rows) }
        try settle(id, of: trip?.group ?? old.group, wasPresent: old.isPresent, in: &rows)
        if spans[0] != spans[1] {
            try attachAgain(in: spans.compactMap(\.self), in: &rows)
        }
    }

    /// Files a decision under the trips that it is about.
    mutating func file<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        in rows: inout Rows
    ) throws {
        let made = decision.madeTrip
        let filed = FiledDecision(decision)
        for id in decision.namedTrips + (made.map { [$0] } ?? []) {
            let old = try entry(id, rows)
            let key = BookKey.filed(id, decision.order)
            if old.filedCount > 0, try rows.value(forKey: key) != nil { continue }
            try noteDue(id, in: &rows)
            slots[id]?.entry.count(decision)
            let new = try entry(id, rows)
            if decision.bearsOnCuts, new.isCut {
                try noteUnsettled(id, in: &rows)
            }
            try rows.put(filed, key: key)
            if new.isPresent(for: decision) {
                // A decision that makes its trip is lost at no time; those before it may be.
                if old.filedCount > 0 {
                    try settle(id, of: new.group, wasPresent: old.isPresent, in: &rows)
                }
            } else if id != made {
                unfound[id, default: []].append(decision)
            } else if old.filedCount > 0 {
                for lost in try decisions(filedUnder: id, rows)
                where new.isSplitOff(for: lost.decision) {
                    try move(lost, about: id, to: nil, in: &rows)
                }
            }
        }
    }

    /// Notes that the decisions about a trip change; from now on it says how it was booked last.
    mutating func noteDue<Rows: OrderedRowStore & ~Copyable>(
        _ id: TripID,
        in rows: inout Rows
    ) throws {
        let entry = try entry(id, rows)
        if entry.isBookedAsMeasured, !due.contains(id) {
            try Self.write(entry.measured.map { BookedTrip($0) }, of: id, in: &rows)
        }
        due.insert(id)
    }

    /// Notes that the splits of a trip may take effect elsewhere than before, or not any more.
    mutating func noteUnsettled<Rows: OrderedRowStore & ~Copyable>(
        _ id: TripID,
        in rows: inout Rows
    ) throws {
        let key = BookKey.unsettled(id)
        try rows.put(BookKey.mark, key: key, orderKey: key)
        hasLeftWork = true
    }

    /// Returns the decisions that name or make a trip, in event order.
    func decisions<Rows: OrderedRowStore & ~Copyable>(
        filedUnder id: TripID,
        _ rows: borrowing Rows
    ) throws -> [FiledDecision] {
        try rows.rows(in: KeyRange(prefix: BookKey.filed(id)), isDescending: false, limit: .max)
            .map { try FiledDecision(decoding: $0.value) }
    }
}

extension BookDraft {
    /// Writes the changed entries to the book's rows.
    mutating func writeEntries<Rows: OrderedRowStore & ~Copyable>(to rows: inout Rows) throws {
        for (id, slot) in slots where slot.stored != slot.entry {
            let key = BookKey.entry(id)
            if slot.entry.isEmpty {
                try rows.remove(key: key)
            } else {
                try rows.put(slot.entry.encoded, key: key, orderKey: key)
            }
            slots[id]?.stored = slot.entry
        }
        guard let count = lostCount, count.stored != count.now else { return }
        lostCount = (count.now, count.now)
        if count.now > 0 {
            var writer = RowEncoder(version: 1)
            writer.write(count.now)
            try rows.put(writer.bytes, key: BookKey.lostCount, orderKey: BookKey.lostCount)
        } else {
            try rows.remove(key: BookKey.lostCount)
        }
    }
}
