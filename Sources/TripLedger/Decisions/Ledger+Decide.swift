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
    ///   - decisions: What is decided.
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
        var attempt = 1
        while true {
            let now = now()
            var size: UInt64 = 0
            let checked = try reading(asOf: now.timestamp) { snapshot in
                size = snapshot.head.size
                return try decisions.map { decision in
                    let resolved = try snapshot.resolve(decision, now: now.timestamp, for: group)
                    let happened = time ?? resolved.time ?? now
                    let event = TripEvent(
                        source: source ?? Self.decisionSource(of: group),
                        group: group,
                        occurredAt: happened.timestamp,
                        utcOffset: happened.utcOffset,
                        id: id,
                        actor: actor,
                        body: resolved.body
                    )
                    return CheckedDecision(
                        event: event,
                        readings: resolved.readings.map { event.saying($0.read, at: $0.at) },
                        trip: resolved.trip,
                        rejection: try snapshot.rejection(
                            of: resolved.body,
                            for: resolved.group ?? group
                        )
                    )
                }
            }
            if checked.contains(where: { $0.rejection != nil }) {
                return checked.map(\.outcomeIfNotAppended)
            }
            do throws(LedgerError) {
                let receipts = try append(
                    checked.flatMap { [$0.event] + $0.readings },
                    now: now.timestamp,
                    expectedSize: size,
                    happenWhenSent: time == nil,
                    mostSources: Self.mostSources
                )
                return try outcomes(of: checked, receipts, asOf: now.timestamp)
            } catch  where error.code == .sizeMoved && attempt < Self.attempts {
                attempt += 1
            }
        }
    }

    /// Reads, from one snapshot, what events that were appended have changed.
    private func outcomes(
        of decisions: [CheckedDecision],
        _ receipts: [Receipt],
        asOf now: Timestamp
    ) throws(LedgerError) -> [DecisionOutcome] {
        var rest = receipts[...]
        let outcomes = decisions.map { decision in
            var outcome = DecisionOutcome(event: decision.event, receipt: rest.removeFirst())
            outcome.readings = decision.readings.map {
                AnsweredEvent(event: $0, receipt: rest.removeFirst())
            }
            return outcome
        }
        let positions = receipts.compactMap(\.storedPosition)
        guard let first = positions.first else { return outcomes }
        do throws(LedgerError) {
            return try reading(asOf: now) { snapshot in
                // What the first of them says is known to the next ones.
                var others = DecisionsTogether(about: decisions.map(\.trip))
                return try zip(decisions, outcomes)
                    .map { decision, outcome in
                        defer { others.pass(decision.event, about: decision.trip) }
                        guard let position = outcome.receipt.storedPosition else { return outcome }
                        return try snapshot.complete(
                            outcome,
                            at: position,
                            about: decision.trip,
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

/// A decision with every name looked up, before it is appended.
private struct CheckedDecision {
    /// The event that says it.
    let event: TripEvent

    /// What odometers showed, to be appended with it.
    let readings: [TripEvent]

    /// The trip that it is about, of several the first.
    let trip: TripID?

    /// Why it may not be decided.
    let rejection: Rejection?

    var outcomeIfNotAppended: DecisionOutcome {
        DecisionOutcome(event: event, receipt: rejection.map { .rejected($0) } ?? .heldBack)
    }
}

extension Snapshot {
    /// Returns why a person may not decide what the catalogue of events would allow.
    ///
    /// Events that are appended as such are not judged by this: what a definition allows is a rule
    /// for people who enter values, and changes with time.
    fileprivate func rejection(
        of body: EventBody,
        for group: String?
    ) throws(LedgerError) -> Rejection? {
        if case .fieldDefined(let definition) = body { return definition.rejection }
        guard let fields = body.customFields else { return nil }
        let catalogue = try self.fields(for: group)
        do throws(Rejection) {
            try catalogue.check(fields)
            return nil
        } catch {
            return error
        }
    }

    /// Adds what the decision at a position has changed.
    ///
    fileprivate func complete(
        _ outcome: DecisionOutcome,
        at position: UInt64,
        about trip: TripID?,
        among others: DecisionsTogether
    ) throws -> DecisionOutcome {
        var outcome = outcome
        guard let stored = try log.storedEvent(at: position) else { return outcome }
        outcome.event = stored.event
        let isReport = stored.event.body.kind == .tripReported
        outcome.warnings = try readingWarnings(of: outcome)
        guard let trip = isReport ? TripID(openedBy: stored.identity) : trip else {
            if case .appended = outcome.receipt, stored.event.body.kind == .expenseRecorded {
                outcome.expense = try expense(recordedBy: stored)
                outcome.warnings += try warnings(of: outcome, among: others)
            }
            return outcome
        }
        outcome.trip = trip
        if case .appended = outcome.receipt {
            outcome.changes = try history(of: trip)
                .filter { $0.decision == stored.identity && $0.change.old != $0.change.new }
                .map(\.change)
        }
        outcome.mergedInto = try self.trip(.prefix(trip.description)).booked.mergedInto
        let shown = outcome.mergedInto ?? trip
        outcome.places = try places()
        if stored.event.body.kind == .tripSplit {
            outcome.trips = try parts(ofSplit: trip)
        } else {
            outcome.trips = [try self.trip(.prefix(shown.description))]
        }
        if case .appended = outcome.receipt {
            outcome.warnings =
                try warnings(of: outcome, among: others) + outcome.warnings
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

/// What a decision changed: the ledger's answer to
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

    /// The fields of that trip that are others than before; none if the decision says what was so
    /// already, or was not appended now.
    public var changes: [FieldChange] = []

    /// The trip that shows that one, if it is a part of a merged trip; the decision is then about
    /// that one.
    public var mergedInto: TripID?

    /// The trips that show what was decided, in order of their starts: the trip, or the one that it
    /// is a part of; after a split, its parts.
    public var trips: [TripRow] = []

    /// The places at which these trips may start and end.
    public var places = PlaceBook()

    /// What was paid, if the decision is about that, as it stands now.
    public var expense: RecordedExpense?

    /// What odometers showed, where that was appended with the decision.
    public var readings: [AnsweredEvent] = []

    /// What may be wrong with the decision, which was accepted all the same.
    public var warnings: [LedgerWarning] = []
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
