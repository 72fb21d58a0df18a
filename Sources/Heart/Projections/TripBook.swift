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
    public static let version: UInt32 = 19

    /// Creates a book.
    public init() {}

    /// Takes what a tracker derived, and books everything that follows from it.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - rows: the book's rows.
    /// - Returns: what it changes.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func evolve<Rows: OrderedRowStore & ~Copyable>(
        _ step: TripStep,
        in rows: inout Rows
    ) throws -> [BookChange] {
        var draft = BookDraft()
        try note(step, &draft, in: &rows)
        _ = try book(&draft, upTo: .max, in: &rows)
        return changes(of: &draft)
    }

    /// Takes a decision, and books everything that follows from it.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - rows: the book's rows.
    /// - Returns: what it changes.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func decide<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        in rows: inout Rows
    ) throws -> [BookChange] {
        var draft = BookDraft()
        try note(decision, &draft, in: &rows)
        _ = try book(&draft, upTo: .max, in: &rows)
        return changes(of: &draft)
    }

    /// Returns every change that people made to a trip, in event order; none if there is no such
    /// trip.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func history<Rows: OrderedRowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> [TripAmendment] {
        var draft = BookDraft()
        return try draft.cluster(of: trip, rows).history(of: trip)
    }

    /// Returns the odometer readings at both ends of a trip that takes its distance from them;
    /// `nil` for every other trip.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func odometer<Rows: OrderedRowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> OdometerSpan? {
        var draft = BookDraft()
        return try draft.cluster(of: trip, rows).members[trip]?.odometer
    }

    /// Takes an inference of another program: it is kept, and changes nothing else.
    ///
    /// - Throws: what the store throws.
    public func note<Rows: RowStore & ~Copyable>(
        _ inference: ReportedInference,
        in rows: inout Rows
    ) throws {
        try inference.put(in: &rows)
    }

    /// Returns the inferences of other programs about a span of time, in order.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func inferences<Rows: OrderedRowStore & ~Copyable>(
        overlapping span: Range<Timestamp>,
        in rows: borrowing Rows
    ) throws -> [ReportedInference] {
        try ReportedInference.all(overlapping: span, in: rows)
    }

    /// Returns the custom fields that people defined for a group; `nil` for the owner.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func fields<Rows: OrderedRowStore & ~Copyable>(
        in rows: borrowing Rows,
        for group: String? = nil
    ) throws -> FieldCatalogue {
        try FieldCatalogue(in: rows, for: group)
    }

    /// Returns the trip to which a decision was attached because the one that it names has gone;
    /// `nil` if that one is there, or there is no other.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func host<Rows: OrderedRowStore & ~Copyable>(
        of decision: Decision,
        about trip: TripID,
        in rows: borrowing Rows
    ) throws -> TripID? {
        try rows.value(forKey: BookKey.filed(trip, decision.order))
            .flatMap { try FiledDecision(decoding: $0).host }
    }

    /// Returns the trips that may take their distance from an odometer, if a decision is a reading
    /// of one.
    ///
    /// - Throws: what the store throws.
    package func trips<Rows: OrderedRowStore & ~Copyable>(
        goingBy decision: Decision,
        in rows: borrowing Rows
    ) throws -> [TripID] {
        guard case .odometerRead(let reading) = decision.event.body else { return [] }
        let readAt = reading.corrects?.timestamp ?? decision.order.occurredAt
        return
            try rows.rows(
                in: BookKey.odometerEnds(at: readAt),
                isDescending: false,
                limit: .max
            )
            .map { BookKey.trip(endOf: $0.key) }
    }

    /// Returns the decisions that split a trip and were not undone by restoring it, in event order.
    ///
    /// Splitting measures both parts again, which is the tracker's work: it is given the standing
    /// splits at their `split_at`, and not those that were undone.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    public func standingSplits<Rows: OrderedRowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> [Decision] {
        var draft = BookDraft()
        let group = try draft.entry(trip, rows).group
        let decisions = try draft.decisions(filedUnder: trip, rows).map(\.decision)
            .filter { $0.namedTrips.contains(trip) && $0.concerns(group) }
        let restored = decisions.last { $0.event.body.kind == .tripRestored }
        return decisions.filter { decision in
            guard decision.event.body.kind == .tripSplit else { return false }
            return restored.map { $0 < decision } ?? true
        }
    }
}

