import Geodesy
import Platform
import Projections
public import TripEvents
import TripTracking
import TripsProjection

/// A vehicle that is not registered and that no other trip has.
private struct UnknownVehicle {
    let name: String

    /// The known names that are nearest to its own.
    let nearest: NearestNames

    func warning(undo: String) -> LedgerWarning {
        let question = nearest.question.map { " \($0)" } ?? ""
        return LedgerWarning(
            code: .unknownVehicle,
            message: "\(name) is not registered, and no other trip has it.\(question) "
                + "`ledger vehicle register \(ShellWord.quoted(name))` registers it",
            undo: undo
        )
    }
}

// What may be wrong with the name of a vehicle, and with what its odometer shows.
extension Snapshot {
    /// Returns what may be wrong with the vehicle of a trip.
    ///
    /// - Parameters:
    ///   - row: The trip, as it is stored.
    ///   - others: The decisions that were stored with the one about it.
    ///   - undo: What takes the vehicle back; `nil` to name no vehicle.
    /// - Returns: The warning that the vehicle is not known, or none.
    /// - Throws: `LedgerError` or `LMDBError`.
    func vehicleWarnings(
        about row: TripRow,
        among others: DecisionsTogether? = nil,
        undo: String? = nil
    ) throws -> [LedgerWarning] {
        guard let name = row.booked.details.vehicle, others?.knows(vehicle: name) != true,
            let vehicle = try unknownVehicle(
                name,
                besides: row.trip.id,
                leavingOut: others?.undecided ?? []
            )
        else { return [] }
        let edit = "ledger edit \(row.trip.id.shortText)"
        let other = vehicle.nearest.names.first.map { "\(edit) --vehicle \(ShellWord.quoted($0))" }
        return [vehicle.warning(undo: other ?? undo ?? "\(edit) --clear vehicle")]
    }

    /// Returns the warning that the vehicle is not known for which something was paid, or none.
    func vehicleWarnings(
        aboutExpenseOf name: String,
        undo: String
    ) throws -> [LedgerWarning] {
        try unknownVehicle(name).map { [$0.warning(undo: undo)] } ?? []
    }

    /// Returns a vehicle with the known name that is nearest to its own, or `nil` if it is known
    /// itself: it is registered, or another trip has it.
    private func unknownVehicle(
        _ name: String,
        besides trip: TripID? = nil,
        leavingOut undecided: Set<TripID> = []
    ) throws -> UnknownVehicle? {
        let vehicles = try vehicles()
        // Whichever group has it: it is looked for a typing error.
        guard !vehicles.vehicles.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        var isKnown = false
        var names: Set<String> = []
        try store.scanTrips(isDescending: true) { row in
            guard row.trip.id != trip, !undecided.contains(row.trip.id),
                let other = row.booked.details.vehicle
            else { return true }
            isKnown = row.booked.isOf(vehicle: name)
            if names.count < Self.mostNames { names.insert(other) }
            return !isKnown
        }
        guard !isKnown else { return nil }
        let known = vehicles.vehicles.map(\.name) + names.sorted()
        return UnknownVehicle(name: name, nearest: NearestNames(to: name, among: known))
    }

    /// Among how many vehicles that are not registered the nearest name is looked for.
    private static let mostNames = 1_000

