import EventStore
public import Projections
public import TripEvents
public import TripsProjection

extension Ledger {
    /// The source of decisions that name no other one.
    public static let decisionSource = "manual"

    /// Returns the source of decisions for a group that name no other one; `nil` for the owner.
    public static func decisionSource(of group: String?) -> String {
        group.map { "\(decisionSource)/\($0)" } ?? decisionSource
    }

    /// Returns whether a name is that of a group's source of decisions, if there is such a group.
    public static func isDecisionSourceOfGroup(_ name: String) -> Bool {
        name.utf8.starts(with: "\(decisionSource)/".utf8)
    }

    /// Returns the name under which a source is stored: the owner's source of decisions never
    /// belongs to a group, so what comes under its name for a group is of the group's own one.
    static func storedName(ofSource name: String, in group: String?) -> String {
        guard let group, name.hasSameBytes(as: decisionSource) else { return name }
        return decisionSource(of: group)
    }

    /// How often a decision is checked anew because others appended in between.
    private static let attempts = 100

    /// Appends what a person decided, and says what that changed.
    ///
    /// The decision is checked against a snapshot: what it names must be there, the trips must
    /// allow it, and custom fields must be defined and take their values. It is appended only if
    /// nothing was appended after that snapshot, else it is checked again; so it means what it said
    /// when it is stored, whatever others append meanwhile.
    ///
    /// ```swift
    /// var edit = TripEdit()
    /// edit.purpose = .set("Roof inspection")
    /// let outcome = try ledger.decide(.edit(.last, edit), by: "Eva", now: now)
    /// print(outcome.changes.map(\.field))
    /// ```
    ///
    /// - Parameters:
    ///   - decision: What is decided.
    ///   - actor: Who decides, 1 … 200 bytes.
    ///   - time: When it is decided, or from when on it holds; `nil` for `now`. A decision without
    ///     a time that is sent again under its id is a duplicate, although the clock has moved.
    ///   - id: The sender's name for the decision, 1 … 255 bytes.
    ///   - group: The group of sources that it is for alone; `nil` for all, as the owner decides.
    ///   - source: The program that reports the decision, 1 … 128 bytes; `nil` for
    ///     ``decisionSource(of:)``.
    ///   - now: When the ledger stores it, with the offset from UTC of the person who decides. It
    ///     is asked again for each attempt, so that what is stored later happens later.
    /// - Returns: What became of the decision. It may be rejected or in conflict: see the receipt.
    /// - Throws: `.notFound`, `.ambiguous`, `.notMergeable`, `.notSplittable`,
    ///   `.notExcludable`, `.nothingToRecover`
    ///   or `.tooManyPlaces` if the decision cannot be meant; `.sizeMoved` if others append all the
    ///   time; `.damaged`, `.inputOutput`. Nothing was appended then, unless the hint says
    ///   something else.
    public func decide(
        _ decision: LedgerDecision,
        by actor: String? = nil,
        at time: EventTime? = nil,
        id: String? = nil,
        for group: String? = nil,
        from source: String? = nil,
        now: @autoclosure () -> EventTime
    ) throws(LedgerError) -> DecisionOutcome {
        try decide([decision], by: actor, at: time, id: id, for: group, from: source, now: now())[0]
    }

