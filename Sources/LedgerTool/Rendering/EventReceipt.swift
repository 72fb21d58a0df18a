import ArgumentParser
import Projections
import RowFormats
import TripEvents
import TripLedger

/// The answer to one event, in words or for programs.
struct EventReceipt {
    private let receipt: Receipt
    private let event: TripEvent

    init(_ receipt: Receipt, for event: TripEvent) {
        self.receipt = receipt
        self.event = event
    }

    /// Whether the event is in the ledger now.
    var isAccepted: Bool {
        switch receipt {
        case .appended, .duplicate: true
        case .conflict, .rejected, .heldBack: false
        }
    }

    /// What became of the event; empty if there is only something to complain about.
    var text: String {
        switch receipt {
        case .appended(let position):
            "Appended \(name) of \(time) at position \(position).\n"
        case .duplicate(let position):
            "This \(name) of \(time) is at position \(position) already; nothing was appended.\n"
        case .conflict, .rejected, .heldBack: ""
        }
    }

    /// Why the event is not in the ledger; empty if it is.
    var complaint: String {
        LineProblem(place: name, receipt)?.text ?? ""
    }

    /// For programs.
    var json: RowJSON { ReceiptJSON(receipt).json }

    private var name: String { event.body.kind?.name ?? "event" }

    private var time: String {
        LocalTime.text(EventTime(event.occurredAt, utcOffset: event.utcOffset))
    }

    /// Shows the answer.
    ///
    /// - Throws: `ExitCode` 1 if the event was not accepted.
    func show(_ options: GlobalOptions) throws {
        do {
            try Output.standard.writing { output in
                switch options.format {
                case .json: try output.writeLine(json)
                case .text, .csv: try output.write(text)
                }
            }
        } catch var error as OutputError {
            // A user who reads of the error only would send the event again.
            error.afterword = text
            throw error
        }
        Diagnostic.say(options.format == .json ? "" : complaint)
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
    /// The place is made into text only then: of a million lines, most are no problem.
    init?(place: @autoclosure () -> String, _ receipt: Receipt, excerpt: String = "") {
        switch receipt {
        case .appended, .duplicate: return nil
        case .conflict(let position, let fields):
            cause =
                "another event with this id is at position \(position)"
                + (fields.isEmpty ? "" : "; it differs in \(fields.joined(separator: ", "))")
                + " (conflict)"
        case .rejected(let rejection):
            cause = "\(Self.withoutFullStop(rejection.sentence)) (\(rejection.code.rawValue))"
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

/// A receipt for programs (`receipt.v1.schema.json`).
struct ReceiptJSON {
    let json: RowJSON

    /// The answer to a line of a file.
    init(_ answer: LineReceipt) {
        var json = RowJSON()
        json.add("file", text: answer.file)
        json.add("line", integer: Int64(answer.line))
        Self.add(answer.receipt, to: &json)
        self.json = json
    }

    /// The answer to an event that came from no file.
    init(_ receipt: Receipt) {
        var json = RowJSON()
        Self.add(receipt, to: &json)
        self.json = json
    }

    private static func add(_ receipt: Receipt, to json: inout RowJSON) {
        switch receipt {
        case .appended(let position):
            json.add("receipt", text: "appended")
            json.add("position", integer: Int64(position))
        case .duplicate(let position):
            json.add("receipt", text: "duplicate")
            json.add("of", integer: Int64(position))
        case .conflict(let position, let fields):
            json.add("receipt", text: "conflict")
            json.add("with", integer: Int64(position))
            json.add("fields", texts: fields)
        case .rejected(let rejection):
            json.add("receipt", text: "rejected")
            json.add("code", text: rejection.code.rawValue)
            json.add("message", text: rejection.sentence)
            if let column = rejection.column { json.add("column", integer: Int64(column)) }
            if let field = rejection.field { json.add("field", text: field) }
        case .heldBack:
            json.add("receipt", text: "held_back")
        }
    }
}
