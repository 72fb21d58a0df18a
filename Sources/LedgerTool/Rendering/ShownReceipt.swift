import ArgumentParser
import Projections
import RowFormats
import TripEvents
import TripLedger

/// The answer to one event, in words or for programs.
struct ShownReceipt {
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