    /// Appends several decisions of one person, all of them or none, and says what each changed.
    ///
    /// They are checked against one snapshot, so that none may rely on another one of them, and are
    /// stored together.
    ///
    /// - Parameters:
    ///   - decisions: The decisions.
    ///   - actor: Who decides, 1 … 200 bytes.
    ///   - time: When it is decided, or from when on it holds; `nil` for `now`.
    ///   - id: The sender's name for a decision that is alone, 1 … 255 bytes.
    ///   - group: The group of sources that they are for alone; `nil` for all, as the owner
    ///     decides.
    ///   - source: The program that reports the decisions, 1 … 128 bytes; `nil` for
    ///     ``decisionSource(of:)``.
    ///   - now: When the ledger stores them, with the offset from UTC of the person who decides.
    /// - Returns: What became of each decision. If one was rejected the others are held back.
    /// - Throws: As ``decide(_:by:at:id:for:from:now:)-(LedgerDecision,_,_,_,_,_,_)``.
    public func decide(
        _ decisions: [LedgerDecision],
        by actor: String? = nil,
        at time: EventTime? = nil,
        id: String? = nil,
        for group: String? = nil,
        from source: String? = nil,
        now: @autoclosure () -> EventTime
    ) throws(LedgerError) -> [DecisionOutcome] {
        precondition(id == nil || decisions.count == 1, "one name is for one decision")
        return try decide(
            decisions.map { decision in
                DecisionRequest(
                    decision,
                    at: time,
                    by: actor,
                    id: id,
                    for: group,
                    from: source
                )
            },
            now: now()
        )
    }

    /// Appends decisions, each with what goes with it, all of them or none, and says what each
    /// changed.
    ///
    /// They are checked against one snapshot, so that none may rely on another one of them, and are
    /// stored together. One that is asked for again under its id is a duplicate, although it could
    /// not be decided any more.
    ///
    /// - Parameters:
    ///   - requests: The decisions.
    ///   - actor: Who decides, for requests that do not name anyone.
    ///   - now: When the ledger stores them.
    /// - Returns: The outcome of each decision. If one was rejected or is in conflict, the others
    ///   are held back.
    /// - Throws: As ``decide(_:by:at:id:for:from:now:)-(LedgerDecision,_,_,_,_,_,_)``.
    public func decide(
        _ requests: [DecisionRequest],
        by actor: String? = nil,
        now: @autoclosure () -> EventTime
    ) throws(LedgerError) -> [DecisionOutcome] {
        switch try decide(requests, by: actor, unlessAfter: nil, now: now()) {
        case .decided(let outcomes): return outcomes
        case .refused(_, let refusal): throw refusal
        case .changed: preconditionFailure("it does not matter what was decided meanwhile")
        }
    }

    /// Appends decisions as ``decide(_:by:now:)`` does, unless something was decided about their
    /// trips after a position.
    ///
    /// - Parameters:
    ///   - requests: The decisions.
    ///   - actor: Who decides, for requests that do not name anyone.
    ///   - seen: The last position that the asker knows; `nil` if it does not matter.
    ///   - expectedSize: How many entries the log must have; `nil` for any number.
    ///   - sight: The part that the one who decides sees: nothing else can be named, and nothing
    ///     else is answered.
    ///   - now: When the ledger stores them: those without a time of their own happen then, one
    ///     millisecond after the other.
    /// - Returns: Whether they were decided, and if not, why.
    /// - Throws: `.sizeMoved`, `.damaged`, `.inputOutput`. Nothing was appended then, unless the
    ///   hint says something else.
    package func decide(
        _ requests: [DecisionRequest],
        by actor: String? = nil,
        unlessAfter seen: UInt64?,
        expectedSize: UInt64? = nil,
        seenBy sight: Sight = .everything,
        now: @autoclosure () -> EventTime
    ) throws(LedgerError) -> DecisionEnding {
        var attempt = 1
        while true {
            let size = try head().size
            let now = try timeOfDecision(after: size, now: now())
            var checked: [CheckedDecision] = []
            let ending = try reading(asOf: now.timestamp, seenBy: sight) {
                snapshot -> DecisionEnding? in
                checked = []
                // Of two decisions about one trip the later one counts, so no two may have the same
                // time.
                var delay: Int64 = -1
                for request in requests {
                    delay = max(request.delayMilliseconds, delay + 1)
                    do throws(LedgerError) {
                        checked.append(
                            try snapshot.check(request, by: actor, now: now, after: delay)
                        )
                    } catch {
                        guard error.isRefusal else { throw error }
                        return .refused(checked.count, error)
                    }
                }
                return try seen.flatMap { try snapshot.changeAfter($0, of: checked) }
                    .map { .changed($0) }
            }
            if let ending { return ending }
            if checked.contains(where: { $0.rejection != nil }) {
                return .decided(checked.map(\.outcomeIfNotAppended))
            }
            do throws(LedgerError) {
                let receipts = try append(
                    checked.flatMap(\.events),
                    now: now.timestamp,
                    expectedSize: expectedSize ?? size,
                    isAllOrNothing: true,
                    mostSources: Self.mostSources
                )
                return .decided(
                    try outcomes(of: checked, receipts, asOf: now.timestamp, seenBy: sight)
                )
            } catch
                where error.code == .sizeMoved && expectedSize == nil && attempt < Self.attempts
            {
                attempt += 1
            }
        }
    }

