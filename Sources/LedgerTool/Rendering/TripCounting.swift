import Projections
import RowFormats
import TripTracking

/// Why a trip counts nowhere, and the command that changes that.
struct TripCounting {
    private let booked: BookedTrip

    init(_ booked: BookedTrip) {
        self.booked = booked
    }

    /// Why it counts nowhere and what to do, in a sentence or two; `nil` if it counts, or will
    /// once it has ended.
    var text: String? {
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
        case nil: "it came to nothing"
        }
    }

    private var cure: String {
        switch booked.abandonReason {
        case .notByCar?, .walkingPace?:
            "if it was by car, say so with `ledger edit \(id) --mode car`."
        default: "if it was a trip, enter it with `ledger report-trip`."
        }
    }
}
