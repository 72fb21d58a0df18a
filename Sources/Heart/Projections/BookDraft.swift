import RowCoding
import TripEvents
package import TripTracking

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

    /// The changes since they were last taken.
    var changes: [BookChange] = []

    /// The routines that apply by themselves; `nil` if they were not needed yet, or have changed.
    var rules: RoutineRules?

    /// The number of lost decisions that say when their trips started, as stored and as it will be;
    /// `nil` if that was not needed yet.
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
            if id == made, let report = decision.report {
                let key = BookKey.reported(report.startedAt.timestamp, id)
                try rows.put(BookKey.mark, key: key, orderKey: key)
            }
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

// How a trip is booked follows from all decisions about it and about those that merges and splits
// tie to it. They are read and folded once for each time that the trip is booked.
extension BookDraft {
    /// Books the trips that are little work, and notes in the book's rows which others are due.
    mutating func bookCheapTrips<Rows: OrderedRowStore & ~Copyable>(in rows: inout Rows) throws {
        for trip in due.sorted() {
            if try entry(trip, rows).isCheap {
                try book(trip, in: &rows)
            } else {
                let key = BookKey.due(trip)
                try rows.put(BookKey.mark, key: key, orderKey: key)
                hasLeftWork = true
            }
        }
        due = []
    }

    /// Notes that a routine was saved or removed at an instant: the trips are to be booked again to
    /// which it was applied since.
    mutating func noteRevision<Rows: OrderedRowStore & ~Copyable>(
        of name: String,
        from instant: Timestamp,
        in rows: inout Rows
    ) throws {
        let key = BookKey.revised(name)
        if let stored = try rows.value(forKey: key) {
            guard try instant < Self.instant(decoding: stored) else { return }
        }
        var writer = RowEncoder(version: Self.bookedVersion)
        writer.write(instant)
        try rows.put(writer.bytes, key: key, orderKey: key)
        hasLeftWork = true
    }

    /// Notes which trips are due because a routine was saved or removed.
    private mutating func takeRevisions<Rows: OrderedRowStore & ~Copyable>(
        in rows: inout Rows
    ) throws {
        let keys = KeyRange(prefix: BookRowKind.revised.prefix)
        for row in try rows.rows(in: keys, isDescending: false, limit: .max) {
            let name = row.key.dropFirst()
            let instant = try Self.instant(decoding: row.value)
            let applications = KeyRange(
                from: BookKey.application(of: name, at: instant),
                upTo: KeyRange(prefix: BookKey.applications(of: name)).upTo
            )
            for application in try rows.rows(in: applications, isDescending: false, limit: .max) {
                let trip = BookKey.trip(endOf: application.key)
                let hosts =
                    try entry(trip, rows).isPresent
                    ? [] : decisions(filedUnder: trip, rows).compactMap(\.host)
                for trip in [trip] + hosts {
                    let key = BookKey.due(trip)
                    try rows.put(BookKey.mark, key: key, orderKey: key)
                }
            }
            try rows.remove(key: row.key)
        }
    }

    /// Books trips that are due, until about `limit` have changed, and returns whether none is due
    /// any more.
    mutating func bookTrips<Rows: OrderedRowStore & ~Copyable>(
        upTo limit: Int,
        in rows: inout Rows
    ) throws -> Bool {
        try takeRevisions(in: &rows)
        try bookCheapTrips(in: &rows)
        guard try takeRevisedRules(upTo: limit, in: &rows) else { return false }
        let all = KeyRange(prefix: BookRowKind.due.prefix)
        // Onwards, and not from the start each time: the rows that were removed are still in the
        // way until they are committed.
        var keys = all
        while changes.count < limit {
            let page = try rows.rows(in: keys, isDescending: false, limit: 64)
            guard let last = page.last else {
                guard keys != all else {
                    hasLeftWork = false
                    return true
                }
                keys = all
                continue
            }
            for row in page where try changes.count < limit && rows.value(forKey: row.key) != nil {
                try book(BookKey.trip(endOf: row.key), in: &rows)
            }
            keys.from = last.key + [0]
        }
        return false
    }

