import TripEvents
import TripLedger

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
