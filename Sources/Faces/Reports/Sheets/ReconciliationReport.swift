import Geodesy
import Papers
import Projections
package import Tables
import TripEvents
package import TripLedger

/// Odometers compared with trips, and the contradictions in the data:
/// `reconciliation.v1.schema.json`.
package struct ReconciliationReport: PrintedReport {
    /// An expense, and how near the vehicle was.
    package struct Presence: Sendable {
        /// The expense.
        let expense: ListedExpense

        /// The nearest place of the vehicle; `nil` if that is not known.
        let nearest: VehicleWhereabouts.Nearest?

        /// Whether the vehicle was elsewhere.
        var isElsewhere: Bool { nearest.map { $0.distance > VehicleWhereabouts.far } ?? false }
    }

    /// A way that nothing recorded.
    package struct Way: Sendable {
        let way: UnrecordedWay
        let day: CivilDate
    }

    /// The days and entries from which it was made.
    package let frame: ReportFrame

    /// Whether the contents of private trips are left out.
    private let hidesPrivate: Bool

    /// The lines of CSV.
    package let lines: [Masked<OdometerInterval>]

    private let intervals: [OdometerInterval]
    private let balances: [OdometerBalance]
    private let ways: [Way]
    private let clashes: [Masked<TripClash>]
    private let jumps: [Masked<TripJump>]
    private let presences: [Masked<Presence>]

    /// Vehicles with trips in the period whose odometers were read at most once.
    private let unread: [String]

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days and the vehicle.
    ///   - hidesPrivate: Whether places, times and words of private trips are left out.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        hidesPrivate: Bool = false
    ) throws {
        self.frame = frame
        self.hidesPrivate = hidesPrivate
        let vehicles = try snapshot.namedVehicles()
        let period = frame.period
        var ways: [Way] = []
        var reconciliation = Reconciliation(in: period, vehicle: frame.vehicle, vehicles: vehicles)
        let (found, overlaps) = try snapshot.relateTrips(into: [UnrecordedWay]()) { $0.append($1) }
        for way in found {
            reconciliation.add(way)
            guard period.contains(way.later.startedAt),
                frame.vehicle.map({ way.later.isOf(vehicle: $0) }) ?? true
            else { continue }
            ways.append(Way(way: way, day: period.localDay.day(of: way.later.startedAt)))
        }
        var driven: Set<NameKey> = []
        let filter = TripFilter(vehicle: frame.vehicle, isOldestFirst: true)
        try snapshot.readTrips(filter) { row in
            guard !overlaps.leaveOut(row.booked.id) else { return true }
            reconciliation.add(row.booked)
            if let vehicle = row.booked.details.vehicle, period.contains(row.trip.startedAt) {
                driven.insert(NameKey(vehicle))
            }
            return true
        }
        self.ways = ways
        intervals = reconciliation.intervals
        balances = OdometerBalance.all(of: intervals)
        let hidden = try hidesPrivate ? HiddenTrips(snapshot) : HiddenTrips()
        let localDay = period.localDay
        lines = intervals.map { hidden.masked($0, localDay) }
        clashes = reconciliation.clashes.map { hidden.masked($0, localDay) }
        jumps = reconciliation.jumps.map { hidden.masked($0, localDay) }
        unread = driven.sorted().map(\.name).filter { vehicles.readings(of: $0).count < 2 }
        presences = try Self.presences(in: snapshot, frame).map { hidden.masked($0) }
    }

    /// Compares expenses at known places with the positions of the vehicles.
    private static func presences(
        in snapshot: borrowing Snapshot,
        _ frame: ReportFrame
    ) throws -> [Presence] {
        let places = try snapshot.places()
        var presences: [Presence] = []
        for recorded in try snapshot.expenses().expenses {
            let listed = ListedExpense(recorded, localDay: frame.period.localDay)
            guard recorded.expense.kind.needsVehicleThere, frame.period.containsDay(listed.day),
                frame.vehicle.map({ recorded.isOf(vehicle: $0) }) ?? true,
                let position = recorded.position(places)
            else { continue }
            let whereabouts = try snapshot.whereabouts(
                of: recorded,
                at: position,
                frame.period.localDay
            )
            presences.append(Presence(expense: listed, nearest: whereabouts.nearest))
        }
        return presences
    }

    /// Whether there is nothing to look at.
    private var isClean: Bool {
        intervals.allSatisfy { $0.band == .within3Percent } && ways.isEmpty && clashes.isEmpty
            && jumps.isEmpty && !presences.contains(where: \.row.isElsewhere)
    }

    /// The columns of JSON.
    package static let columns = Columns<ReconciliationReport> {
        Column.name("report") { _ in "reconcile" }
        ReportFrame.columns.of { $0.frame }
        Column.boolean("private_hidden") { $0.hidesPrivate }
        Column.rows("vehicles", OdometerBalance.columns) { $0.balances }
        Column.rows("intervals", lineColumns) { $0.lines }
        Column.list("vehicles_without_intervals") { $0.unread }
        Column.rows("unrecorded", Way.columns) { $0.ways }
        Column.rows("clashes", clashColumns) { $0.clashes }
        Column.rows("jumps", jumpColumns) { $0.jumps }
        Column.rows("expenses", presenceColumns) { $0.presences }
    }

    /// The columns of CSV: one line for each interval.
    package static let lineColumns = Columns(OdometerInterval.columns.masked)

    private static let clashColumns = Columns(TripClash.columns.masked)
    private static let jumpColumns = Columns(TripJump.columns.masked)
    private static let presenceColumns = Columns(Presence.columns.masked)

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts =
            frame.subject + (hidesPrivate ? [HiddenTrips.fact] : [])
            + frame.evidence(in: style.unit) + frame.missing.reportFacts
        var page = ReportPage(.odometersBesideTrips, facts, frame, .landscape, style)
        page.add(lines, Self.lineColumns, under: .fromReadingToReading)
        page.add(balances, OdometerBalance.columns, under: .eachVehicle)
        page.add(ways, Way.columns, under: .waysNotRecorded)
        page.add(clashes, Self.clashColumns, under: .tripsAtSameTime)
        page.add(jumps, Self.jumpColumns, under: .tooFastBetween)
        page.add(
            presences.filter(\.row.isElsewhere),
            Self.presenceColumns,
            under: .paidElsewhere
        )
        page.add(sentences)
        return page
    }

    private var sentences: [Phrase] {
        var sentences: [Phrase] = intervals.isEmpty ? [] : [.restAndOff]
        sentences += unread.map { .readLessThanTwice($0) }
        if !ways.isEmpty { sentences.append(.unrecordedWays) }
        let unknown = presences.count { $0.row.nearest == nil }
        if unknown > 0 { sentences.append(.presenceUnknown(ofExpenses: unknown)) }
        if isClean { sentences.append(.nothingStandsOut) }
        sentences.append(frame.period.localDay.phrase)
        return sentences
    }
}

