import Geodesy
import Platform
import Projections
import TripEvents
import TripLedger

/// Trips that a driver reports from ways that another app inferred.
struct InferredTrips {
    private let filter: InferenceFilter
    private let mode: TravelMode
    private let vehicle: String?

    /// Prepares to report the ways that meet a filter and were made by some means, with a vehicle.
    init(_ filter: InferenceFilter, mode: TravelMode, vehicle: String?) {
        var filter = filter
        filter.kind = .activity
        self.filter = filter
        self.mode = mode
        self.vehicle = vehicle
    }

    /// Reports the trips, and says how many and which ways were left out.
    ///
    /// - Throws: `ExitCode` if one was not accepted; `LedgerError`.
    func report(
        in ledger: Ledger,
        _ decision: DecisionOptions,
        _ options: GlobalOptions<some FormatChoice>
    ) throws {
        let (ways, taken) = try ledger.readNow { snapshot in
            let trips = try snapshot.trips(TripFilter(includesUncounted: true))
                .map { row in
                    let start = row.trip.startedAt.timestamp
                    return start...max(start, row.trip.endedAt?.timestamp ?? start)
                }
            return (try snapshot.inferences(filter), trips)
        }
        var reports: [TripReported] = []
        var (besideTrips, withoutDistance) = (0, 0)
        for way in ways.reversed() where isMadeSo(way.inference) {
            guard !taken.contains(where: { Self.overlap(way, $0) }) else {
                besideTrips += 1
                continue
            }
            guard let report = report(of: way) else {
                withoutDistance += 1
                continue
            }
            reports.append(report)
        }
        if !reports.isEmpty {
            try decision.decide(reports.map { .reportTrip($0) }, in: ledger, options)
        }
        say(reports.count, besideTrips, withoutDistance)
    }

    private func say(_ made: Int, _ besideTrips: Int, _ withoutDistance: Int) {
        var sentences = ["\(Count.text(made, "trip was", "trips were")) reported."]
        if besideTrips > 0 {
            let ways = Count.text(besideTrips, "way", "ways")
            sentences.append("\(ways) had a trip already.")
        }
        if withoutDistance > 0 {
            sentences.append(
                "\(Count.text(withoutDistance, "way says", "ways say")) no distance, and none is "
                    + "guessed: `ledger report-trip`."
            )
        }
        if made > 0 { sentences.append("Next: `ledger inbox`.") }
        Diagnostic.say(sentences.joined(separator: " ") + "\n")
    }

    /// Whether a way was made by the means that were asked for.
    ///
    /// A program that names no means of transport, such as Traccar, follows vehicles.
    private func isMadeSo(_ inference: InferenceReported) -> Bool {
        let isUnsaid = inference.mode == nil && inference.activity == nil
        return isUnsaid ? mode == .car : inference.mode == mode
    }

    private static func overlap(_ way: ReportedInference, _ trip: ClosedRange<Timestamp>) -> Bool {
        let (start, end) = (way.inference.startedAt.timestamp, way.inference.endedAt.timestamp)
        return start < trip.upperBound && trip.lowerBound < end
            || start == trip.lowerBound && end == trip.upperBound
    }

    /// Returns the trip for a way; `nil` if the way has no distance.
    private func report(of way: ReportedInference) -> TripReported? {
        let inference = way.inference
        guard let meters = inference.claimedMeters, meters.doubleValue >= 0,
            inference.startedAt.timestamp <= inference.endedAt.timestamp
        else { return nil }
        var report = TripReported(
            startedAt: inference.startedAt,
            endedAt: inference.endedAt,
            distanceMeters: meters,
            importedFrom: inference.inferredBy,
            details: TripDetails(vehicle: vehicle)
        )
        report.originAddress = inference.originAddress
        report.destinationAddress = inference.destinationAddress
        // Saved places, routines and maps know its ends by their positions.
        if inference.latitude != nil, inference.longitude != nil {
            (report.latitude, report.longitude) = (inference.latitude, inference.longitude)
        }
        if inference.toLatitude != nil, inference.toLongitude != nil {
            report.toLatitude = inference.toLatitude
            report.toLongitude = inference.toLongitude
        }
        return report
    }
}
