import RowCoding
import TripEvents
import TripTracking

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
        let keys = KeyRange(prefix: BookKey.revisedPrefix)
        for row in try rows.rows(in: keys, isDescending: false, limit: .max) {
            let name = row.key.dropFirst()
            let instant = try Self.instant(decoding: row.value)
            let applications = KeyRange(
                from: BookKey.application(of: name, at: instant),
                upTo: KeyRange(prefix: [UInt8(ascii: "A")] + name + [0]).upTo
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
        let all = KeyRange(prefix: BookKey.duePrefix)
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
        let booked = cluster.bookedTrips
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
            members[next] = BookedCluster.Member(entry: entry, decisions: decisions)
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
        // Of a trip that is not there it is not known whose routines count.
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
    static func write<Rows: OrderedRowStore & ~Copyable>(
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
