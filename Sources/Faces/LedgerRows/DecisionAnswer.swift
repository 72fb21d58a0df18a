package import Projections
package import Tables
package import TripEvents
package import TripLedger

/// The answer to a decision: an item of `decisions-answer.v1.schema.json`.
///
/// One who may not read gets receipts and nothing of what trips, expenses and readings said before
/// or say now.
package struct DecisionAnswer: Tabular, Sendable {
    private let outcome: DecisionOutcome

    /// Whether the asker may read.
    private let mayRead: Bool

    /// Creates the answer.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the decision.
    ///   - mayRead: Whether the asker may read.
    package init(_ outcome: DecisionOutcome, toReader mayRead: Bool) {
        self.outcome = outcome
        self.mayRead = mayRead
    }

    private var effect: EventOutcome {
        guard mayRead else { return EventOutcome() }
        guard case .appended = outcome.receipt else { return EventOutcome(outcome, "") }
        return EventOutcome(outcome, DecisionText(outcome)?.effect ?? "")
    }

    private var trips: [NamedTrip] {
        outcome.trips.map { NamedTrip($0.booked, places: outcome.places) }
    }

    /// The columns.
    package static let columns = Columns<DecisionAnswer> {
        Column.name("type") { $0.outcome.event.body.kind?.name }
        EventAnswer.columns.of { EventAnswer(receipt: $0.outcome.receipt, effect: $0.effect) }
        Column.rows("trips", NamedTrip.columns) { $0.trips }
            .optional(onlyWhere: { $0.mayRead && !$0.outcome.trips.isEmpty })
        Column.name("expense") { answer in
            answer.mayRead ? answer.outcome.expense?.id.description : nil
        }
        .optional
        Column.rows("readings", Receipt.columns) { $0.outcome.readings.map(\.receipt) }
            .optional(onlyWhere: { !$0.outcome.readings.isEmpty })
        Column("undo", nil, .object) { $0.undo }.optional
        Column.list("undo_takes_back") { answer in
            let taken = answer.outcome.undoRestores
            return taken.isEmpty || !answer.mayRead ? nil : taken.map(\.rawValue)
        }
        .optional
    }

    private var undo: Cell {
        guard mayRead, let undo = outcome.undo else { return .none }
        var json: [UInt8] = []
        DecisionRequest(undo).appendJSON(to: &json)
        return .json(json)
    }

    /// Appends the answer to decisions that were asked for together.
    ///
    /// - Parameters:
    ///   - answers: The answers, in the order of the decisions.
    ///   - head: The log's head after the commit.
    ///   - bytes: Gets the object.
    ///   - clock: The clock in which times are written; `nil` for each time's own offset.
    package static func append(
        _ answers: [DecisionAnswer],
        at head: LedgerHead,
        to bytes: inout [UInt8],
        by clock: LocalDay?
    ) {
        bytes.append(contentsOf: #"{"decisions":["#.utf8)
        for (index, answer) in answers.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            columns.appendJSON(answer, to: &bytes, by: clock)
        }
        bytes.append(contentsOf: #"],"size":\#(head.size),"root":"\#(head.root)"}"#.utf8)
    }
}

/// The effect on a trip of an event that a person reported or decided.
package struct EventOutcome: Sendable {
    /// The trip.
    package var trip: TripID?

    /// The changes to it; `nil` if nothing was decided about it.
    package var changes: [FieldChange]?

    /// The trip that shows that one, if it is a part of a merged one.
    package var mergedInto: TripID?

    /// The message for people, in sentences.
    package var message: String?

    /// The warnings about it, although it was accepted.
    package var warnings: [LedgerWarning] = []

    /// Joins what is known of it.
    package init(
        trip: TripID? = nil,
        changes: [FieldChange]? = nil,
        mergedInto: TripID? = nil,
        message: String? = nil,
        warnings: [LedgerWarning] = []
    ) {
        self.trip = trip
        self.changes = changes
        self.mergedInto = mergedInto
        self.message = message
        self.warnings = warnings
    }

    /// Takes the changes that a decision made, and its other effects as sentences.
    package init(_ outcome: DecisionOutcome, _ sentences: String) {
        self.init(
            trip: outcome.trip,
            changes: outcome.trip == nil ? nil : outcome.changes,
            mergedInto: outcome.mergedInto,
            message: sentences.isEmpty ? nil : Self.inOneLine(sentences),
            warnings: outcome.warnings
        )
    }

    /// Joins sentences, which people get on a line each, into one text for programs.
    package static func inOneLine(_ sentences: String) -> String {
        sentences.split(separator: "\n").joined(separator: " ")
    }
}

/// The answer to an event that came from no file: `receipt.v1.schema.json`.
package struct EventAnswer: Tabular, Sendable {
    private let receipt: Receipt
    private let effect: EventOutcome

    /// Joins the answer and what the event meant.
    package init(receipt: Receipt, effect: EventOutcome = EventOutcome()) {
        self.receipt = receipt
        self.effect = effect
    }

    /// The columns.
    package static let columns = Columns<EventAnswer> {
        Receipt.columns.of { $0.receipt }
        ownColumns
    }

    /// Those that the answer to a line of a file does not have.
    package static let ownColumns = Columns<EventAnswer> {
        Column.trip("trip") { $0.effect.trip }.optional
        Column.trip("merged_into") { $0.effect.mergedInto }.optional
        Column.rows("changes", FieldChange.columns) { $0.effect.changes ?? [] }
            .optional(onlyWhere: { $0.effect.changes != nil })
        Column.text("effect") { $0.effect.message }.optional
        Column.rows("warnings", LedgerWarning.columns) { $0.effect.warnings }
            .optional(onlyWhere: { !$0.effect.warnings.isEmpty })
    }
}

extension FieldChange: Tabular {
    /// Changes to a trip.
    package static let columns = Columns<FieldChange> {
        Column.text("field") { $0.field }
        Column.value("old") { $0.old }
        Column.value("new") { $0.new }
    }
}

extension LedgerWarning: Tabular {
    /// Warnings about an event that was accepted.
    package static let columns = Columns<LedgerWarning> {
        Column.name("code") { $0.code.rawValue }
        Column.text("message") { $0.message + "." }
        Column.text("undo") { $0.undo }
    }
}