    /// The most milliseconds by which a decision is said to be made later than the clock says.
    private static let mostDelay: Int64 = 1_000

    /// Returns when a decision happens that is appended to so many entries.
    ///
    /// Of two decisions about one thing the one that happened later counts. So a decision happens
    /// after the entry before it, although the clock may say the same millisecond for both; only a
    /// clock that was set back is left as it is.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    private func timeOfDecision(
        after size: UInt64,
        now: EventTime
    ) throws(LedgerError) -> EventTime {
        guard size > 0 else { return now }
        let last = try LedgerError.translating(at: path) {
            try log.withEntry(at: size - 1) { max($0.recordedAt, $0.occurredAt) }
        }
        guard let last, case let lead = last - now.timestamp.milliseconds,
            (0..<Self.mostDelay).contains(lead)
        else { return now }
        return EventTime(
            now.timestamp.advanced(byMilliseconds: lead + 1),
            utcOffset: now.utcOffset
        )
    }

    /// Reads, from one snapshot, what events that were appended have changed.
    private func outcomes(
        of decisions: [CheckedDecision],
        _ receipts: [Receipt],
        asOf now: Timestamp,
        seenBy sight: Sight
    ) throws(LedgerError) -> [DecisionOutcome] {
        var rest = receipts[...]
        let outcomes = decisions.map { decision in
            let receipt = rest.removeFirst().disregarding(decision.filledIn)
            var outcome = DecisionOutcome(event: decision.event, receipt: receipt)
            outcome.readings = decision.readings.map {
                AnsweredEvent(event: $0, receipt: rest.removeFirst())
            }
            // If a reading was refused, that is why the decision was not stored either.
            if case .heldBack = outcome.receipt,
                let refused = outcome.readings.first(where: { $0.receipt != .heldBack })
            {
                outcome.receipt = refused.receipt
            }
            return outcome
        }
        let positions = receipts.compactMap(\.storedPosition)
        guard let first = positions.first else { return outcomes }
        do throws(LedgerError) {
            return try reading(asOf: now, seenBy: sight) { snapshot in
                // The later decisions take into account what the earlier ones say.
                var others = DecisionsTogether(about: decisions.map(\.trip))
                return try zip(decisions, outcomes)
                    .map { decision, outcome in
                        defer { others.pass(decision.event, about: decision.trip) }
                        guard let position = outcome.receipt.storedPosition else { return outcome }
                        return try snapshot.complete(
                            outcome,
                            at: position,
                            of: decision,
                            among: others
                        )
                    }
            }
        } catch {
            var error = error
            let stored =
                positions.count == 1
                ? "The decision is stored at position \(first)"
                : "The decisions are stored from position \(first) on"
            error.hint = error.hint.isEmpty ? stored : "\(stored). \(error.hint)"
            throw error
        }
    }
}

extension TripEvent {
    /// Returns what the same person says of an odometer by the same program.
    fileprivate func saying(_ reading: OdometerRead, at time: EventTime) -> TripEvent {
        TripEvent(
            source: source,
            group: group,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            actor: actor,
            body: .odometerRead(reading)
        )
    }
}

