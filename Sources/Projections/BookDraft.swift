import RowCoding
import TripEvents
import TripTracking

/// One change of the book before it is written: the entries that it reads or changes, as they were
/// and as they will be.
struct BookDraft {
    /// An entry before and after the change.
    struct Slot {
        let before: BookEntry
        var after: BookEntry

        /// Whether the trip's own decisions are the same but its routine is not.
        var isTouched = false

        var isChanged: Bool { isTouched || before != after }
    }

    /// A routine before and after the change.
    private struct RoutineSlot {
        let before: RoutineVersions
        var after: RoutineVersions
    }

    /// The entries that were read.
    private(set) var slots: [TripID: Slot] = [:]

    private var routines: [[UInt8]: RoutineSlot] = [:]

    /// Creates a draft that changes nothing.
    init() {}

    /// Returns an entry as it will be.
    mutating func entry<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ rows: borrowing Rows
    ) throws -> BookEntry {
        if let slot = slots[id] { return slot.after }
        let stored = try rows.value(forKey: BookKey.entry(id))
        let entry = try stored.map { try BookEntry(id, decoding: $0) } ?? BookEntry(id)
        slots[id] = Slot(before: entry, after: entry)
        return entry
    }

    /// Notes that a trip is to be booked again although its entry is the same.
    mutating func touch<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ rows: borrowing Rows
    ) throws {
        _ = try entry(id, rows)
        slots[id]?.isTouched = true
    }

    /// Sets, or with `nil` withdraws, the trip as the tracker derives it.
    mutating func setMeasured<Rows: RowStore & ~Copyable>(
        _ trip: Trip?,
        of id: TripID,
        _ rows: borrowing Rows
    ) throws {
        var entry = try entry(id, rows)
        let old = entry.measured
        guard old != trip else { return }
        let wasPresent = entry.isPresent
        entry.measured = trip
        slots[id]?.after = entry
        try settle(id, wasPresent: wasPresent, rows)
        let spans = [old.map(TripSpan.init), trip.map(TripSpan.init)]
        if spans[0] != spans[1] {
            try attachAgain(in: spans.compactMap(\.self), rows)
        }
    }

    /// Files a decision under the trips that it is about.
    mutating func file<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        _ rows: borrowing Rows
    ) throws {
        let made = decision.madeTrip
        for id in decision.namedTrips + (made.map { [$0] } ?? []) {
            var entry = try entry(id, rows)
            let wasPresent = entry.isPresent
            guard entry.file(decision) else { continue }
            slots[id]?.after = entry
            try settle(id, wasPresent: wasPresent, rows)
            guard !entry.isPresent else { continue }
            if id == made {
                for lost in entry.lost { try move(lost.decision, about: id, to: nil, rows) }
            } else {
                try attach(decision, about: id, rows)
            }
        }
    }

    /// Returns the versions of a routine as they were and as they will be.
    mutating func routine<Rows: RowStore & ~Copyable>(
        _ name: String,
        _ rows: borrowing Rows
    ) throws -> (before: RoutineVersions, after: RoutineVersions) {
        let key = Array(name.utf8)
        if let slot = routines[key] { return (slot.before, slot.after) }
        let stored = try rows.value(forKey: BookKey.routine(name))
        let versions = try stored.map { try RoutineVersions(decoding: $0) } ?? RoutineVersions()
        routines[key] = RoutineSlot(before: versions, after: versions)
        return (versions, versions)
    }

    /// Sets the versions of a routine that was read.
    mutating func setRoutine(_ name: String, _ versions: RoutineVersions) {
        routines[Array(name.utf8)]?.after = versions
    }

    /// The routines that were read, as they were.
    var routinesBefore: [[UInt8]: RoutineVersions] { routines.mapValues(\.before) }

    /// The routines that were read, as they will be.
    var routinesAfter: [[UInt8]: RoutineVersions] { routines.mapValues(\.after) }
}

