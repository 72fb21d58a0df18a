public import Geodesy
import TripEvents
import TripTracking

/// A reading of an odometer, compared with the one before it and with the trips in between.
///
/// A trip lies between two readings if it starts at the first one or after it and before the second
/// one. Only trips that count are summed, with the distance that counts.
public struct OdometerComparison: Hashable, Sendable {
    /// What the odometer showed.
    public let reading: OdometerReading

    /// By how much more it showed than at the reading before; less than nothing if it went
    /// backwards, `nil` for the first reading.
    public let difference: Distance?

    /// The sum over the trips since the reading before; `nil` for the first reading.
    public let driven: Distance?

    /// Whether the odometer showed less than before.
    public var isBackwards: Bool { difference.map { $0 < .zero } ?? false }

    /// The part of the difference that the trips explain, in thousandths; `nil` where the odometer
    /// did not go forwards.
    public var explainedThousandths: Int64? {
        guard let difference, let driven, difference > .zero else { return nil }
        return Int64((driven.meters / difference.meters * 1_000).rounded())
    }

    /// Compares the readings of a vehicle.
    ///
    /// - Parameters:
    ///   - readings: what its odometer showed, in order of time.
    ///   - vehicle: its name.
    ///   - trips: the trips of all vehicles, in any order.
    /// - Returns: one for each reading.
    public static func list(
        _ readings: [OdometerReading],
        of vehicle: String,
        with trips: [BookedTrip]
    ) -> [OdometerComparison] {
        var own =
            trips.filter { booked in
                booked.counts && booked.details.vehicle?.utf8.elementsEqual(vehicle.utf8) == true
            }
            .map { (startedAt: $0.trip.startedAt.timestamp, distance: $0.claimedDistance) }
            .sorted { $0.startedAt < $1.startedAt }[...]
        var comparisons: [OdometerComparison] = []
        var last: OdometerReading?
        for reading in readings {
            var driven = Distance.zero
            while let trip = own.first, trip.startedAt < reading.readAt.timestamp {
                driven += trip.distance
                own.removeFirst()
            }
            comparisons.append(
                OdometerComparison(
                    reading: reading,
                    difference: last.map { reading.distance - $0.distance },
                    driven: last == nil ? nil : driven
                )
            )
            last = reading
        }
        return comparisons
    }
}