// A run that takes many steps and decisions books what follows from them once, and not once for
// each: so its work grows with their number, however many are about the same trip.
extension TripBook {
    /// Takes what a tracker derived, to be booked later.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func note<Rows: OrderedRowStore & ~Copyable>(
        _ step: TripStep,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        try draft.setMeasured(step.measured, of: step.trip, in: &rows)
    }

    /// Takes a decision, to be booked later.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func note<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        if let topic = DecisionTopic(of: decision) {
            try topic.put(decision, in: &rows)
            if topic == .places { try draft.noteRulesRevised(from: nil, in: &rows) }
            // An odometer reading gives the distance of trips about which nothing else is known.
            return try draft.noteDue(try trips(goingBy: decision, in: rows), in: &rows)
        }
        switch decision.event.body {
        case .fieldDefined(let definition):
            try FieldCatalogue.put(decision, defining: definition.key, in: &rows)
            try draft.noteDefined(field: definition.key, in: &rows)
        case .routineSaved(let saving):
            try revise(saving.routine, by: decision, &draft, in: &rows)
        case .routineRemoved(let removal):
            try revise(removal.routine, by: decision, &draft, in: &rows)
        default:
            try list(decision, in: &rows)
            try draft.file(decision, in: &rows)
        }
    }

    /// Writes everything except trips that are still to be booked, so that it can be read.
    ///
    /// - Throws: what the store throws.
    package func write<Rows: OrderedRowStore & ~Copyable>(
        _ draft: inout BookDraft,
        to rows: inout Rows
    ) throws {
        try draft.attachUnfound(in: &rows)
        try draft.writeEntries(to: &rows)
    }

    /// Books trips about which there are few decisions; the book's rows say which others are due.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func bookCheapTrips<Rows: OrderedRowStore & ~Copyable>(
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        try draft.bookCheapTrips(in: &rows)
        try draft.writeEntries(to: &rows)
    }

    /// Books trips that are due, until about `limit` have changed.
    ///
    /// - Returns: whether none is due any more.
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func book<Rows: OrderedRowStore & ~Copyable>(
        _ draft: inout BookDraft,
        upTo limit: Int,
        in rows: inout Rows
    ) throws -> Bool {
        try draft.attachUnfound(in: &rows)
        let isDone = try draft.bookTrips(upTo: limit, in: &rows)
        try draft.writeEntries(to: &rows)
        return isDone
    }

    /// Returns trips whose splits may take effect elsewhere than before, in order of their ids: at
    /// most `limit` of those after a trip.
    ///
    /// - Throws: what the store throws.
    package func unsettledTrips<Rows: OrderedRowStore & ~Copyable>(
        after trip: TripID?,
        limit: Int,
        in rows: borrowing Rows
    ) throws -> [TripID] {
        var keys = KeyRange(prefix: BookRowKind.unsettled.prefix)
        if let trip { keys.from = BookKey.unsettled(trip) + [0] }
        return try rows.rows(in: keys, isDescending: false, limit: limit)
            .map { BookKey.trip(endOf: $0.key) }
    }

    /// Returns the facts that decide which splits of a trip stand, and which source's tracker they
    /// concern.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func splitTrip<Rows: OrderedRowStore & ~Copyable>(
        _ trip: TripID,
        _ draft: inout BookDraft,
        in rows: borrowing Rows
    ) throws -> SplitTrip {
        let entry = try draft.entry(trip, rows)
        return SplitTrip(
            id: trip,
            source: entry.measured?.source,
            splitFrom: entry.splitFrom,
            restorations: entry.restorations
        )
    }

    /// Notes that the splits of a trip, if there are any, may take effect elsewhere than before.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func noteUnsettled<Rows: OrderedRowStore & ~Copyable>(
        _ trip: TripID,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        if try draft.entry(trip, rows).isCut { try draft.noteUnsettled(trip, in: &rows) }
    }

    /// Notes that it is known where the splits of a trip take effect.
    ///
    /// - Throws: what the store throws.
    package func noteSettled<Rows: OrderedRowStore & ~Copyable>(
        _ trip: TripID,
        in rows: inout Rows
    ) throws {
        try rows.remove(key: BookKey.unsettled(trip))
    }

    /// Returns what has changed, and forgets it.
    package func changes(of draft: inout BookDraft) -> [BookChange] {
        draft.takeChanges()
    }

    /// Lists the trip of a decision that applies a routine among those to which it was applied.
    private func list<Rows: OrderedRowStore & ~Copyable>(
        _ decision: Decision,
        in rows: inout Rows
    ) throws {
        guard let name = decision.appliedRoutine, let trip = decision.namedTrips.first else {
            return
        }
        let key = BookKey.application(of: name.utf8, at: decision.order.occurredAt, to: trip)
        try rows.put(BookKey.mark, key: key, orderKey: key)
    }

    /// Saves or removes a routine, and notes that the trips to which it was applied later are to be
    /// booked again.
    private func revise<Rows: OrderedRowStore & ~Copyable>(
        _ name: String,
        by decision: Decision,
        _ draft: inout BookDraft,
        in rows: inout Rows
    ) throws {
        let old = try Routine.current(name, of: decision.group, in: rows)
        guard try Routine.put(decision, about: name, in: &rows) else { return }
        try draft.noteRevision(of: name, from: decision.order.occurredAt, in: &rows)
        try draft.noteRulesRevised(from: Routine.holdsFrom(decision), in: &rows)
        let new = try Routine.current(name, of: decision.group, in: rows)
        if old != new {
            draft.note(RoutineChange(name: name, group: decision.group, old: old, new: new))
        }
    }
}