// A decision about a trip that does not exist any more is attached to the trip that was under way
// when the missing one started.
extension BookDraft {
    /// Attaches or takes back the decisions that name a trip which has appeared or disappeared.
    private mutating func settle<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        wasPresent: Bool,
        _ rows: borrowing Rows
    ) throws {
        let entry = try entry(id, rows)
        guard entry.isPresent != wasPresent else { return }
        for filed in entry.isPresent ? entry.filed : entry.lost {
            try move(filed.decision, about: id, to: nil, rows)
            if !entry.isPresent { try attach(filed.decision, about: id, rows) }
        }
    }

    /// Attaches lost decisions again: those whose trips started within spans in which the measured
    /// trips have changed.
    private mutating func attachAgain<Rows: RowStore & ~Copyable>(
        in spans: [TripSpan],
        _ rows: borrowing Rows
    ) throws {
        guard try rows.value(forKey: BookKey.lostCount) != nil else { return }
        for period in Set(spans.flatMap(\.periods)) {
            for id in try TripList.trips(in: rows.value(forKey: BookKey.lost(period: period))) {
                for filed in try entry(id, rows).lost {
                    guard let startedAt = filed.decision.tripStartedAt,
                        spans.contains(where: { $0.contains(startedAt) })
                    else { continue }
                    try attach(filed.decision, about: id, rows)
                }
            }
        }
    }

    /// Attaches a lost decision to the trip under way when the missing one started, if there is
    /// one.
    ///
    /// A decision about a part that a split made is never attached to another trip: it holds again
    /// when the split does.
    private mutating func attach<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        about id: TripID,
        _ rows: borrowing Rows
    ) throws {
        guard let startedAt = decision.tripStartedAt, try !entry(id, rows).isMadeBySplit else {
            return
        }
        try move(decision, about: id, to: try trip(at: startedAt, rows), rows)
    }

    private mutating func move<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        about id: TripID,
        to host: TripID?,
        _ rows: borrowing Rows
    ) throws {
        let filed = try entry(id, rows).filed.first { $0.decision.order == decision.order }
        guard let filed, filed.host != host else { return }
        if let old = filed.host {
            _ = try entry(old, rows)
            slots[old]?.after.release(decision)
        }
        if let host {
            _ = try entry(host, rows)
            slots[host]?.after.adopt(decision)
        }
        slots[id]?.after.setHost(host, of: decision)
    }

    /// Returns the measured trip under way at an instant: of several the one that started last, and
    /// of these the one with the lowest id.
    private mutating func trip<Rows: RowStore & ~Copyable>(
        at instant: Timestamp,
        _ rows: borrowing Rows
    ) throws -> TripID? {
        var best = latestStart(of: Array(slots.keys), at: instant)
        let latest = BookKey.hour(of: instant)
        for hour in stride(from: latest, through: latest - BookKey.reachHours, by: -1) {
            let trips = try TripList.trips(in: rows.value(forKey: BookKey.trips(hour: hour)))
            for id in trips {
                _ = try entry(id, rows)
            }
            if let found = latestStart(of: trips, at: instant) {
                best = best.map { min($0, found) } ?? found
                break
            }
        }
        return best?.id
    }

    private func latestStart(of trips: [TripID], at instant: Timestamp) -> Candidate? {
        trips.compactMap { id in
            slots[id]?.after.measured.map(TripSpan.init)
                .flatMap { $0.contains(instant) ? Candidate(start: $0.start, id: id) : nil }
        }
        .min()
    }

    /// A trip that a decision can be attached to; the least one is the best.
    private struct Candidate: Comparable {
        let start: Timestamp
        let id: TripID

        static func < (left: Candidate, right: Candidate) -> Bool {
            (right.start, left.id) < (left.start, right.id)
        }
    }
}

extension BookDraft {
    /// Writes the changed entries and their indices to the book's rows.
    func write<Rows: RowStore & ~Copyable>(to rows: inout Rows) throws {
        var lost: Int64 = 0
        for (id, slot) in slots where slot.before != slot.after {
            let key = BookKey.entry(id)
            if slot.after.isEmpty {
                try rows.remove(key: key)
            } else {
                try rows.put(slot.after.encoded, key: key, orderKey: key)
            }
            try writeHour(id, slot, to: &rows)
            if slot.before.filed.isEmpty, slot.after.filed.isEmpty { continue }
            lost += try writePeriods(id, slot, to: &rows)
            try writeOrphans(id, slot, to: &rows)
        }
        try count(lost, in: &rows)
    }

    /// Moves the trip between the lists of the measured trips that start in an hour.
    private func writeHour<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ slot: Slot,
        to rows: inout Rows
    ) throws {
        let before = slot.before.measured.map { BookKey.hour(of: $0.startedAt.timestamp) }
        let after = slot.after.measured.map { BookKey.hour(of: $0.startedAt.timestamp) }
        guard before != after else { return }
        if let before {
            let key = BookKey.trips(hour: before)
            _ = try TripList.set(id, isListed: false, key: key, in: &rows)
        }
        if let after {
            let key = BookKey.trips(hour: after)
            _ = try TripList.set(id, isListed: true, key: key, in: &rows)
        }
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
            var reader = try RowDecoder(stored, version: 1)
            count = try reader.readAmount()
        }
        var writer = RowEncoder(version: 1)
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

/// The time that a measured trip takes, for finding the trip under way at an instant: from its
/// start to its end, at most two days.
struct TripSpan: Hashable {
    /// When the trip started.
    let start: Timestamp

    /// The last instant of the span.
    let end: Timestamp

    /// Creates the span of a trip; an active one has no end yet.
    init(_ trip: Trip) {
        start = trip.startedAt.timestamp
        let limit = start.advanced(byMilliseconds: BookKey.reachHours * 3_600_000)
        end = trip.endedAt.map { min($0.timestamp, limit) } ?? limit
    }

    /// The periods that the span touches (see ``BookKey``).
    var periods: ClosedRange<Int64> {
        let first = BookKey.period(of: start)
        return first...max(first, BookKey.period(of: end))
    }

    /// Returns whether an instant lies in the span.
    func contains(_ instant: Timestamp) -> Bool {
        start <= instant && instant <= end
    }
}