/// The outcome of decisions that may have been too late.
package enum DecisionEnding: Sendable {
    /// They were checked, and stored unless one was refused.
    case decided([DecisionOutcome])

    /// Nothing was stored, because the decision with this index is refused.
    case refused(Int, LedgerError)

    /// Nothing was stored, because something else was decided about a trip at a position.
    case changed(UInt64)
}

/// A decision with every name looked up, before it is appended.
private struct CheckedDecision {
    /// The event that says it.
    let event: TripEvent

    /// The odometer readings to append with it.
    var readings: [TripEvent] = []

    /// The trip that it is about, of several the first.
    let trip: TripID?

    /// Why it may not be decided.
    var rejection: Rejection?

    /// Takes it back, if that was known before.
    var undo: LedgerDecision?

    /// The members of the event that its sender has left to others.
    var filledIn: Set<String> = []

    /// Whether it was stored before under its id.
    var isRepeat = false

    /// Takes a decision that was stored before.
    init(repeating stored: StoredEvent, about trip: TripID?) {
        event = stored.event
        self.trip = trip
        isRepeat = true
    }

    /// Takes a decision that may be stored.
    init(
        event: TripEvent,
        readings: [TripEvent],
        trip: TripID?,
        rejection: Rejection?,
        undo: LedgerDecision?
    ) {
        self.event = event
        self.readings = readings
        self.trip = trip
        self.rejection = rejection
        self.undo = undo
    }

    /// Everything that is to be appended.
    var events: [TripEvent] { [event] + readings }

    var outcomeIfNotAppended: DecisionOutcome {
        DecisionOutcome(event: event, receipt: rejection.map { .rejected($0) } ?? .heldBack)
    }
}

extension Snapshot {
    /// Looks up what a request names, and checks it against what is there.
    ///
    /// A decision that was stored under its id before is a repeat if the request is the same, even
    /// if it would be refused now: later entries may be the reason for that.
    fileprivate func check(
        _ request: DecisionRequest,
        by actor: String?,
        now: EventTime,
        after delayMilliseconds: Int64
    ) throws(LedgerError) -> CheckedDecision {
        let source = Ledger.storedName(
            ofSource: request.source ?? Ledger.decisionSource,
            in: request.group
        )
        let stored = try request.id.flatMap { (id) throws(LedgerError) in
            try asking { try log.storedEvent(named: id, from: source) }
        }
        let decided = now.timestamp.advanced(byMilliseconds: delayMilliseconds)
        let resolved: DecisionResolution
        do throws(LedgerError) {
            resolved = try resolve(
                request.decision,
                at: request.time?.timestamp ?? decided,
                now: now.timestamp,
                for: request.group
            )
        } catch {
            guard let stored, error.isRefusal, request.decision.isSaid(by: stored.event.body),
                try areSeen(stored.namedTrips)
            else { throw error }
            return CheckedDecision(repeating: stored, about: stored.namedTrips.first)
        }
        let happened =
            request.time ?? resolved.time ?? EventTime(decided, utcOffset: now.utcOffset)
        var event = TripEvent(
            source: source,
            group: request.group,
            occurredAt: happened.timestamp,
            utcOffset: happened.utcOffset,
            id: request.id,
            actor: request.actor ?? actor,
            body: resolved.body
        )
        event.supplement = request.supplement
        var filledIn: Set = [EventDifference.tripStart]
        if request.time == nil { filledIn.insert(EventDifference.occurredAt) }
        if request.actor == nil { filledIn.insert(EventDifference.actor) }
        if let stored, stored.namedTrips == resolved.trip.map({ [$0] }) {
            // The trip was merged since, and the event would name the whole now.
            filledIn.insert(EventDifference.trip)
        }
        if let stored, filledIn.isSuperset(of: EventDifference(stored.event, event).names) {
            return CheckedDecision(repeating: stored, about: resolved.trip)
        }
        var checked = CheckedDecision(
            event: event,
            readings: resolved.readings.map { [event] in event.saying($0.read, at: $0.at) },
            trip: resolved.trip,
            rejection: try rejection(of: resolved.body, for: resolved.group ?? request.group),
            undo: try undo(of: request, saidBy: resolved.body, at: happened.timestamp)
        )
        checked.filledIn = filledIn
        return checked
    }

