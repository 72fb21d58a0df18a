package import Projections
import Tables
import TripEvents
package import TripLedger
import TripTracking

/// The text for people about what a decision changed on a trip.
package struct DecisionText {
    private let outcome: DecisionOutcome

    private let trip: TripID

    /// Returns `nil` for a decision that is about no trip.
    package init?(_ outcome: DecisionOutcome) {
        guard let trip = outcome.trip else { return nil }
        self.outcome = outcome
        self.trip = trip
    }

    /// Returns a line for each field that changed, with times told by a clock.
    package func changes(by clock: LocalDay?) -> String {
        let style = TextStyle(clock: clock)
        return outcome.changes
            .map { change in
                let old = TripAmendment.shown(change.old, of: change.field).text(in: style)
                let new = TripAmendment.shown(change.new, of: change.field).text(in: style)
                return "Trip \(trip.short): \(Excerpt.escaped(change.field)) \(old) → \(new)\n"
            }
            .joined()
    }

    /// Why nothing changed, if nothing did; and whether the trip is part of another one or counts
    /// nowhere.
    package var effect: String {
        let counting = outcome.trips.first { $0.booked.id == self.trip }
            .flatMap { TripCounting($0.booked).text }
            .map { $0 + "\n" }
        let lead = outcome.mergedInto.map { "It is a part of trip \($0.short), which shows it.\n" }
        let nothing = "Nothing changed: trip \(trip.short) \(whatWasSo).\n"
        return (outcome.changes.isEmpty ? nothing : "") + (lead ?? counting ?? "")
    }

    /// Why restoring the trip undoes nothing; `nil` if nothing was decided of it.
    private var undoneElsewhere: String? {
        guard let booked = outcome.trips.first(where: { $0.booked.id == self.trip })?.booked else {
            return nil
        }
        if let whole = booked.excludedWith {
            return "is a part of trip \(whole.short), of which a stretch was excluded: "
                + "`ledger restore \(whole.short)` undoes that"
        }
        return booked.splitFrom.map { whole in
            "was split off from trip \(whole.short): `ledger restore \(whole.short)` undoes that"
        }
    }

    private var whatWasSo: String {
        switch outcome.event.body.kind {
        case .tripVoided: "was voided already"
        case .tripRestored:
            undoneElsewhere
                ?? "was neither voided, adjusted, merged nor split, and nothing of it was excluded"
        case .distanceAdjusted: "had this distance already"
        default: "said so already"
        }
    }
}

/// Why a trip counts nowhere, and the command that changes that.
package struct TripCounting {
    private let booked: BookedTrip

    /// Looks at a trip.
    package init(_ booked: BookedTrip) {
        self.booked = booked
    }

    /// Why it counts nowhere and what to do, in a sentence or two; `nil` if it counts, or will
    /// once it has ended.
    package var text: String? {
        switch booked.status {
        case .active, .completed: nil
        case .merged: "It counts as a part of \(booked.mergedInto?.short ?? "another trip")."
        case .voided:
            "It counts nowhere, because it was voided: `ledger restore \(id)` undoes that."
        case .abandoned: "It counts nowhere (\(reason)): \(cure)"
        }
    }

    private var id: String { booked.id.short }

    private var reason: String {
        switch booked.abandonReason {
        case .noPosition?: "no fix says where it was"
        case .falseStart?: "too short, and not started by GO"
        case .walkingPace?: "it went at walking pace"
        case .afterStop?: "the way to the parking place, after STOP"
        case .notByCar?: "by bicycle or rail"
        case .discarded?: "given up after its recorder died"
        case nil: "it was not a trip"
        }
    }

    private var cure: String {
        switch booked.abandonReason {
        case .notByCar?, .walkingPace?:
            "if it was by car, say so with `ledger edit \(id) --mode car`."
        default:
            hasEnd
                ? "if it was a trip, enter it with `\(entry)`."
                : "`ledger stop --at TIME` says when it ended, and readings of the odometer at "
                    + "both ends say how far it was."
        }
    }

    /// Whether its end is known, and later than its start.
    private var hasEnd: Bool {
        booked.trip.endedAt.map { $0.timestamp > booked.trip.startedAt.timestamp } ?? false
    }

    /// The command that enters the trip as a reported one, with what is known of it.
    private var entry: String {
        guard let end = booked.trip.endedAt else { return "ledger report-trip" }
        let vehicle = booked.details.vehicle.map { " --vehicle \(ShellWord.quoted($0))" } ?? ""
        return "ledger report-trip --from \(Self.text(booked.trip.startedAt)) "
            + "--to \(Self.text(end))\(Excerpt.escaped(vehicle)) --km KM"
    }

    /// Returns a time as a command takes it, without milliseconds if they are zero.
    private static func text(_ time: EventTime) -> String {
        RFC3339.text(time.timestamp, utcOffset: time.utcOffset).replacing(".000", with: "")
    }
}
