package import TripEvents

extension Decision {
    /// The trips that the decision names.
    package var namedTrips: [TripID] {
        switch event.body {
        case .goPressed: [TripID(openedBy: order.identity)]
        case .detailsEdited(let edit): [edit.trip]
        case .routineApplied(let application): [application.trip]
        case .tripsMerged(let merge): merge.trips
        case .tripSplit(let split): [split.trip]
        case .tripVoided(let voiding): [voiding.trip]
        case .tripRestored(let restoring): [restoring.trip]
        case .distanceAdjusted(let adjustment): [adjustment.trip]
        case .entriesErased(let erasure): erasure.erasedFrom ?? []
        default: []
        }
    }

    /// The trip that the decision makes: the reported one, or the second part of a split one, which
    /// the tracker opens with the event that splits.
    package var madeTrip: TripID? {
        switch event.body {
        case .tripReported, .tripSplit: TripID(openedBy: order.identity)
        default: nil
        }
    }

    /// When the named trip started, by which the decision finds it if its id has gone.
    var tripStartedAt: Timestamp? { tripStart?.timestamp }

    /// When the named trip started, as the decision says it.
    var tripStart: EventTime? {
        switch event.body {
        case .goPressed: EventTime(event.occurredAt, utcOffset: event.utcOffset)
        case .detailsEdited(let edit): edit.tripStartedAt
        case .routineApplied(let application): application.tripStartedAt
        case .tripSplit(let split): split.tripStartedAt
        case .tripVoided(let voiding): voiding.tripStartedAt
        case .tripRestored(let restoring): restoring.tripStartedAt
        case .distanceAdjusted(let adjustment): adjustment.tripStartedAt
        default: nil
        }
    }

    /// The trip that the decision reports, if it reports one.
    var report: TripReported? {
        guard case .tripReported(let report) = event.body else { return nil }
        return report
    }

    /// The name of the routine that the decision applies, if it applies one.
    var appliedRoutine: String? {
        switch event.body {
        case .goPressed(let press): press.routine
        case .routineApplied(let application): application.routine
        default: nil
        }
    }

    /// Why, in the words of the person who decided.
    var why: String? {
        switch event.body {
        case .tripsMerged(let merge): merge.why
        case .tripSplit(let split): split.why
        case .tripVoided(let voiding): voiding.why
        case .tripRestored(let restoring): restoring.why
        case .distanceAdjusted(let adjustment): adjustment.why
        case .entriesErased(let erasure): erasure.why
        default: nil
        }
    }
}