    /// Books a trip and all trips that merges and splits tie to it.
    private mutating func book<Rows: OrderedRowStore & ~Copyable>(
        _ trip: TripID,
        in rows: inout Rows
    ) throws {
        let cluster = try cluster(of: trip, rows)
        let (booked, obstacles) = cluster.booked
        try list(obstacles, ofTrips: cluster.ids, in: &rows)
        for id in cluster.ids.sorted() {
            let follows = try followsRule(entry(id, rows).measured, rows)
            slots[id]?.entry.followsRule = follows
            let stored = try rows.value(forKey: BookKey.booked(id))
            // Without decisions and not due it is booked as it was measured.
            let old = try stored.map { try Self.booked(decoding: $0) } ?? nil
            let new = booked[id]
            if !Self.isSame(old, new) {
                changes.append(.trip(TripChange(old: old, new: new)))
            }
            if try entry(id, rows).isBookedAsMeasured {
                try rows.remove(key: BookKey.booked(id))
            } else if stored == nil || !Self.isSame(old, new) {
                try Self.write(new, of: id, in: &rows)
            }
            due.remove(id)
            let key = BookKey.due(id)
            if try rows.value(forKey: key) != nil { try rows.remove(key: key) }
        }
    }

    /// Lists the decisions that cannot stand because of some trips, in place of those that could
    /// not before.
    private mutating func list<Rows: OrderedRowStore & ~Copyable>(
        _ obstacles: [DecisionWithoutEffect],
        ofTrips ids: [TripID],
        in rows: inout Rows
    ) throws {
        for id in ids {
            let new = obstacles.filter { $0.trip == id }
            let wasInTheWay = try entry(id, rows).isInTheWay
            guard wasInTheWay || !new.isEmpty else { continue }
            let old = KeyRange(prefix: BookKey.obstacles(to: id))
            for row in try rows.rows(in: old, isDescending: false, limit: .max) {
                try rows.remove(key: row.key)
                let decision = try DecisionWithoutEffect(decoding: row.value)
                if let key = decision.waitingKey { try rows.remove(key: key) }
            }
            for decision in new {
                try rows.put(decision)
                if let key = decision.waitingKey {
                    try rows.put(BookKey.mark, key: key, orderKey: key)
                }
            }
            slots[id]?.entry.isInTheWay = !new.isEmpty
        }
    }

    /// Notes that a custom field is defined: the trips are to be booked again about which decisions
    /// waited for it.
    mutating func noteDefined<Rows: OrderedRowStore & ~Copyable>(
        field name: String,
        in rows: inout Rows
    ) throws {
        let keys = KeyRange(prefix: BookKey.waiting(forField: name))
        for row in try rows.rows(in: keys, isDescending: false, limit: .max) {
            let key = BookKey.due(BookKey.trip(endOf: row.key))
            try rows.put(BookKey.mark, key: key, orderKey: key)
            hasLeftWork = true
        }
    }

    /// Returns a trip and all trips that merges and splits tie to it.
    mutating func cluster<Rows: OrderedRowStore & ~Copyable>(
        of trip: TripID,
        _ rows: borrowing Rows
    ) throws -> BookedCluster {
        var members: [TripID: BookedCluster.Member] = [:]
        var open = [trip]
        while let next = open.popLast() {
            guard members[next] == nil else { continue }
            let entry = try entry(next, rows)
            guard entry.isPresent || entry.isTied else {
                members[next] = BookedCluster.Member(entry: entry, decisions: [])
                continue
            }
            var decisions = try decisions(filedUnder: next, rows).map(\.decision)
            if entry.isPresent { decisions.removeAll { !$0.concerns(entry.group) } }
            if entry.isTied {
                open += decisions.flatMap(\.tiedTrips).filter { members[$0] == nil }
            }
            if entry.adoptedCount > 0 {
                let keys = KeyRange(prefix: BookKey.adopted(next))
                decisions += try rows.rows(in: keys, isDescending: false, limit: .max)
                    .map { try FiledDecision(decoding: $0.value).decision }
                decisions.sort()
            }
            var member = BookedCluster.Member(entry: entry, decisions: decisions)
            if entry.isPresent {
                for decision in decisions {
                    guard let key = try FieldCatalogue.missing(by: decision, entry.group, in: rows)
                    else { continue }
                    member.leaveOut(decision, as: .lacksField(key))
                }
            }
            members[next] = member
        }
        let routines = try routines(of: members, rows)
        for (id, member) in members {
            guard let trip = member.entry.measured, trip.mayGoByOdometer else { continue }
            members[id]?.odometer = try odometer(of: trip, rows)
        }
        return BookedCluster(members, routines: routines, rules: try rules(rows))
    }

    /// Returns the routines that decisions apply, as they were then.
    private func routines<Rows: OrderedRowStore & ~Copyable>(
        of members: [TripID: BookedCluster.Member],
        _ rows: borrowing Rows
    ) throws -> [EventOrder: Routine] {
        var routines: [EventOrder: Routine] = [:]
        // For a trip that is not there, it is not known whose routines count.
        for member in members.values where member.entry.isPresent {
            for decision in member.decisions {
                guard let name = decision.appliedRoutine else { continue }
                routines[decision.order] = try Routine.named(
                    name,
                    for: member.entry.group,
                    before: decision.order,
                    in: rows
                )
            }
        }
        return routines
    }
}

