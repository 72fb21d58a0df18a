import Papers
import Projections
package import Tables
import TripEvents
package import TripLedger
import TripTracking

/// The auditor's page: the later changes to the trips of some days and to the settings they depend
/// on: `report-changes.v1.schema.json`.
package struct ChangesReport: PrintedReport {
    /// A change, with the earlier issued reports about its trip or its setting.
    package struct Line: Sendable {
        let masked: Masked<AuditLine>
        let reports: [IssuedReport]
    }

    /// An issued report about the days, with the changes after it.
    package struct Issued: Sendable {
        let report: IssuedReport
        let changes: Int
        let entries: Int
    }

    /// The days and entries from which it was made.
    package let frame: ReportFrame

    /// The changes, in the order of the decisions.
    package let lines: [Line]

    /// The reports that were issued about these days.
    private let issued: [Issued]

    /// Whether first entries are listed, too.
    private let listsEntries: Bool

    /// Whether the contents of private trips are left out.
    private let hidesPrivate: Bool

    private let entryCount: Int
    private let details: Contemporaneity
    private let recorded: Contemporaneity

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days and the vehicle.
    ///   - listsEntries: Whether first entries are listed, too.
    ///   - hidesPrivate: Whether places, times and words of private trips are left out.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        listingEntries listsEntries: Bool,
        hidesPrivate: Bool = false
    ) throws {
        self.frame = frame
        self.hidesPrivate = hidesPrivate
        self.listsEntries = listsEntries
        var trips: Set<TripID> = []
        var log = MileageLog(in: frame.period, vehicle: frame.vehicle)
        let filter = TripFilter(
            includesUncounted: true,
            period: frame.period,
            vehicle: frame.vehicle,
            isOldestFirst: true
        )
        try snapshot.readTrips(filter) { row in
            if frame.vehicle != nil { trips.insert(row.booked.id) }
            _ = log.add(row.booked)
            return true
        }
        details = log.total.details
        recorded = log.total.recorded
        let concerned = trips
        let elsewhere = try Self.expensesElsewhere(snapshot, frame.vehicle, concerned)
        let all = try snapshot.auditTrail(in: frame.period)
            .filter { Self.concerns($0, frame.vehicle, concerned, elsewhere) }
        let corrections = Set(all.filter { Self.isCorrection($0) }.map { Decided($0) })
        let known = try KnownReports(snapshot, frame)
        let hidden = try hidesPrivate ? HiddenChanges(snapshot, frame.period.localDay) : nil
        let judged = all.map { line in
            let masked = hidden?.masked(line) ?? Masked(line)
            return (
                isChange: Self.isChange(line, corrections),
                Line(masked: masked, reports: known[line])
            )
        }
        entryCount = judged.count { !$0.isChange }
        lines = judged.filter { listsEntries || $0.isChange }.map(\.1)
        issued = known.reports.map { report in
            let later = judged.filter { $0.1.reports.contains(report) }
            let changes = later.count(where: \.isChange)
            return Issued(report: report, changes: changes, entries: later.count - changes)
        }
    }

    /// The properties of one decision, which all its lines share.
    private struct Decided: Hashable {
        let about: AuditLine.About
        let kind: EventKind
        let occurredAt: Timestamp
        let recordedAt: Timestamp

        init(_ line: AuditLine) {
            about = line.about
            kind = line.kind
            occurredAt = line.occurredAt.timestamp
            recordedAt = line.recordedAt
        }
    }

    /// Whether a line concerns a vehicle: its trips, or anything that does not belong to another
    /// vehicle.
    fileprivate static func concerns(
        _ line: AuditLine,
        _ vehicle: String?,
        _ trips: Set<TripID>,
        _ expensesElsewhere: Set<ExpenseID>
    ) -> Bool {
        guard let vehicle else { return true }
        if let trip = line.trip { return trips.contains(trip) || moves(line, vehicle) }
        return switch line.setting {
        case .vehicle(let name), .odometer(let name): name.utf8.elementsEqual(vehicle.utf8)
        case .expense(let id): !expensesElsewhere.contains(id) || moves(line, vehicle)
        case .log, .routine, .place, .field, .rules, .rates, .settings, .clock, nil: true
        }
    }

    /// Returns the expenses that name another vehicle, or a trip that a vehicle did not make.
    fileprivate static func expensesElsewhere(
        _ snapshot: borrowing Snapshot,
        _ vehicle: String?,
        _ trips: Set<TripID>
    ) throws -> Set<ExpenseID> {
        guard let vehicle else { return [] }
        let book = try snapshot.expenses()
        let elsewhere = (book.expenses + book.voided)
            .filter { paid in
                if paid.expense.vehicle != nil { return !paid.isOf(vehicle: vehicle) }
                return paid.expense.trip.map { !trips.contains($0) } ?? false
            }
        return Set(elsewhere.map(\.id))
    }

    /// Whether a trip or an expense was given to a vehicle, or taken from it.
    fileprivate static func moves(_ line: AuditLine, _ vehicle: String) -> Bool {
        line.change.field == "vehicle"
            && [line.change.old, line.change.new].contains(.text(vehicle))
    }

    /// Whether a reading corrects another one.
    private static func isCorrection(_ line: AuditLine) -> Bool {
        line.kind == .odometerRead && line.change.field == "corrects" && line.change.new != nil
    }

    /// Whether a line is a change and not a first entry: there was another value before, a measured
    /// value was undone, or the decision has no effect.
    private static func isChange(_ line: AuditLine, _ corrections: Set<Decided>) -> Bool {
        guard line.withoutEffect == nil else { return true }
        return switch line.kind {
        case .tripVoided, .tripRestored, .tripsMerged, .tripSplit, .distanceAdjusted,
            .stretchExcluded, .entriesErased, .clockShifted:
            true
        // A later reading is not a change of the one before.
        case .odometerRead: corrections.contains(Decided(line))
        // A voided expense has no earlier value of this field.
        case .expenseRecorded where line.change.field == "void": true
        default: line.change.old != nil && line.change.old != .null
        }
    }

    /// The columns of JSON.
    package static let columns = Columns<ChangesReport> {
        Column.name("report") { _ in "changes" }
        ReportFrame.columns.of { $0.frame }
        Column.boolean("lists_entries") { $0.listsEntries }
        Column.boolean("private_hidden") { $0.hidesPrivate }
        Column.integer("entries") { $0.entryCount }
        Contemporaneity.columns.of("details.") { $0.details }
        Contemporaneity.columns.of("recorded.") { $0.recorded }
        Column.rows("changes", Line.columns) { $0.lines }
        Column.rows("issued", Issued.columns) { $0.issued }
    }

    /// The columns of CSV: those of `ledger history --all`, and the reports that a change came
    /// after.
    package static var lineColumns: Columns<Line> { Line.columns }

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts =
            frame.subject + (hidesPrivate ? [HiddenTrips.fact] : [])
            + frame.evidence(in: style.unit) + frame.missing.reportFacts
        var page = ReportPage(.changes, facts, frame, .landscape, style)
        page.add(lines, Line.columns)
        page.add(issued, Issued.columns, under: .issuedReports)
        var sentences: [Phrase] = lines.isEmpty ? [.nothingChanged] : []
        if !listsEntries, entryCount > 0 { sentences.append(.firstEntries(entryCount)) }
        if lines.contains(where: { $0.masked.row.withoutEffect != nil }) {
            sentences.append(.noEffectTells)
        }
        sentences += [
            issuedSentence, details.phrase, .lastEventsStored(recorded), .daysAfterCounts,
            frame.period.localDay.phrase,
        ]
        page.add(sentences)
        return page
    }

    /// The sentence about issued reports.
    private var issuedSentence: Phrase {
        guard !issued.isEmpty else { return .noReportIssued }
        guard let first = issued.first(where: { $0.changes + $0.entries > 0 }) else {
            return .nothingStoredAfter
        }
        return .afterReport(first.report.id)
    }
}

