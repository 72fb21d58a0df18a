import Geodesy
import Projections
public import TripEvents
import TripTracking
import TripsProjection

/// The odometer readings of a vehicle at both ends of a trip.
public struct OdometerEnds: Hashable, Sendable {
    /// The reading at the start.
    public var start: ExactDecimal

    /// The reading at the end.
    public var end: ExactDecimal

    /// Creates both readings.
    public init(start: ExactDecimal, end: ExactDecimal) {
        self.start = start
        self.end = end
    }
}

extension Snapshot {
    /// Returns the unit of a vehicle's odometer: that of the last reading, else the ledger's at an
    /// instant.
    func odometerUnit(
        of vehicle: String,
        for group: String?,
        at instant: Timestamp
    ) throws(LedgerError) -> DistanceUnit {
        try vehicles().readings(of: vehicle, for: group).last?.reading.unit
            ?? settings.units(at: instant)
    }

    /// Returns the event that says what the odometer showed when GO or STOP was pressed.
    ///
    /// It is of the vehicle that the press names, else of the routine's, else, at STOP, of the trip
    /// that was the last to start.
    ///
    /// - Parameters:
    ///   - value: What it showed, in the unit of the reading before, else the ledger's.
    ///   - press: The press, which happens at the same moment.
    /// - Returns: The reading, as an event of the same source and moment.
    /// - Throws: `.notFound` if nothing names a vehicle; `.damaged`, `.inputOutput`.
    public func odometerReading(
        _ value: ExactDecimal,
        at press: TripEvent
    ) throws(LedgerError) -> TripEvent {
        guard let vehicle = try vehicle(of: press) else {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "nothing says whose odometer it is",
                hint: "Name the vehicle with --vehicle"
            )
        }
        let read = OdometerRead(
            vehicle: vehicle,
            value: value,
            unit: try odometerUnit(of: vehicle, for: press.group, at: press.occurredAt),
            method: .typed
        )
        return TripEvent(
            source: press.source,
            group: press.group,
            occurredAt: press.occurredAt,
            utcOffset: press.utcOffset,
            body: .odometerRead(read)
        )
    }

    private func vehicle(of press: TripEvent) throws(LedgerError) -> String? {
        switch press.body {
        case .goPressed(let go):
            if let vehicle = go.vehicle { return vehicle }
            guard let routine = go.routine else { return nil }
            return try routines().routine(named: routine, for: press.group)?.details.vehicle
        case .stopPressed(let stop):
            if let vehicle = stop.vehicle { return vehicle }
            return try asking { try tripPressed(by: press)?.booked.details.vehicle }
        default: return nil
        }
    }

    /// Looks up what a report of a trip by the odometer says.
    func resolve(
        _ report: TripReported,
        by odometer: OdometerEnds?,
        for group: String?
    ) throws(LedgerError) -> DecisionResolution {
        guard let odometer else { return DecisionResolution(body: .tripReported(report)) }
        guard let vehicle = report.details.vehicle else {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "nothing says whose odometer it is",
                hint: "Name the vehicle with --vehicle"
            )
        }
        let unit = try odometerUnit(of: vehicle, for: group, at: report.endedAt.timestamp)
        let values = [(report.startedAt, odometer.start), (report.endedAt, odometer.end)]
        let lengths = values.map { Distance(nearestTo: $0.1, unit).millimeters }
        var report = report
        let meters = ExactDecimal(significand: max(0, lengths[1] - lengths[0]), decimals: 3)
        report.distanceMeters = meters ?? report.distanceMeters
        return DecisionResolution(
            body: .tripReported(report),
            readings: values.map { at, value in
                (
                    at: at,
                    read: OdometerRead(vehicle: vehicle, value: value, unit: unit, method: .typed)
                )
            }
        )
    }
}
