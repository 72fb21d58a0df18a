import RowCoding
import TripEvents
package import TripTracking

// A trip of which only GO and STOP tell has the distance between what the odometer of its vehicle
// showed at the one and at the other. Readings are looked up by the very instants of the presses,
// so that nothing else has to be known: neither other trips nor other readings can lie between.
extension BookDraft {
    /// Notes that trips are to be booked again, because what they may go by has changed.
    mutating func noteDue<Rows: OrderedRowStore & ~Copyable>(
        _ trips: [TripID],
        in rows: inout Rows
    ) throws {
        for trip in trips { try noteDue(trip, in: &rows) }
    }

    /// The keys under which a trip is found that may go by the odometer.
    func odometerEndKeys(of trip: Trip) -> [[UInt8]] {
        [trip.startedAt, trip.endedAt].compactMap(\.self)
            .map { BookKey.odometerEnd($0.timestamp, trip.id) }
    }

    /// Returns what the odometer of its vehicle showed at both ends of a trip, if that is known.
    func odometer<Rows: OrderedRowStore & ~Copyable>(
        of member: BookedCluster.Member,
        routines: [EventOrder: Routine],
        _ rows: borrowing Rows
    ) throws -> OdometerSpan? {
        guard let trip = member.entry.measured, let endedAt = trip.endedAt else { return nil }
        var fold = DetailsFold(vehicle: trip.vehicle)
        for decision in member.decisions where DetailsFold.concerns(decision) {
            fold.apply(decision, routine: routines[decision.order])
        }
        guard let vehicle = fold.details.vehicle else { return nil }
        return OdometerSpan(
            from: try readings(of: vehicle, at: trip.startedAt.timestamp, rows),
            to: try readings(of: vehicle, at: endedAt.timestamp, rows)
        )
    }

    private func readings<Rows: OrderedRowStore & ~Copyable>(
        of vehicle: String,
        at instant: Timestamp,
        _ rows: borrowing Rows
    ) throws -> [OdometerReading] {
        let made = BookKey.decisions(on: .vehicles, at: instant)
        let corrections = BookKey.corrections(of: instant)
        let decisions = try [made, corrections]
            .flatMap { keys in
                try rows.rows(in: keys, isDescending: false, limit: .max)
                    .map { try DecisionTopic.decision(decoding: $0.value) }
            }
        // What was said at that instant of another one is left out; a correction stands in both.
        return VehicleBook(Array(Set(decisions))).readings(of: vehicle)
            .filter { $0.readAt.timestamp == instant }
    }
}

extension Trip {
    /// Whether it is known from GO and STOP alone, so that what an odometer showed then says how
    /// far it went.
    package var mayGoByOdometer: Bool {
        abandonReason == .noPosition && endedBy == .press && endedAt != nil
    }

    /// The same trip with the distance that an odometer showed: it came to something.
    package func going(by odometer: OdometerSpan) -> Trip {
        var trip = self
        trip.distance = odometer.distance
        trip.status = .completed
        trip.abandonReason = nil
        return trip
    }
}