    /// Returns the position of the last entry, after a given one, that is about the trips of some
    /// decisions; `nil` if there is none, or if all of them were stored before.
    fileprivate func changeAfter(
        _ seen: UInt64,
        of decisions: [CheckedDecision]
    ) throws -> UInt64? {
        guard !decisions.allSatisfy(\.isRepeat) else { return nil }
        return try log.lastEntry(
            naming: Set(
                decisions.flatMap { $0.event.body.askedTrips + ($0.trip.map { [$0] } ?? []) }
            ),
            in: min(seen + 1, head.size)..<head.size
        )
    }

    /// Returns why a person may not decide what the catalogue of events would allow.
    ///
    /// Events that are appended as such are not judged by this: what a definition allows is a rule
    /// for people who enter values, and changes with time.
    fileprivate func rejection(
        of body: EventBody,
        for group: String?
    ) throws(LedgerError) -> Rejection? {
        switch body {
        case .fieldDefined(let definition): return definition.rejection
        case .settingsChanged(let change):
            return group.map { Self.ownersAlone(.settingsChanged, $0) } ?? change.rejection
        case .ratesLoaded:
            if let group { return Self.ownersAlone(.ratesLoaded, group) }
        default: break
        }
        guard let fields = body.customFields else { return nil }
        let catalogue = try self.fields(for: group)
        do throws(Rejection) {
            try catalogue.check(fields)
            return nil
        } catch {
            return error
        }
    }

    /// Refuses to decide for a group what holds for the whole ledger.
    private static func ownersAlone(_ kind: EventKind, _ group: String) -> Rejection {
        let cause = DecisionObstacle.isOwnersAlone(kind, group: group).cause(by: nil)
        return Rejection(
            .otherGroup,
            field: "group",
            sentence: "\(cause.prefix(1).uppercased())\(cause.dropFirst())."
        )
    }

    /// Adds what the decision at a position has changed.
    fileprivate func complete(
        _ outcome: DecisionOutcome,
        at position: UInt64,
        of decision: CheckedDecision,
        among others: DecisionsTogether
    ) throws -> DecisionOutcome {
        var outcome = outcome
        guard let stored = try log.storedEvent(at: position) else { return outcome }
        outcome.event = stored.event
        let isReport = stored.event.body.kind == .tripReported
        outcome.warnings = try readingWarnings(of: outcome)
        guard let trip = isReport ? TripID(openedBy: stored.identity) : decision.trip else {
            let isNew = if case .appended = outcome.receipt { true } else { false }
            outcome.undo = isNew ? decision.undo : nil
            if case .expenseRecorded(let expense) = stored.event.body {
                outcome.expense = try self.expense(recordedBy: stored)
                if isNew { outcome.warnings += try warnings(of: outcome, among: others) }
                if expense.corrects == nil, let id = outcome.expense?.id {
                    outcome.undo = .voidExpense(id.description, why: Self.takenBack)
                }
            }
            return outcome
        }
        outcome.trip = trip
        outcome.mergedInto = try self.trip(.prefix(trip.description)).booked.mergedInto
        let shown = outcome.mergedInto ?? trip
        // The history of the whole, which the event names, has what was decided about a part.
        let told = stored.namedTrips.contains(trip) ? trip : shown
        let changes = try history(of: told)
            .filter { $0.decision == stored.identity && $0.change.old != $0.change.new }
            .map(\.change)
        // The answer to a decision that is sent again may be the first one that arrives.
        outcome.undo = stored.event.undo(of: changes, about: trip)
        outcome.places = try places()
        if stored.event.body.kind == .tripSplit {
            outcome.trips = try parts(ofSplit: trip)
        } else {
            outcome.trips = [try self.trip(.prefix(shown.description))]
        }
        if case .appended = outcome.receipt {
            outcome.changes = changes
            outcome.warnings =
                try warnings(of: outcome, among: others) + outcome.warnings
            outcome.undo = outcome.undo ?? (changes.isEmpty ? nil : decision.undo)
            if case .restore(let restored, _)? = outcome.undo {
                outcome.undoRestores = try self.trip(restored).booked.restorable
            }
        }
        return outcome
    }

