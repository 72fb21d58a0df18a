import RowCoding
public import TripEvents
public import TripTracking

/// Books trips: combines what the trackers measure with what people decide.
///
/// The book is a pure function of the measured trips and the decisions, in whatever order they
/// come. It keeps both in rows of its own and returns what each step changes; the projectors make
/// their views of these changes. A step or decision that is given again changes nothing.
public struct TripBook: Sendable {
    /// The name of the book's table.
    public static let name = "book"

    /// The version of the book's rows; a stored book of another version is rebuilt.
    public static let version: UInt32 = 3

    /// Creates a book.
    public init() {}

    /// Takes what a tracker derived.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - rows: the book's rows.
    /// - Returns: what it changes.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func evolve<Rows: RowStore & ~Copyable>(
        _ step: TripStep,
        in rows: inout Rows
    ) throws -> [BookChange] {
        var draft = BookDraft()
        try draft.setMeasured(step.measured, of: step.trip, rows)
        return try finish(&draft, in: &rows)
    }

    /// Takes a decision.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - rows: the book's rows.
    /// - Returns: what it changes.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func decide<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        in rows: inout Rows
    ) throws -> [BookChange] {
        if let topic = DecisionTopic(of: decision) {
            try topic.put(decision, in: &rows)
            return []
        }
        var draft = BookDraft()
        switch decision.event.body {
        case .fieldDefined:
            try define(decision, in: &rows)
            return []
        case .routineSaved(let saving):
            return try revise(saving.routine, by: decision, &draft, in: &rows)
        case .routineRemoved(let removal):
            return try revise(removal.routine, by: decision, &draft, in: &rows)
        default:
            try list(decision, &draft, in: &rows)
            try draft.file(decision, rows)
        }
        return try finish(&draft, in: &rows)
    }

    /// Returns every change that people made to a trip, in event order; none if there is no such
    /// trip.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func history<Rows: RowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> [TripAmendment] {
        var draft = BookDraft()
        let trips = try cluster(of: trip, &draft, rows)
        try loadRoutines(of: trips, &draft, rows)
        let entries = trips.compactMap { draft.slots[$0]?.after }
        return BookedCluster(entries, routines: draft.routinesAfter).history(of: trip)
    }

    /// Returns the custom fields that people defined.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func fields<Rows: RowStore & ~Copyable>(
        in rows: borrowing Rows
    ) throws -> FieldCatalogue {
        let stored = try rows.value(forKey: BookKey.fields)
        return try stored.map { try FieldCatalogue(decoding: $0) } ?? FieldCatalogue()
    }

    /// Returns the trip to which a decision was attached because the one that it names has gone;
    /// `nil` if that one is there, or there is no other.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func host<Rows: RowStore & ~Copyable>(
        of decision: Decision,
        about trip: TripID,
        in rows: borrowing Rows
    ) throws -> TripID? {
        guard let stored = try rows.value(forKey: BookKey.entry(trip)) else { return nil }
        return try BookEntry(trip, decoding: stored).filed
            .first { $0.decision.order == decision.order }?
            .host
    }

    private func define<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        in rows: inout Rows
    ) throws {
        var catalogue = try fields(in: rows)
        guard catalogue.add(decision) else { return }
        try rows.put(catalogue.encoded, key: BookKey.fields, orderKey: BookKey.fields)
    }

    /// Lists the trip of a decision that applies a routine among those to which it was applied.
    private func list<Rows: RowStore & ~Copyable>(
        _ decision: Decision,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        guard let name = decision.appliedRoutine, let trip = decision.namedTrips.first else {
            return
        }
        let month = BookKey.month(of: decision.order.occurredAt)
        let key = BookKey.applications(name, month: month)
        _ = try TripList.set(trip, isListed: true, key: key, in: &rows)
        var versions = try draft.routine(name, rows).after
        guard versions.add(month: month) else { return }
        draft.setRoutine(name, versions)
        let routineKey = BookKey.routine(name)
        try rows.put(versions.encoded, key: routineKey, orderKey: routineKey)
    }

    /// Saves or removes a routine, and books the trips again to which it was applied later.
    private func revise<Rows: RowStore & ~Copyable>(
        _ name: String,
        by decision: Decision,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws -> [BookChange] {
        var versions = try draft.routine(name, rows).after
        let old = versions.current
        guard versions.add(decision) else { return [] }
        draft.setRoutine(name, versions)
        let routineKey = BookKey.routine(name)
        try rows.put(versions.encoded, key: routineKey, orderKey: routineKey)
        let earliest = BookKey.month(of: decision.order.occurredAt)
        for month in versions.months where month >= earliest {
            let key = BookKey.applications(name, month: month)
            for trip in try TripList.trips(in: rows.value(forKey: key)) {
                try draft.touch(trip, rows)
                for host in try draft.entry(trip, rows).filed.compactMap(\.host) {
                    try draft.touch(host, rows)
                }
            }
        }
        let changes = try finish(&draft, in: &rows)
        guard old != versions.current else { return changes }
        return [.routine(RoutineChange(name: name, old: old, new: versions.current))] + changes
    }
}

