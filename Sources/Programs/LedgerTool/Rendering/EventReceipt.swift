import ArgumentParser
import LedgerRows
import Tables
import TripEvents
import TripLedger

/// The answer to one event, in words or for programs.
struct EventReceipt {
    private let receipt: Receipt
    private let event: TripEvent
    private let effect: EventOutcome

    init(_ receipt: Receipt, for event: TripEvent, effect: EventOutcome = EventOutcome()) {
        self.receipt = receipt
        self.event = event
        self.effect = effect
    }

    /// The answer to a decision, with its changes, and its other effects as sentences.
    init(_ outcome: DecisionOutcome, _ sentences: String = "") {
        self.init(
            outcome.receipt,
            for: outcome.event,
            effect: EventOutcome(outcome, sentences)
        )
    }

    /// The answer to an odometer reading, with what may be wrong with it.
    init(reading: TripEvent, _ receipt: Receipt, in ledger: Ledger) {
        var effect = EventOutcome()
        if case .appended(let position) = receipt {
            effect.warnings =
                (try? ledger.readNow { try $0.warnings(aboutReading: reading, at: position) }) ?? []
        }
        self.init(receipt, for: reading, effect: effect)
    }

    /// Whether the event is in the ledger now.
    var isAccepted: Bool {
        switch receipt {
        case .appended, .duplicate: true
        case .conflict, .rejected, .heldBack, .passedOver: false
        }
    }

    /// The outcome of the event; empty if there is only an error to report.
    var text: String {
        switch receipt {
        case .appended(let position):
            "Appended \(name) of \(time) at position \(position).\n"
        case .duplicate(let position):
            "This \(name) of \(time) is at position \(position) already; nothing was appended.\n"
        case .conflict, .rejected, .heldBack, .passedOver: ""
        }
    }

    /// Why the event is not in the ledger; empty if it is.
    var complaint: String {
        LineProblem(place: name, receipt)?.text ?? ""
    }

    private var name: String { event.body.kind?.name ?? "event" }

    private var time: String {
        LocalTime.text(EventTime(event.occurredAt, utcOffset: event.utcOffset))
    }

    /// Shows the answer.
    ///
    /// - Throws: `ExitCode` 1 if the event was not accepted.
    func show(_ options: GlobalOptions<some FormatChoice>) throws {
        do {
            try Output.standard.writing { output in
                switch options.format {
                case .json:
                    try output.writeLine(json: EventAnswer(receipt: receipt, effect: effect))
                case .text, .csv, .ids: try output.write(text)
                }
            }
        } catch var error as OutputError {
            // A user who saw only the error would send the event again.
            error.afterword = text
            throw error
        }
        if options.format != .json {
            Diagnostic.write(complaint)
            for warning in effect.warnings { Diagnostic.say(WarningText(warning).text) }
        }
        if !isAccepted { throw ExitCode(1) }
    }
}

/// A line that was not appended, as it is shown to people.
struct LineProblem {
    private let place: String
    private let cause: String
    private let excerpt: String

    /// Returns `nil` for a line that is in the ledger.
    init?(_ answer: LineReceipt) {
        self.init(
            place: "\(Excerpt.escaped(answer.file)):\(answer.line)",
            answer.receipt,
            excerpt: answer.excerpt
        )
    }

    /// Returns `nil` for an event that is in the ledger.
    ///
    /// The place is converted to text only for a problem: most of a million lines have none.
    init?(place: @autoclosure () -> String, _ receipt: Receipt, excerpt: String = "") {
        switch receipt {
        case .appended, .duplicate, .passedOver: return nil
        case .conflict(let position, let fields):
            cause =
                "another event with this id is at position \(position)"
                + (fields.isEmpty ? "" : "; it differs in \(fields.joined(separator: ", "))")
                + " (conflict)"
        case .rejected(let rejection):
            let sentence = ProgramName.shown(Self.withoutFullStop(rejection.sentence))
            cause = "\(sentence) (\(rejection.code.rawValue))"
        case .heldBack:
            cause = "held back, because other lines cannot be appended (held_back)"
        }
        self.place = place()
        self.excerpt = excerpt
    }

    /// Place and cause, and the beginning of the line below them.
    var text: String {
        "ledger: error: \(place): \(cause)\n" + (excerpt.isEmpty ? "" : "    \(excerpt)\n")
    }

    private static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

/// A warning as people read it.
struct WarningText {
    private let warning: LedgerWarning

    init(_ warning: LedgerWarning) {
        self.warning = warning
    }

    /// The warning, and on a line of its own the command that takes the decision back.
    var text: String {
        "ledger: warning: \(Excerpt.escaped(warning.message)).\n"
            + "`\(Excerpt.escaped(warning.undo))` takes it back.\n"
    }
}
