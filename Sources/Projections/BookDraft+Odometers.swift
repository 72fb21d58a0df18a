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
    ///
    /// Its vehicle is the one that the presses name, whatever people say later: what was measured
    /// does not depend on decisions. If they name none, it is the only one that was read at both.
    func odometer<Rows: OrderedRowStore & ~Copyable>(
        of trip: Trip,
        _ rows: borrowing Rows
    ) throws -> OdometerSpan? {
        guard let endedAt = trip.endedAt?.timestamp else { return nil }
        let first = try readings(at: trip.startedAt.timestamp, of: trip.group, rows)
        let last = try readings(at: endedAt, of: trip.group, rows)
        let names = Set(first.names).intersection(last.names)
        guard let vehicle = trip.vehicle ?? (names.count == 1 ? names.first : nil) else {
            return nil
        }
        return OdometerSpan(
            from: first.readings(of: vehicle, for: trip.group),
            to: last.readings(of: vehicle, for: trip.group)
        )
    }

    /// Returns what odometers of a group and of the owner showed at an instant, with what corrects
    /// it.
    private func readings<Rows: OrderedRowStore & ~Copyable>(
        at instant: Timestamp,
        of group: String?,
        _ rows: borrowing Rows
    ) throws -> VehicleBook {
        let made = BookKey.decisions(on: .vehicles, at: instant)
        let corrections = BookKey.corrections(of: instant)
        let decisions = try [made, corrections]
            .flatMap { keys in
                try rows.rows(in: keys, isDescending: false, limit: .max)
                    .map { try DecisionTopic.decision(decoding: $0.value) }
            }
        // What was said at that instant of another one is no reading of it; a correction stands in
        // both.
        let readings = Set(decisions)
            .filter { decision in
                guard case .odometerRead(let reading) = decision.event.body,
                    decision.concerns(group)
                else { return false }
                let readAt = reading.corrects?.timestamp ?? decision.order.occurredAt
                return readAt == instant
            }
        return VehicleBook(Array(readings))
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
