import TripEvents
import TripTracking

/// One change of the book while it is worked out: entries as they were and as they will be.
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

    /// The entries that were looked at.
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
            try lodgeAgain(in: spans.compactMap(\.self), rows)
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
                try lodge(decision, about: id, rows)
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

    /// Sets the versions of a routine that was looked at.
    mutating func setRoutine(_ name: String, _ versions: RoutineVersions) {
        routines[Array(name.utf8)]?.after = versions
    }

    /// The routines that were looked at, as they were.
    var routinesBefore: [[UInt8]: RoutineVersions] { routines.mapValues(\.before) }

    /// The routines that were looked at, as they will be.
    var routinesAfter: [[UInt8]: RoutineVersions] { routines.mapValues(\.after) }
}

// Decisions about trips that have gone are attached to the trip that was under way when the gone
// one started.
extension BookDraft {
    /// Attaches or takes back the decisions that name a trip which came or went.
    private mutating func settle<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        wasPresent: Bool,
        _ rows: borrowing Rows
    ) throws {
        let entry = try entry(id, rows)
        guard entry.isPresent != wasPresent else { return }
        for filed in entry.isPresent ? entry.filed : entry.lost {
            try move(filed.decision, about: id, to: nil, rows)
            if !entry.isPresent { try lodge(filed.decision, about: id, rows) }
        }
    }

    /// Attaches the lost decisions again whose trips started within some spans, in which the
    /// measured trips have changed.
    private mutating func lodgeAgain<Rows: RowStore & ~Copyable>(
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
                    try lodge(filed.decision, about: id, rows)
                }
            }
        }
    }

    /// Attaches a lost decision to the trip under way when the gone one started, if there is one.
    ///
    /// What was decided about a part that a split made goes with the split: while that does not
    /// stand, it is about no other trip, least of all about the whole.
    private mutating func lodge<Rows: RowStore & ~Copyable>(
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
