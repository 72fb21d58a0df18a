import Geodesy
import TripEvents
import TripTracking

extension BookedCluster {
    /// What the corrections so far have done to a trip.
    private struct Corrections {
        var isVoided = false
        var adjusted: Distance?
        var merges: [Decision] = []
        var splits: [Decision] = []
    }

    /// Returns every change that people made to a trip, in event order.
    func history(of id: TripID) -> [TripAmendment] {
        let scope = scope(of: id)
        guard let booked = bookedTrips[id] else { return [] }
        var fold = DetailsFold(vehicle: booked.trip.vehicle)
        var corrections = Corrections()
        return decisions(about: scope)
            .flatMap { filed -> [TripAmendment] in
                let decision = filed.decision
                guard let kind = decision.event.body.kind else { return [] }
                let routine = routine(appliedBy: decision)
                let changes =
                    correct(&corrections, filed, booked)
                    + fold.apply(decision, routine: routine)
                return changes.map {
                    TripAmendment(
                        $0,
                        by: decision,
                        kind: kind,
                        trip: Self.namedTrip(filed),
                        endedAt: booked.trip.endedAt?.timestamp
                    )
                }
            }
    }

    /// Returns the trip that a decision names: of one that was attached by time, the trip that has
    /// gone.
    private static func namedTrip(_ filed: Filed) -> TripID {
        let named = filed.decision.namedTrips
        let isOwn = named.contains(filed.trip) || filed.decision.madeTrip == filed.trip
        return isOwn ? filed.trip : named.first ?? filed.trip
    }

    private func correct(
        _ corrections: inout Corrections,
        _ filed: Filed,
        _ booked: BookedTrip
    ) -> [FieldChange] {
        let status = corrections.isVoided ? "voided" : booked.trip.status.rawValue
        switch filed.decision.event.body {
        case .tripReported(let report):
            let new = Distance(nearestTo: report.distanceMeters)
            return [FieldChange(field: "distance_m", old: nil, new: Self.value(new))]
        case .tripVoided:
            corrections.isVoided = true
            return [FieldChange(field: "status", old: .text(status), new: .text("voided"))]
        case .distanceAdjusted(let adjustment):
            let old = corrections.adjusted ?? measured(filed, booked)
            let new = Distance(nearestTo: adjustment.distanceMeters)
            corrections.adjusted = new
            return [
                FieldChange(field: "distance_m", old: Self.value(old), new: Self.value(new))
            ]
        case .tripsMerged(let merge):
            corrections.merges.append(filed.decision)
            return [FieldChange(field: "merged", old: nil, new: Self.value(merge.trips))]
        case .tripSplit(let split):
            corrections.splits.append(filed.decision)
            return [FieldChange(field: "split_at", old: nil, new: Self.value(split.splitAt))]
        case .tripRestored:
            return restore(&corrections, filed, booked, status)
        default:
            return []
        }
    }

    /// Undoes what restoring a trip undoes; there is always a line, so that it shows.
    private func restore(
        _ corrections: inout Corrections,
        _ filed: Filed,
        _ booked: BookedTrip,
        _ status: String
    ) -> [FieldChange] {
        var changes = [
            FieldChange(
                field: "status",
                old: .text(status),
                new: .text(booked.trip.status.rawValue)
            )
        ]
        corrections.isVoided = false
        if let adjusted = corrections.adjusted {
            let new = Self.value(measured(filed, booked))
            changes.append(FieldChange(field: "distance_m", old: Self.value(adjusted), new: new))
            corrections.adjusted = nil
        }
        for merge in corrections.merges where merge.namedTrips.contains(filed.trip) {
            changes.append(
                FieldChange(field: "merged", old: Self.value(merge.namedTrips), new: nil)
            )
        }
        corrections.merges.removeAll { $0.namedTrips.contains(filed.trip) }
        for decision in corrections.splits where decision.namedTrips.contains(filed.trip) {
            guard case .tripSplit(let split) = decision.event.body else { continue }
            changes.append(
                FieldChange(field: "split_at", old: Self.value(split.splitAt), new: nil)
            )
        }
        corrections.splits.removeAll { $0.namedTrips.contains(filed.trip) }
        return changes
    }

    /// Returns the measured distance that a decision found: of the merged trip if the trip was one.
    private func measured(_ filed: Filed, _ booked: BookedTrip) -> Distance {
        let isMerged = decisions(about: [filed.trip])
            .contains { other in
                guard case .tripsMerged = other.decision.event.body else { return false }
                return other.decision < filed.decision && !isUndone(other.decision)
            }
        let own = isMerged ? nil : trip(filed.trip)?.distance
        return own ?? booked.trip.distance
    }

    private static func value(_ distance: Distance) -> CustomValue {
        ExactDecimal(significand: distance.millimeters, decimals: 3).map(CustomValue.number)
            ?? .null
    }

    private static func value(_ trips: [TripID]) -> CustomValue {
        .text(trips.map(\.description).joined(separator: " "))
    }

    private static func value(_ time: EventTime) -> CustomValue {
        .text(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
    }
}
