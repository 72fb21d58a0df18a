import Geodesy
import Platform
import Projections
public import TripEvents
import TripTracking
import TripsProjection

/// Something that was accepted, and that may be a mistake all the same.
///
/// It is said at once, when a person enters it; what programs append is taken as it is.
public struct LedgerWarning: Hashable, Sendable {
    /// What may be wrong; the raw value is its name in JSON.
    public enum Code: String, CaseIterable, Sendable {
        /// The same trip was reported before.
        case sameTripReported = "same_trip_reported"

        /// Another decision about the trip is of a later time, so that this one may change nothing.
        case decidedLater = "decided_later"

        /// Trips of one vehicle were under way at the same time.
        case tripsOverlap = "trips_overlap"

        /// Trips that were merged start on different local days.
        case mergedOverDays = "merged_over_days"

        /// Between trips that were merged lie hours.
        case mergedFarApart = "merged_far_apart"

        /// The vehicle is not registered, and no other trip names it.
        case unknownVehicle = "unknown_vehicle"

        /// The odometer went back.
        case odometerBackwards = "odometer_backwards"

        /// The odometer showed two things at one time.
        case odometerDiffers = "odometer_differs"

        /// The odometer went less far than the trips in between.
        case odometerBehindTrips = "odometer_behind_trips"

        /// Something was bought where the vehicle was not, as far as its trips tell.
        case expenseElsewhere = "expense_elsewhere"
    }

    /// What may be wrong.
    public let code: Code

    /// The same in a sentence or two.
    public let message: String

    /// The command that takes back what was entered.
    public let undo: String
}

// The ledger never refuses an entry that may be true. It warns at once of a likely mistake, and
// names the command that takes it back.
extension Snapshot {
    /// How long before a trip another one that is still under way may have started, in
    /// milliseconds.
    private static let longestTrip: Int64 = 48 * 3_600_000

    /// How far apart trips must lie to be hardly one trip, in milliseconds.
    private static let farApart: Int64 = 6 * 3_600_000

    /// How many trips a warning names at most.
    private static let mostNamed = 3

    /// Returns what may be wrong with a decision that was appended.
    ///
    /// - Parameters:
    ///   - outcome: What became of it.
    ///   - others: The decisions that were stored with it.
    /// - Returns: The warnings.
    /// - Throws: `LedgerError` or `LMDBError`.
    func warnings(
        of outcome: DecisionOutcome,
        among others: DecisionsTogether
    ) throws -> [LedgerWarning] {
        var warnings = try laterWarnings(about: outcome)
        let row = outcome.trips.first
        switch outcome.event.body {
        case .tripReported:
            guard let row else { break }
            let undo = "ledger void \(row.trip.id.shortText) --why TEXT"
            let same = try tripsReportedLike(row)
            if let other = same.first {
                warnings.append(
                    LedgerWarning(
                        code: .sameTripReported,
                        message:
                            "The same trip was reported before: \(other.shortText) has the same "
                            + "times, distance and vehicle",
                        undo: undo
                    )
                )
            }
            warnings += try overlapWarnings(about: row, leavingOut: same, undo: undo)
            warnings += try vehicleWarnings(about: row)
        case .detailsEdited(let edit):
            guard let row, case .set = edit.vehicle,
                let change = outcome.changes.first(where: { $0.field == "vehicle" })
            else { break }
            let back =
                if case .text(let old)? = change.old {
                    "--vehicle \(ShellWord.quoted(old))"
                } else {
                    "--clear vehicle"
                }
            let undo = "ledger edit \(row.trip.id.shortText) \(back)"
            warnings += try overlapWarnings(about: row, undo: undo)
            warnings += try vehicleWarnings(about: row, among: others, undo: undo)
        case .expenseRecorded(let expense):
            warnings += try expenseWarnings(about: outcome, expense)
        case .tripsMerged:
            guard let row else { break }
            warnings += try mergeWarnings(about: row)
        default: break
        }
        return warnings
    }

