import Geodesy
import Projections
import TripEvents
import TripTracking

/// The distance of trips up to each reading of an odometer.
struct OdometerCurves {
    private struct Curve {
        let vehicle: String
        let readings: [OdometerReading]

        /// The distance of the trips that started between a reading and the next one.
        var driven: [Distance]

        /// The index of the last reading before the current trip's start: trips come in order.
        var index = -1

        mutating func add(_ distance: Distance, at start: Timestamp) {
            while index + 1 < readings.count, readings[index + 1].readAt.timestamp <= start {
                index += 1
            }
            if index >= 0 { driven[index] += distance }
        }
    }

    private var curves: [[UInt8]: Curve] = [:]

    /// Begins without trips.
    init(_ vehicles: VehicleBook, only vehicle: String?) {
        for name in vehicles.names
        where vehicle.map({ $0.utf8.elementsEqual(name.utf8) }) ?? true {
            let readings = vehicles.readings(of: name)
            guard !readings.isEmpty else { continue }
            let none = [Distance](repeating: .zero, count: readings.count)
            curves[Array(name.utf8)] = Curve(vehicle: name, readings: readings, driven: none)
        }
    }

    /// Adds a trip; trips MUST come in order of their starts.
    mutating func add(_ booked: BookedTrip) {
        guard booked.counts, !curves.isEmpty, let vehicle = booked.details.vehicle else { return }
        let start = booked.trip.startedAt.timestamp
        curves[Array(vehicle.utf8)]?.add(booked.claimedDistance, at: start)
    }

    /// Returns the readings of a period.
    func points(in period: LocalPeriod) -> [SummaryReport.OdometerPoint] {
        curves.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .flatMap { _, curve in
                var driven = Distance.zero
                var points: [SummaryReport.OdometerPoint] = []
                for (reading, next) in zip(curve.readings, curve.driven) {
                    if period.contains(reading.readAt) {
                        points.append(
                            SummaryReport.OdometerPoint(
                                vehicle: curve.vehicle,
                                readAt: reading.readAt,
                                odometer: reading.distance,
                                driven: driven
                            )
                        )
                    }
                    driven += next
                }
                return points
            }
    }
}
