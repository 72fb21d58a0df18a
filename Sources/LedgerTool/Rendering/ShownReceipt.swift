import Projections
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
}