    /// Returns what may be wrong with the vehicle that a GO or STOP names, once it is stored.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func warnings(aboutVehicleOf press: TripEvent) throws(LedgerError) -> [LedgerWarning] {
        let vehicle: String? =
            switch press.body {
            case .goPressed(let go): go.vehicle
            case .stopPressed(let stop): stop.vehicle
            default: nil
            }
        guard let vehicle else { return [] }
        return try asking {
            guard let row = try tripPressed(by: press), row.booked.isOf(vehicle: vehicle) else {
                return []
            }
            return try vehicleWarnings(about: row)
        }
    }

    /// Returns the trip of a source that was the last to start when GO or STOP was pressed.
    func tripPressed(by press: TripEvent) throws -> TripRow? {
        var found: TripRow?
        let next = press.occurredAt.advanced(byMilliseconds: 1)
        let keys = ViewKeyRange(upTo: TripRow.orderKey(from: next))
        try store.scanTrips(in: keys, isDescending: true) { row in
            if row.trip.source.hasSameBytes(as: press.source) { found = row }
            return found == nil
        }
        return found
    }

    /// Returns the warning that an earlier decision has a later time: the clock of the program that
    /// reported it is, or was, ahead.
    private func laterWarnings(about outcome: DecisionOutcome) throws -> [LedgerWarning] {
        guard let trip = outcome.trip, let kind = outcome.event.body.kind else { return [] }
        let own = outcome.event
        let later = try decisions(about: trip)
            .last { other in
                let otherKind = other.event.body.kind
                let isOpposed = kind == .tripRestored || otherKind == .tripRestored
                return other.event.occurredAt > own.occurredAt && (otherKind == kind || isOpposed)
                    && other.recordedAt < own.occurredAt
            }
        guard let later, let position = outcome.receipt.storedPosition else { return [] }
        let decided = EventTime(later.event.occurredAt, utcOffset: later.event.utcOffset)
        let time = decided.sentenceText(by: clock)
        let message =
            "What \(Excerpt.escaped(later.event.actor ?? later.event.source)) decided about trip "
            + "\(trip.shortText) is of \(time), which is later, so this may change nothing: decide "
            + "it again after that"
        let undo = "ledger erase \(position) --why TEXT --yes"
        return [LedgerWarning(code: .decidedLater, message: message, undo: undo)]
    }

    /// Returns the other trips that were reported with the same times, distance and vehicle.
    private func tripsReportedLike(_ row: TripRow) throws -> [TripID] {
        var same: [TripID] = []
        let start = row.trip.startedAt.timestamp
        try scanTrips(from: start, upTo: start.advanced(byMilliseconds: 1)) { other in
            let isSame =
                other.trip.id != row.trip.id && other.booked.counts
                && other.trip.startedBy == .report
                && other.trip.endedAt?.timestamp == row.trip.endedAt?.timestamp
                && other.booked.claimedDistance == row.booked.claimedDistance
                && isOfSameVehicle(other, row)
            if isSame { same.append(other.trip.id) }
        }
        return same
    }

    private func isOfSameVehicle(_ row: TripRow, _ other: TripRow) -> Bool {
        other.booked.details.vehicle.map { row.booked.isOf(vehicle: $0) }
            ?? (row.booked.details.vehicle == nil)
    }

    private func overlapWarnings(
        about row: TripRow,
        leavingOut known: [TripID] = [],
        undo: String
    ) throws -> [LedgerWarning] {
        guard let vehicle = row.booked.details.vehicle, row.booked.counts,
            let end = row.trip.endedAt?.timestamp
        else { return [] }
        let time = row.booked.travelTime
        var overlapping: [TripID] = []
        let earliest = time.startedAt.advanced(byMilliseconds: -Self.longestTrip)
        try scanTrips(from: earliest, upTo: end) { other in
            guard other.trip.id != row.trip.id, !known.contains(other.trip.id),
                other.booked.counts || other.booked.status == .active,
                other.booked.isOf(vehicle: vehicle),
                other.booked.travelTime.overlaps(time)
            else { return }
            overlapping.append(other.trip.id)
        }
        guard !overlapping.isEmpty else { return [] }
        let named = overlapping.prefix(Self.mostNamed).map { String($0.shortText) }
        let more = overlapping.count - named.count
        let others = named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return [
            LedgerWarning(
                code: .tripsOverlap,
                message: "Trip \(row.trip.id.shortText) was under way at the same time as "
                    + "\(others), all with \(vehicle), so a distance may count twice",
                undo: undo
            )
        ]
    }

    private func mergeWarnings(about row: TripRow) throws -> [LedgerWarning] {
        let parts = row.booked.parts
        let undo = "ledger restore \(row.trip.id.shortText)"
        var warnings: [LedgerWarning] = []
        let clock = try requireClock()
        let days = Set(parts.map { clock.day(of: $0.startedAt) }).sorted()
        if let first = days.first, let last = days.last, first != last {
            warnings.append(
                LedgerWarning(
                    code: .mergedOverDays,
                    message:
                        "The trips start on different days, from \(first) to \(last); all counts "
                        + "on the first one now",
                    undo: undo
                )
            )
        }
        let pauses = row.booked.pauses.map { $0.upperBound.milliseconds(since: $0.lowerBound) }
        if let longest = pauses.max(), longest > Self.farApart {
            warnings.append(
                LedgerWarning(
                    code: .mergedFarApart,
                    message: "Between two of the trips lie \(longest / 3_600_000) hours",
                    undo: undo
                )
            )
        }
        return try warnings + overlapWarnings(about: row, undo: undo)
    }

    /// Hands over the trips that start from one instant up to another.
    private func scanTrips(
        from start: Timestamp,
        upTo end: Timestamp,
        _ body: (TripRow) throws -> Void
    ) throws {
        let keys = ViewKeyRange(
            from: TripRow.orderKey(from: start),
            upTo: TripRow.orderKey(from: end)
        )
        try store.scanTrips(in: keys, isDescending: false) { row in
            try body(row)
            return true
        }
    }
}

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