extension TripBook {
    /// Writes a draft and returns what it changes, in order of trip ids.
    private func finish<Rows: RowStore & ~Copyable>(
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws -> [BookChange] {
        var changes: [BookChange] = []
        var isDone: Set<TripID> = []
        let changed = draft.slots.filter(\.value.isChanged).keys.sorted()
        for trip in changed where !isDone.contains(trip) {
            let trips = try cluster(of: trip, &draft, rows)
            isDone.formUnion(trips)
            try loadRoutines(of: trips, &draft, rows)
            let slots = trips.compactMap { draft.slots[$0] }
            let old = booked(slots.map(\.before), draft.routinesBefore)
            let new = booked(slots.map(\.after), draft.routinesAfter)
            for id in trips where !Self.isSame(old[id], new[id]) {
                changes.append(.trip(TripChange(old: old[id], new: new[id])))
            }
        }
        try draft.write(to: &rows)
        return changes
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

    private func booked(
        _ entries: [BookEntry],
        _ routines: [[UInt8]: RoutineVersions]
    ) -> [TripID: BookedTrip] {
        // Nearly every trip is without decisions and booked as it was measured.
        if entries.count == 1, let entry = entries.first, entry.hasNoDecisions {
            return entry.measured.map { [entry.id: BookedTrip($0)] } ?? [:]
        }
        return BookedCluster(entries, routines: routines).bookedTrips
    }

    /// Returns a trip and all trips that merges and splits tie to it, in order of ids.
    private func cluster<Rows: RowStore & ~Copyable>(
        of trip: TripID,
        _ draft: inout BookDraft,
        _ rows: borrowing Rows
    ) throws -> [TripID] {
        var trips: Set<TripID> = [trip]
        var open = [trip]
        while let next = open.popLast() {
            for tied in try draft.entry(next, rows).tiedTrips where trips.insert(tied).inserted {
                open.append(tied)
            }
        }
        return trips.sorted()
    }

    private func loadRoutines<Rows: RowStore & ~Copyable>(
        of trips: [TripID],
        _ draft: inout BookDraft,
        _ rows: borrowing Rows
    ) throws {
        for trip in trips {
            guard let slot = draft.slots[trip] else { continue }
            for decision in slot.before.decisions + slot.after.decisions {
                guard let name = decision.appliedRoutine else { continue }
                _ = try draft.routine(name, rows)
            }
        }
    }
}

extension TripBook {
    /// Returns a trip as its tracker derives it, before any decision about it; `nil` if no tracker
    /// does.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func measuredTrip<Rows: RowStore & ~Copyable>(
        _ trip: TripID,
        in rows: borrowing Rows
    ) throws -> Trip? {
        guard let stored = try rows.value(forKey: BookKey.entry(trip)) else { return nil }
        return try BookEntry(trip, decoding: stored).measured
    }
}

extension TripBook {
    /// Returns the decisions that split a trip and were not undone by restoring it, in event order.
    ///
    /// Splitting measures both parts again, which is the tracker's work: it is given a standing
    /// split at its `split_at`, and none that was undone.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func standingSplits<Rows: RowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> [Decision] {
        guard let stored = try rows.value(forKey: BookKey.entry(trip)) else { return [] }
        let decisions = try BookEntry(trip, decoding: stored).filed.map(\.decision)
            .filter { $0.namedTrips.contains(trip) }
        let restored = decisions.last { $0.event.body.kind == .tripRestored }
        return decisions.filter { decision in
            guard decision.event.body.kind == .tripSplit else { return false }
            return restored.map { $0 < decision } ?? true
        }
    }
}
