import Platform
import Projections
public import TripEvents
import TripTracking
import TripsProjection

// What people enter is never refused where it may be true. What is likely a mistake is said at
// once, with the command that takes it back.
extension Snapshot {
    /// How long before a trip another one may have started that is still under way, in
    /// milliseconds.
    static let longestTrip: Int64 = 48 * 3_600_000

    /// How far apart trips lie that are hardly one, in milliseconds.
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
        var warnings: [LedgerWarning] = []
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
            if row.trip.source.utf8.elementsEqual(press.source.utf8) { found = row }
            return found == nil
        }
        return found
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
        let start = row.trip.startedAt.timestamp
        var overlapping: [TripID] = []
        let earliest = start.advanced(byMilliseconds: -Self.longestTrip)
        try scanTrips(from: earliest, upTo: end) { other in
            guard other.trip.id != row.trip.id, !known.contains(other.trip.id),
                other.booked.counts || other.booked.status == .active,
                other.booked.isOf(vehicle: vehicle),
                other.trip.endedAt.map({ $0.timestamp > start }) ?? true
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
                    + "\(others), and all are of \(vehicle), so that a way may count twice",
                undo: undo
            )
        ]
    }

    private func mergeWarnings(about row: TripRow) throws -> [LedgerWarning] {
        let parts = try row.booked.parts.compactMap { try store.tripRow($0)?.trip }
        let undo = "ledger restore \(row.trip.id.shortText)"
        var warnings: [LedgerWarning] = []
        let zone = try TimeZoneRules.ofMachine(named: founding.timeZone)
        let days = Set(parts.map { LocalDay(zone: zone).day(of: $0.startedAt) }).sorted()
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
        let pauses = zip(parts, parts.dropFirst())
            .map { earlier, later in
                later.startedAt.timestamp
                    .milliseconds(since: (earlier.endedAt ?? earlier.startedAt).timestamp)
            }
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
    func scanTrips(
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