extension HiddenTrips {
    /// Returns an interval without the times of readings on a private trip.
    fileprivate func masked(
        _ interval: OdometerInterval,
        _ localDay: LocalDay
    ) -> Masked<OdometerInterval> {
        var masked = Masked(interval)
        for (name, time) in [("from", interval.from.readAt), ("to", interval.to.readAt)]
        where areUnderWay(at: time.timestamp) {
            masked.leaveOut(name, on: localDay.day(of: localDay.local(time)))
        }
        return masked
    }

    /// Returns two trips without their times, if one of them is private.
    fileprivate func masked(_ clash: TripClash, _ localDay: LocalDay) -> Masked<TripClash> {
        var masked = Masked(clash)
        guard contains(clash.earlier) || contains(clash.later) else { return masked }
        masked.leaveOut("seconds")
        masked.leaveOut("at", on: localDay.day(of: localDay.local(clash.at)))
        return masked
    }

    /// Returns two trips without their times, if one of them is private.
    fileprivate func masked(_ jump: TripJump, _ localDay: LocalDay) -> Masked<TripJump> {
        var masked = Masked(jump)
        guard contains(jump.earlier) || contains(jump.later) else { return masked }
        masked.leaveOut("seconds", "km_per_hour")
        masked.leaveOut("at", on: localDay.day(of: localDay.local(jump.at)))
        return masked
    }

    /// Returns an expense without anything that reveals where and when a private trip was.
    fileprivate func masked(
        _ presence: ReconciliationReport.Presence
    ) -> Masked<ReconciliationReport.Presence> {
        var masked = Masked(presence)
        if contains(presence.expense.recorded) { masked.leaveOut("merchant") }
        if let trip = presence.nearest?.trip, contains(trip) {
            masked.leaveOut("away_m", "nearest_at")
        }
        return masked
    }
}