/// The issued reports about some days, with the data that decide which of them a change concerns.
private struct KnownReports {
    /// The reasons for which a report may leave a trip out: its day, its group and its vehicle.
    private struct Place {
        let day: CivilDate
        let group: String?
        let vehicle: String?
        let endedAt: Timestamp?
    }

    /// The days of a report, with the end of the last trip that started in them.
    private struct Days {
        let period: LocalPeriod
        let lastEnd: Timestamp?
    }

    private let known: ReportsOfDays
    private var trips: [TripID: Place] = [:]
    private var days: [String: Days] = [:]

    /// For each vehicle of a report, the expenses that belong to other vehicles.
    private var expensesElsewhere: [NameKey: Set<ExpenseID>] = [:]

    var reports: [IssuedReport] { known.reports }

    init(_ snapshot: borrowing Snapshot, _ frame: ReportFrame) throws {
        known = try snapshot.reports(about: frame.period, vehicle: frame.vehicle)
        guard !known.reports.isEmpty else { return }
        var trips: [TripID: Place] = [:]
        let filter = TripFilter(includesUncounted: true, period: frame.period)
        try snapshot.readTrips(filter) { row in
            let day = frame.period.localDay.day(
                of: frame.period.localDay.local(row.trip.startedAt)
            )
            trips[row.booked.id] = Place(
                day: day,
                group: row.trip.group,
                vehicle: row.booked.details.vehicle,
                endedAt: row.trip.endedAt?.timestamp
            )
            return true
        }
        self.trips = trips
        for report in known.reports {
            let first = report.content.periodStart
            let last = max(first, report.content.periodEnd)
            let own = trips.values.filter { first <= $0.day && $0.day <= last }
            days[report.id] = Days(
                period: LocalPeriod(from: first, to: last, localDay: frame.period.localDay),
                lastEnd: own.compactMap(\.endedAt).max()
            )
            guard let vehicle = report.vehicle, expensesElsewhere[NameKey(vehicle)] == nil
            else { continue }
            let driven = trips.filter { $0.value.vehicle.hasSameBytes(as: vehicle) }
            expensesElsewhere[NameKey(vehicle)] = try ChangesReport.expensesElsewhere(
                snapshot,
                vehicle,
                Set(driven.keys)
            )
        }
    }

