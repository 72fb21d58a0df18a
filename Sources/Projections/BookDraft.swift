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
    private struct Slot {
        var stored: BookEntry
        var entry: BookEntry
    }

    /// The entries that were read.
    private var slots: [TripID: Slot] = [:]

    /// The decisions whose trips were not there when they were filed, by trip: most trips come with
    /// the same run.
    private var unfound: [TripID: [Decision]] = [:]

    /// The trips that are to be booked again.
    var due: Set<TripID> = []

    /// Whether the book's rows note trips or routines that are still to be booked, or splits to be
    /// settled.
    package internal(set) var hasLeftWork = false

    /// What has changed since it was asked for last.
    var changes: [BookChange] = []

    /// How many lost decisions say when their trips started, as stored and as it will be; `nil` if
    /// that was not needed yet.
    private var lostCount: (stored: Int64, now: Int64)?

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
        if mayGoByOdometer { try noteDue(id, in: &rows) }
        slots[id]?.entry.measured = trip
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
        try settle(id, wasPresent: old.isPresent, in: &rows)
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
            if new.isPresent {
                // A decision that makes its trip is lost at no time; those before it may be.
                if old.filedCount > 0 { try settle(id, wasPresent: old.isPresent, in: &rows) }
            } else if id != made {
                unfound[id, default: []].append(decision)
            } else if old.filedCount > 0 {
                for lost in try decisions(filedUnder: id, rows) {
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

// A decision about a trip that does not exist any more is attached to the trip that was under way
// when the missing one started.
extension BookDraft {
    /// Attaches or takes back the decisions that name a trip which has appeared or disappeared.
    private mutating func settle<Rows: OrderedRowStore & ~Copyable>(
        _ id: TripID,
        wasPresent: Bool,
        in rows: inout Rows
    ) throws {
        let entry = try entry(id, rows)
        guard entry.isPresent != wasPresent, entry.filedCount > 0 else { return }
        unfound[id] = nil
        for filed in try decisions(filedUnder: id, rows) {
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
            try rows.put(OrphanedDecision(decision, of: id))
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
    private mutating func attachAgain<Rows: OrderedRowStore & ~Copyable>(
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
        guard let startedAt = decision.tripStartedAt, try entry(id, rows).splitFrom == nil else {
            return nil
        }
        return try Self.trip(at: startedAt, rows)
    }

    /// Attaches a lost decision to another trip, or with `nil` to none.
    private mutating func move<Rows: OrderedRowStore & ~Copyable>(
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
            try rows.put(OrphanedDecision(decision, of: id))
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

    /// Returns the measured trip under way at an instant: of several the one that started last, and
    /// of these the one with the lowest id.
    private static func trip<Rows: OrderedRowStore & ~Copyable>(
        at instant: Timestamp,
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

extension RowStore where Self: ~Copyable {
    /// Stores a filed decision.
    fileprivate mutating func put(_ filed: FiledDecision, key: [UInt8]) throws(Failure) {
        try put(filed.encoded, key: key, orderKey: key)
    }

    /// Stores an orphan.
    fileprivate mutating func put(_ orphan: OrphanedDecision) throws(Failure) {
        try put(orphan.encoded, key: orphan.key, orderKey: orphan.key)
    }
}