extension OdometerInterval: Tabular {
    /// An interval between two readings.
    package static let columns = Columns<OdometerInterval> {
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.time("from", .fromTime) { $0.from.readAt }
            .shown(as: { .dayAndMinute($0.from.readAt) })
        Column.time("to", .toTime) { $0.to.readAt }
            .shown(as: { .dayAndMinute($0.to.readAt) })
        Column.distance("odometer_from_m") { $0.from.distance }
        Column.distance("odometer_to_m") { $0.to.distance }
        Column.distance("odometer_m", .odometer) { $0.difference }
        Column.integer("trips", .trips) { $0.trips }
        Column.distance("trips_m", .driven) { $0.driven }
        Column.distance("rest_m", .rest) { $0.rest }
        Column.thousandths("rest_share", .off) { $0.restThousandths }
            .shown(as: { interval in
                interval.restThousandths.map { .phrase(.share($0)) } ?? .none
            })
        Column.name("band", .band) { $0.band.rawValue }
            .shown(as: { .phrase($0.band.phrase) })
        Column.distance("gap_m", .gaps) { $0.gapDistance }
            .shown(onlyWhere: { $0.gapDistance > .zero })
            .narrowing(.leaves(2))
        Column.integer("unrecorded") { $0.unrecorded.count }
        Column.distance("unrecorded_m", .unrecorded) { $0.unrecorded.distance }
            .shown(onlyWhere: { $0.unrecorded.count > 0 })
            .narrowing(.leaves(1))
    }
}

extension OdometerBalance: Tabular {
    /// The intervals of a vehicle together.
    package static let columns = Columns<OdometerBalance> {
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.integer("intervals", .intervals) { $0.intervals }
        Column.distance("odometer_m", .odometer) { $0.difference }
        Column.integer("trips", .trips) { $0.trips }
        Column.distance("trips_m", .driven) { $0.driven }
        Column.distance("rest_m", .rest) { $0.rest }
        for band in OdometerBand.allCases {
            Column.integer(band.rawValue, band.title) { $0.bands[band] ?? 0 }
                .shown(onlyWhere: { ($0.bands[band] ?? 0) > 0 })
                .narrowing(.leaves(2))
        }
    }
}

extension ReconciliationReport.Way: Tabular {
    /// A way that nothing recorded.
    package static let columns = Columns<ReconciliationReport.Way> {
        Column.day("date", .date) { $0.day }
        Column.text("vehicle", .vehicle) { $0.way.later.vehicle }
        Column.trip("earlier", .afterTrip) { $0.way.earlier }
        Column.trip("later", .beforeTrip) { $0.way.later.trip }
        Column.distance("straight_m", .straight) { $0.way.distance }
    }
}

extension TripClash: Tabular {
    /// Two trips at the same time.
    package static let columns = Columns<TripClash> {
        Column.time("at", .at) { $0.at }
            .shown(as: { .dayAndMinute($0.at) })
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.trip("earlier", .trip) { $0.earlier }
        Column.trip("later", .and) { $0.later }
        Column.duration("seconds", .together) { $0.milliseconds }
    }
}

extension TripJump: Tabular {
    /// Two trips of a vehicle that are too far apart for the time between them.
    package static let columns = Columns<TripJump> {
        Column.time("at", .at) { $0.at }
            .shown(as: { .dayAndMinute($0.at) })
        Column.text("vehicle", .vehicle) { $0.vehicle }
        Column.trip("earlier", .afterTrip) { $0.earlier }
        Column.trip("later", .beforeTrip) { $0.later }
        Column.distance("straight_m", .straight) { $0.distance }
        Column.duration("seconds", .time) { $0.milliseconds }
        Column.thousandths("km_per_hour", .kilometersPerHour) { $0.kilometersPerHourThousandths }
            .shown(as: { jump in
                jump.kilometersPerHourThousandths.map { .integer(($0 + 500) / 1_000) } ?? .none
            })
    }
}

extension ReconciliationReport.Presence: Tabular {
    /// Expenses, each with the place of the vehicle at that time.
    package static let columns = Columns<ReconciliationReport.Presence> {
        Column.name("expense", .expense) { $0.expense.recorded.id.description }
            .shown(as: { .name($0.expense.recorded.id.short) })
        Column.day("day", .day) { $0.expense.day }
        Column.name("kind", .kind) { $0.expense.recorded.expense.kind.rawValue }
            .shown(as: { .phrase($0.expense.recorded.expense.kind.phrase) })
        Column.text("vehicle", .vehicle) { $0.expense.recorded.expense.vehicle }
        Column.text("merchant", .merchant) { $0.expense.recorded.expense.merchant }
        Column.distance("away_m", .away) { $0.nearest?.distance }
        Column.instant("nearest_at", .nearest) { $0.nearest?.at }
            .shown(as: { presence in
                presence.nearest.map { .dayAndMinute(EventTime($0.at)) } ?? .none
            })
        Column.trip("nearest_trip", .trip) { $0.nearest?.trip }
        Column.boolean("elsewhere") { presence in
            presence.nearest == nil ? nil : presence.isElsewhere
        }
    }
}