// Warnings about the name of a vehicle, and about its odometer.
extension Snapshot {
    /// Returns the warnings about the vehicle of a trip.
    ///
    /// - Parameters:
    ///   - row: The trip, as it is stored.
    ///   - others: The decisions that were stored with the one about it.
    ///   - undo: The decision that takes the vehicle back; `nil` to name no vehicle.
    /// - Returns: The warning that the vehicle is not known, or none.
    /// - Throws: `LedgerError` or `LMDBError`.
    private func vehicleWarnings(
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

    /// Returns the warning that the vehicle for which something was paid is not known, or none.
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
        // The group does not matter: this looks for a typing error.
        guard !vehicles.vehicles.contains(where: { $0.name.hasSameBytes(as: name) }) else {
            return nil
        }
        var isKnown = false
        var names: Set<NameKey> = []
        try store.scanTrips(isDescending: true) { row in
            guard row.trip.id != trip, !undecided.contains(row.trip.id),
                let other = row.booked.details.vehicle
            else { return true }
            isKnown = row.booked.isOf(vehicle: name)
            if names.count < Self.mostNames { names.insert(NameKey(other)) }
            return !isKnown
        }
        guard !isKnown else { return nil }
        let known = vehicles.vehicles.map(\.name) + names.sorted().map(\.name)
        return UnknownVehicle(name: name, nearest: NearestNames(to: name, among: known))
    }

    /// The number of unregistered vehicles among which the nearest name is looked for.
    private static let mostNames = 1_000

    /// Returns the warnings about an odometer reading, once it is stored at a position.
    ///
    /// - Parameters:
    ///   - event: The reading.
    ///   - position: Where it is stored.
    ///   - isAlone: Whether nothing else names its vehicle, such as a GO that was entered with it.
    /// - Returns: At most one warning about the reading, and one about its vehicle.
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
                let undo = "ledger erase \(position) --why TEXT --yes"
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

    /// Returns whether an odometer went less far than trips, by more than its last digit and the
    /// usual difference from recorders: 1 km, or 5 % if that is more.
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
        try store.scanTripEnds(in: keys) { ends in
            try StaleViews.takingDamage { try search.take(ends) }
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

/// The decisions that are stored in one batch with a decision, as far as its warnings take them
/// into account: only those before it.
struct DecisionsTogether {
    /// The trips that the next decision and those after it are about.
    private(set) var undecided: Set<TripID>

    /// How many of these decisions are about each trip.
    private var counts: [TripID: Int]

    /// The vehicles, as UTF-8, that decisions so far have given to trips.
    private var vehicles: Set<[UInt8]> = []

    /// Begins before the first decision.
    ///
    /// - Parameter trips: the trip that each of them is about.
    init(about trips: some Sequence<TripID?>) {
        counts = Dictionary(trips.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        undecided = Set(counts.keys)
    }

    /// Goes on to the decision after one about a trip.
    mutating func pass(_ event: TripEvent, about trip: TripID?) {
        if let trip, let count = counts[trip] {
            counts[trip] = count - 1
            if count == 1 { undecided.remove(trip) }
        }
        if case .detailsEdited(let edit) = event.body, case .set(let vehicle) = edit.vehicle {
            vehicles.insert(Array(vehicle.utf8))
        }
    }

    /// Returns whether a decision before the next one has given a vehicle to a trip.
    func knows(vehicle: String) -> Bool {
        vehicles.contains(Array(vehicle.utf8))
    }
}