/// The book's facts about a trip that people split.
package struct SplitTrip: Hashable, Sendable {
    /// The trip's id.
    package let id: TripID

    /// The source that measured it; `nil` if there is no such trip, or not yet.
    package let source: String?

    /// The trip whose second part it is, if a split made it.
    package let splitFrom: TripID?

    /// The places in event order of the last decisions that restore it.
    let restorations: [Restoration]

    /// Returns whether a split of the trip stands: the trip was not restored later, and no source
    /// of another group made the split.
    ///
    /// - Parameters:
    ///   - split: The split's place in event order.
    ///   - decider: The group of the source that it comes from; `nil` for the owner's.
    ///   - group: The group that the trip belongs to.
    /// - Returns: Whether it does.
    package func stands(_ split: EventOrder, by decider: String?, in group: String?) -> Bool {
        guard decider == nil || decider.hasSameBytes(as: group) else { return false }
        return restorations.last(concerning: group).map { $0 < split } ?? true
    }
}

// The decisions as they were stored, with what their senders said beyond what the book looks at.
extension TripBook {
    /// Returns the decisions that make or name a trip, or were attached to it, in event order.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func decisions<Rows: OrderedRowStore & ~Copyable>(
        about trip: TripID,
        in rows: borrowing Rows
    ) throws -> [Decision] {
        let adopted =
            try rows.rows(
                in: KeyRange(prefix: BookKey.adopted(trip)),
                isDescending: false,
                limit: .max
            )
            .map { try FiledDecision(decoding: $0.value).decision }
        let filed = try BookDraft().decisions(filedUnder: trip, rows).map(\.decision)
        return adopted.isEmpty ? filed : (filed + adopted).sorted()
    }

    /// Returns the decisions that saved or removed routines, of each routine in event order.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func routineDecisions<Rows: OrderedRowStore & ~Copyable>(
        in rows: borrowing Rows
    ) throws -> [Decision] {
        try Routine.decisions(in: rows)
    }

    /// Returns the decision about each custom field that holds, in order of the keys.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    package func fieldDecisions<Rows: OrderedRowStore & ~Copyable>(
        in rows: borrowing Rows
    ) throws -> [Decision] {
        try FieldCatalogue.decisions(in: rows)
    }
}