extension BookDraft {
    private static let bookedVersion: UInt8 = 4

    /// Keeps a trip as it is booked.
    private static func write<Rows: OrderedRowStore & ~Copyable>(
        _ booked: BookedTrip?,
        of id: TripID,
        in rows: inout Rows
    ) throws {
        var writer = RowEncoder(version: bookedVersion)
        writer.write(booked) { $1.write(to: &$0) }
        let key = BookKey.booked(id)
        try rows.put(writer.bytes, key: key, orderKey: key)
    }

    private static func instant(decoding bytes: [UInt8]) throws(RowCodingError) -> Timestamp {
        var reader = try RowDecoder(bytes, version: bookedVersion)
        let instant = try reader.readTimestamp()
        try reader.finish()
        return instant
    }

    private static func booked(decoding bytes: [UInt8]) throws(RowCodingError) -> BookedTrip? {
        var reader = try RowDecoder(bytes, version: bookedVersion)
        let booked = try reader.readOptional { reader throws(RowCodingError) in
            try BookedTrip(from: &reader)
        }
        try reader.finish()
        return booked
    }

    /// Returns whether two trips are the same byte by byte: `==` of `String` is true for texts with
    /// different bytes that are canonically equivalent.
    private static func isSame(_ old: BookedTrip?, _ new: BookedTrip?) -> Bool {
        guard old == new, let old, let new else { return old == new }
        var bytes = [RowEncoder(version: 1), RowEncoder(version: 1)]
        old.write(to: &bytes[0])
        new.write(to: &bytes[1])
        return bytes[0].bytes == bytes[1].bytes
    }
}

// A trip that is known by GO and STOP alone takes its distance from the odometer of its vehicle:
// the difference of the readings at both presses. Readings are looked up by the very instants of
// the presses, so that nothing else has to be known: neither other trips nor other readings can lie
// between.
extension BookDraft {
    /// Notes that trips are to be booked again, because what they may go by has changed.
    mutating func noteDue<Rows: OrderedRowStore & ~Copyable>(
        _ trips: [TripID],
        in rows: inout Rows
    ) throws {
        for trip in trips { try noteDue(trip, in: &rows) }
    }

    /// The keys under which a trip is found that may go by the odometer.
    private func odometerEndKeys(of trip: Trip) -> [[UInt8]] {
        [trip.startedAt, trip.endedAt].compactMap(\.self)
            .map { BookKey.odometerEnd($0.timestamp, trip.id) }
    }

    /// Returns what the odometer of its vehicle showed at both ends of a trip, if that is known.
    ///
    /// Its vehicle is the one that the presses name, whatever people say later: what was measured
    /// does not depend on decisions. If they name none, it is the only one that was read at both.
    private func odometer<Rows: OrderedRowStore & ~Copyable>(
        of trip: Trip,
        _ rows: borrowing Rows
    ) throws -> OdometerSpan? {
        guard let endedAt = trip.endedAt?.timestamp else { return nil }
        let first = try readings(at: trip.startedAt.timestamp, of: trip.group, rows)
        let last = try readings(at: endedAt, of: trip.group, rows)
        let names = Set(first.names).intersection(last.names)
        guard let vehicle = trip.vehicle ?? (names.count == 1 ? names.first : nil) else {
            return nil
        }
        return OdometerSpan(
            from: first.readings(of: vehicle, for: trip.group),
            to: last.readings(of: vehicle, for: trip.group)
        )
    }

    /// Returns what odometers of a group and of the owner showed at an instant, with what corrects
    /// it.
    private func readings<Rows: OrderedRowStore & ~Copyable>(
        at instant: Timestamp,
        of group: String?,
        _ rows: borrowing Rows
    ) throws -> VehicleBook {
        let made = BookKey.decisions(on: .vehicles, at: instant)
        let corrections = BookKey.corrections(of: instant)
        let decisions = try [made, corrections]
            .flatMap { keys in
                try rows.rows(in: keys, isDescending: false, limit: .max)
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
    /// Whether it is known from GO and STOP alone, so that what an odometer showed then says how
    /// far it went.
    package var mayGoByOdometer: Bool {
        abandonReason == .noPosition && endedBy == .press && endedAt != nil
    }

    /// The same trip with the distance that an odometer showed: it came to something.
    package func going(by odometer: OdometerSpan) -> Trip {
        var trip = self
        trip.distance = odometer.distance
        trip.status = .completed
        trip.abandonReason = nil
        return trip
    }
}