    /// The reports about the subject of a line that were made before the line was stored.
    subscript(line: AuditLine) -> [IssuedReport] {
        known.reports.filter { known.isLater(line, than: $0) && isAbout(line, $0) }
    }

    private func isAbout(_ line: AuditLine, _ report: IssuedReport) -> Bool {
        guard let trip = line.trip else {
            let elsewhere = report.vehicle.flatMap { expensesElsewhere[NameKey($0)] } ?? []
            guard ChangesReport.concerns(line, report.vehicle, [], elsewhere),
                let days = days[report.id]
            else { return false }
            return line.belongs(to: days.period, withTripsUntil: days.lastEnd)
        }
        // A trip that has gone may have been in any of them.
        guard let place = trips[trip] else { return true }
        let content = report.content
        return content.periodStart <= place.day && place.day <= content.periodEnd
            && (report.group?.includes(place.group) ?? true)
            && (report.vehicle.map { vehicle in
                place.vehicle.hasSameBytes(as: vehicle) || ChangesReport.moves(line, vehicle)
            } ?? true)
    }
}

extension ChangesReport.Line: Tabular {
    /// A change as in `ledger history --all`, and the earlier reports.
    package static let columns = Columns<ChangesReport.Line> {
        Columns(AuditLine.columns.masked).of { $0.masked }
        Column.list("after_reports", .afterReport) { $0.reports.map(\.id) }
            .shown(onlyWhere: { !$0.reports.isEmpty })
    }
}

extension ChangesReport.Issued: Tabular {
    /// An issued report, and the number of changes after it.
    package static let columns = Columns<ChangesReport.Issued> {
        Column.text("id", .id) { $0.report.id }
        Column.time("issued_at", .issued) { $0.report.issuedAt }
            .shown(as: { .dayAndMinute($0.report.issuedAt) })
        Column.text("report", .report) { $0.report.content.report }
            .shown(as: { issued in
                let name = issued.report.content.report
                return .phrase(ReportKind(rawValue: name)?.phrase ?? .own(name))
            })
        Column.day("first_day", .firstDay) { $0.report.content.periodStart }
        Column.day("last_day", .lastDay) { $0.report.content.periodEnd }
        Column.text("format", .format) { $0.report.parameter(.format) }
            .shown(as: { issued in
                guard let name = issued.report.parameter(.format) else { return .none }
                return .phrase(ReportFormat(rawValue: name)?.phrase ?? .own(name))
            })
            .narrowing(.leaves(0))
        Column.text("vehicle", .vehicle) { $0.report.vehicle }
            .narrowing(.leaves(1))
        Column.integer("size") { $0.report.head.size }
        Column.integer("changes_since", .changesSince) { $0.changes }
        Column.integer("entries_since", .enteredSince) { $0.entries }
    }
}