    /// Returns what may be wrong with the readings of odometers that came with a decision, or are
    /// the decision.
    private func readingWarnings(of outcome: DecisionOutcome) throws -> [LedgerWarning] {
        let isReading = outcome.event.body.kind == .odometerRead
        let decided = AnsweredEvent(event: outcome.event, receipt: outcome.receipt)
        return try ((isReading ? [decided] : []) + outcome.readings)
            .flatMap { answered in
                guard case .appended(let position) = answered.receipt else {
                    return [LedgerWarning]()
                }
                return try warnings(aboutReading: answered.event, at: position, isAlone: isReading)
            }
    }
}

extension FieldDefined {
    /// Why the definition makes no sense, or `nil` if it does.
    fileprivate var rejection: Rejection? {
        if FieldCatalogue.detailNames.contains(key) {
            return Rejection(
                .invalidValue,
                field: "key",
                sentence: "Every trip has the field \(key); choose another key."
            )
        }
        if valueType == .select, options == nil {
            return Rejection(
                .missingField,
                field: "options",
                sentence: "A field of type select needs an option for each choice."
            )
        }
        if valueType != .select, options != nil {
            return Rejection(
                .unknownField,
                field: "options",
                sentence: "Only a field of type select has options."
            )
        }
        return nil
    }
}

/// The changes by a decision: the ledger's answer to
/// ``Ledger/decide(_:by:at:id:for:from:now:)->DecisionOutcome``.
///
/// Everything but the receipt is read from one snapshot after the append.
public struct DecisionOutcome: Sendable {
    /// The event that says the decision; of a duplicate, as it was stored first.
    public var event: TripEvent

    /// The answer to the event.
    public var receipt: Receipt

    /// The trip that the decision is about, of several the first; `nil` if it is about none, or was
    /// not stored.
    public var trip: TripID?

    /// The fields of that trip that changed; empty if the decision states what already held, or was
    /// not appended now.
    public var changes: [FieldChange] = []

    /// The trip that shows that one, if it is a part of a merged trip; the decision is then about
    /// that one.
    public var mergedInto: TripID?

    /// The trips that show what was decided, in order of their starts: the trip, or the one that it
    /// is a part of; after a split, its parts.
    public var trips: [TripRow] = []

    /// The places at which these trips may start and end.
    public var places = PlaceBook()

    /// The expense as it stands now, if the decision is about one.
    public var expense: RecordedExpense?

    /// The odometer readings that were appended with the decision.
    public var readings: [AnsweredEvent] = []

    /// The warnings about the decision, which was accepted all the same.
    public var warnings: [LedgerWarning] = []

    /// The decision that takes this one back; `nil` if none does, or if only the state before it
    /// tells which one does and it was not appended now.
    public var undo: LedgerDecision?

    /// The decisions that `undo` takes back if it restores a trip: earlier ones, too.
    public var undoRestores: [Restorable] = []
}

/// An event with the ledger's answer to it.
public struct AnsweredEvent: Sendable {
    /// The event.
    public var event: TripEvent

    /// The answer.
    public var receipt: Receipt

    /// Joins an event and the answer to it.
    public init(event: TripEvent, receipt: Receipt) {
        self.event = event
        self.receipt = receipt
    }
}
