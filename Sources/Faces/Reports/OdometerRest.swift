import Geodesy
import Projections
import TripEvents

/// The distance on a vehicle's odometer between two readings that no trip recorded: a line of its
/// own in a mileage log.
///
/// It counts on the local day on which the longest time without a trip between the readings began.
struct OdometerRest: Hashable, Sendable {
    /// The least distance that has a line: less may be due to the odometer's rounding.
    static let leastOfLine = Distance(millimeters: 1_000_000)

    /// The vehicle.
    let vehicle: String

    /// When the time without a trip began; where there is none, the second reading.
    let from: Timestamp

    /// When it ended.
    let to: Timestamp

    /// What the odometer showed when it began.
    let odometer: Distance

    /// The distance that no trip recorded; always positive.
    let distance: Distance

    /// When that time began, in UTC: an odometer has no zone of its own.
    var startedAt: EventTime { EventTime(from) }

    /// What the odometer showed when it ended.
    var odometerAfter: Distance { odometer + distance }

    /// Whether it has a line of its own.
    var hasLine: Bool { distance >= Self.leastOfLine }

    /// Returns whether it belongs to a vehicle.
    func isOf(_ name: String) -> Bool { vehicle.hasSameBytes(as: name) }

    /// Returns the distances on an odometer that no trip recorded, from each reading to the next.
    ///
    /// - Parameters:
    ///   - vehicle: the vehicle.
    ///   - derived: what its odometer showed.
    ///   - readings: the readings from which that was derived.
    /// - Returns: one for each interval in which there is such a distance.
    static func list(
        of vehicle: String,
        _ derived: DerivedOdometer,
        _ readings: [OdometerReading]
    ) -> [OdometerRest] {
        zip(derived.intervals, readings.dropFirst())
            .compactMap { interval, next in
                guard let distance = interval.unrecorded, distance > .zero else { return nil }
                let readAt = next.readAt.timestamp
                return OdometerRest(
                    vehicle: vehicle,
                    from: interval.idle?.from ?? readAt,
                    to: interval.idle?.to ?? readAt,
                    odometer: interval.idle?.odometer ?? next.distance - distance,
                    distance: distance
                )
            }
    }
}
