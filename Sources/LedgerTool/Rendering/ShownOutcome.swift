import Projections
import RowFormats
import TripEvents
import TripLedger

/// What a decision changed about a trip, for people.
struct ShownOutcome {
    private let outcome: DecisionOutcome

    private let trip: TripID

    /// Returns `nil` for a decision that is about no trip.
    init?(_ outcome: DecisionOutcome) {
        guard let trip = outcome.trip else { return nil }
        self.outcome = outcome
        self.trip = trip
    }

    /// A line for each field that changed, or one that says why none did.
    var text: String {
        let trip = self.trip.short
        let lines = outcome.changes.map { change in
            let old = TripAmendment.shown(change.old, of: change.field)
            let new = TripAmendment.shown(change.new, of: change.field)
            return "Trip \(trip): \(Excerpt.escaped(change.field)) \(old) → \(new)\n"
        }
        let lead = outcome.mergedInto.map { "It is a part of trip \($0.short), which shows it.\n" }
        let nothing = "Nothing changed: trip \(trip) \(whatWasSo).\n"
        return (lines.isEmpty ? nothing : lines.joined()) + (lead ?? "")
    }

    private var whatWasSo: String {
        switch outcome.event.body.kind {
        case .tripVoided: "was voided already"
        case .tripRestored: "was neither voided, adjusted, merged nor split"
        case .distanceAdjusted: "had this distance already"
        default: "said so already"
        }
    }
}
