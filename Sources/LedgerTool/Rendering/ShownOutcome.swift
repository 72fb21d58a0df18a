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
        guard !outcome.changes.isEmpty else {
            return "Nothing changed: trip \(trip) \(whatWasSo).\n"
        }
        return
            outcome.changes
            .map { change in
                let old = ShownValue(change.old, of: change.field).text
                let new = ShownValue(change.new, of: change.field).text
                return "Trip \(trip): \(Excerpt.escaped(change.field)) \(old) → \(new)\n"
            }
            .joined()
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
