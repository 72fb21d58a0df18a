import Projections
import TripEvents
import TripLedger

/// What a decision changed about a trip, for people.
struct ShownOutcome {
    private let outcome: DecisionOutcome

    init(_ outcome: DecisionOutcome) {
        self.outcome = outcome
    }

    /// A line for each field that changed, or one that says why none did.
    var text: String {
        let trip = outcome.trip.short
        let lines = outcome.changes.map { change in
            let old = ShownValue.text(change.old, of: change.field)
            let new = ShownValue.text(change.new, of: change.field)
            return "Trip \(trip): \(Excerpt.escaped(change.field)) \(old) → \(new)\n"
        }
        let lead = outcome.mergedInto.map { "It is a part of trip \($0.short), which shows it.\n" }
        let nothing = "Nothing changed: trip \(trip) \(whatWasSo).\n"
        return (lines.isEmpty ? nothing : lines.joined()) + (lead ?? "")
    }

    private var whatWasSo: String {
        switch outcome.kind {
        case .tripVoided: "was voided already"
        case .tripRestored: "was neither voided, adjusted, merged nor split"
        case .distanceAdjusted: "had this distance already"
        default: "said so already"
        }
    }
}