    /// Returns what may be wrong with a reading of an odometer, once it is stored at a position.
    ///
    /// - Parameters:
    ///   - event: The reading.
    ///   - position: Where it is stored.
    ///   - isAlone: Whether nothing else names its vehicle, such as a GO that was entered with it.
    /// - Returns: What may be wrong: at most one warning about the reading, and one about its
    ///   vehicle.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func warnings(
        aboutReading event: TripEvent,
        at position: UInt64,
        isAlone: Bool = false
    ) throws(LedgerError) -> [LedgerWarning] {
        guard case .odometerRead(let read) = event.body else { return [] }
        let readAt = read.corrects?.timestamp ?? event.occurredAt
        return try asking {
            let readings = try vehicles().readings(of: read.vehicle, for: event.group)
            let index = readings.firstIndex {
                $0.readAt.timestamp == readAt && $0.reading.value == read.value
            }
            guard let index else {
                // A reading that came later, or earlier, corrects those of this instant.
                return readings.filter { $0.readAt.timestamp == readAt }
                    .prefix(1)
                    .map { differing(read, from: $0) }
            }
            var warnings = try odometerWarnings(about: index, of: readings)
            if isAlone, readings.count == 1,
                let vehicle = try unknownVehicle(read.vehicle)
            {
                let undo = "ledger erase \(position) --why TEXT"
                warnings.append(vehicle.warning(undo: undo))
            }
            return warnings
        }
    }

    private func odometerWarnings(
        about index: Int,
        of readings: [OdometerReading]
    ) throws -> [LedgerWarning] {
        let new = readings[index]
        let vehicle = new.reading.vehicle
        let time = RFC3339.text(new.readAt.timestamp, utcOffset: new.readAt.utcOffset)
        let undo = "ledger odometer \(ShellWord.quoted(vehicle)) VALUE --corrects \(time)"
        func text(_ reading: OdometerReading) -> String { Self.text(reading.reading) }
        let neighbours = readings[max(0, index - 1)...min(index + 1, readings.count - 1)]
        for other in neighbours where other != new && other.distance != new.distance {
            guard other.readAt.timestamp != new.readAt.timestamp else {
                return [differing(new.reading, from: other)]
            }
            let isEarlier = other == neighbours.first
            guard isEarlier ? other.distance > new.distance : other.distance < new.distance else {
                continue
            }
            return [
                LedgerWarning(
                    code: .odometerBackwards,
                    message: "The odometer of \(vehicle) showed \(text(other)) on "
                        + "\(other.readAt.sentenceText(by: clock)); \(text(new)) on "
                        + "\(new.readAt.sentenceText(by: clock)) is \(isEarlier ? "less" : "more")",
                    undo: undo
                )
            ]
        }
        let compared = OdometerComparison.list(
            Array(neighbours),
            of: vehicle,
            with: try trips(between: neighbours)
        )
        for (earlier, later) in zip(compared, compared.dropFirst()) {
            guard let difference = later.difference, let driven = later.driven,
                isLess(difference, than: driven)
            else { continue }
            return [
                LedgerWarning(
                    code: .odometerBehindTrips,
                    message: "From \(earlier.reading.readAt.sentenceText(by: clock)) to "
                        + "\(later.reading.readAt.sentenceText(by: clock)) the odometer of "
                        + "\(vehicle) went "
                        + "\(kilometers(difference)) km, and its trips \(kilometers(driven)) km",
                    undo: undo
                )
            ]
        }
        return []
    }

    private static func text(_ reading: OdometerRead) -> String {
        "\(reading.value) \(reading.unit.rawValue)"
    }

    /// Says that an odometer showed two things at one time.
    private func differing(
        _ reading: OdometerRead,
        from other: OdometerReading
    ) -> LedgerWarning {
        let vehicle = reading.vehicle
        let time = RFC3339.text(other.readAt.timestamp, utcOffset: other.readAt.utcOffset)
        return LedgerWarning(
            code: .odometerDiffers,
            message: "The odometer of \(vehicle) showed \(Self.text(other.reading)) and "
                + "\(Self.text(reading)) at one time, \(other.readAt.sentenceText(by: clock))",
            undo: "ledger odometer \(ShellWord.quoted(vehicle)) VALUE --corrects \(time)"
        )
    }

    /// Returns whether an odometer went less far than trips, by more than its last digit and what
    /// recorders differ from it: 1 km, or 5 % if that is more.
    private func isLess(_ difference: Distance, than driven: Distance) -> Bool {
        let slack = max(1_000_000, difference.millimeters / 20)
        return driven.millimeters > difference.millimeters + slack
    }

    private func kilometers(_ distance: Distance) -> String {
        FixedPoint.text((distance.millimeters + 5_000) / 10_000, decimals: 2)
    }

    /// Returns the trips that start between the first and the last of some readings, but for those
    /// that are left out of all sums because they overlap others.
    private func trips(between readings: ArraySlice<OdometerReading>) throws -> [BookedTrip] {
        guard let first = readings.first?.readAt.timestamp,
            let last = readings.last?.readAt.timestamp,
            first < last
        else { return [] }
        var search = OverlapSearch()
        let earliest = first.advanced(byMilliseconds: -Self.longestTrip)
        let latest = last.advanced(byMilliseconds: Self.longestTrip)
        let keys = ViewKeyRange(
            from: TripRow.orderKey(from: earliest),
            upTo: TripRow.orderKey(from: latest)
        )
        try store.scanValues(.tripEnds, in: keys) { row in
            try StaleViews.takingDamage { try search.take(TripEndsRow(decoding: row).ends) }
            return true
        }
        let overlaps = search.overlaps()
        let vehicle = readings.first?.reading.vehicle ?? ""
        var trips: [BookedTrip] = []
        try scanTrips(from: first, upTo: last) { row in
            guard row.booked.isOf(vehicle: vehicle), !overlaps.leaveOut(row.trip.id) else { return }
            trips.append(row.booked)
        }
        return trips
    }
}
