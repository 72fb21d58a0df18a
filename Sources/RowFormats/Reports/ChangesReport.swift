import Documents
import Projections
import Reports
import TripEvents
package import TripLedger
import TripTracking

/// The auditor's page: what was changed afterwards, about the trips of some days and about what
/// they go by: `report-changes.v1.schema.json`.
package struct ChangesReport: PrintedReport {
    /// What it was made of.
    package let frame: ReportFrame

    /// The changes, first what was decided first.
    package let lines: [AuditLine]

    /// Whether what was entered for the first time is listed too.
    private let listsEntries: Bool

    private let entryCount: Int
    private let details: Contemporaneity
    private let recorded: Contemporaneity

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: The days and the vehicle.
    ///   - listsEntries: Whether what was entered for the first time is listed too.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        listingEntries listsEntries: Bool
    ) throws {
        self.frame = frame
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
        let all = try snapshot.auditTrail(in: frame.period)
            .filter { Self.concerns($0, frame.vehicle, concerned) }
        let corrections = Set(all.filter { Self.isCorrection($0) }.map { Decided($0) })
        let changes = all.filter { Self.isChange($0, corrections) }
        entryCount = all.count - changes.count
        lines = listsEntries ? all : changes
    }

    /// One decision: every line of it has these in common.
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

    /// Whether a line is about a vehicle's trips, or about what is not of another vehicle.
    private static func concerns(
        _ line: AuditLine,
        _ vehicle: String?,
        _ trips: Set<TripID>
    ) -> Bool {
        guard let vehicle else { return true }
        if let trip = line.trip { return trips.contains(trip) || moves(line, vehicle) }
        let setting = line.setting ?? ""
        let isOfVehicle = setting.hasPrefix("vehicle ") || setting.hasPrefix("odometer of ")
        return !isOfVehicle || setting.hasSuffix(" \(vehicle)")
    }

    /// Whether a trip was given to a vehicle, or taken from it.
    private static func moves(_ line: AuditLine, _ vehicle: String) -> Bool {
        line.change.field == "vehicle"
            && [line.change.old, line.change.new].contains(.text(vehicle))
    }

    /// Whether a reading stands in the place of another one.
    private static func isCorrection(_ line: AuditLine) -> Bool {
        line.kind == .odometerRead && line.change.field == "corrects" && line.change.new != nil
    }

    /// Whether something said otherwise before, or a decision took back what was measured.
    private static func isChange(_ line: AuditLine, _ corrections: Set<Decided>) -> Bool {
        switch line.kind {
        case .tripVoided, .tripRestored, .tripsMerged, .tripSplit, .distanceAdjusted,
            .stretchExcluded, .entriesErased, .clockShifted:
            true
        // The next reading is no change of the one before.
        case .odometerRead: corrections.contains(Decided(line))
        default: line.change.old != nil && line.change.old != .null
        }
    }

    /// The columns of JSON.
    package static let columns = Columns<ChangesReport> {
        Column.name("report") { _ in "changes" }
        ReportFrame.columns.of { $0.frame }
        Column.boolean("lists_entries") { $0.listsEntries }
        Column.integer("entries") { $0.entryCount }
        Contemporaneity.columns.of("details.") { $0.details }
        Contemporaneity.columns.of("recorded.") { $0.recorded }
        Column.rows("changes", AuditLine.columns) { $0.lines }
    }

    /// The columns of CSV: those of `ledger history --all`.
    package static var lineColumns: Columns<AuditLine> { AuditLine.columns }

    /// Returns what people read.
    package func page(_ style: TextStyle) -> ReportPage {
        let facts = frame.facts(in: style.unit)
        var page = ReportPage("Changes after the fact", facts, frame, .landscape, style)
        page.add(lines, AuditLine.columns)
        var sentences: [String] = []
        if lines.isEmpty { sentences.append("Nothing was changed afterwards.") }
        if !listsEntries, entryCount > 0 {
            sentences.append(
                "Beside these, \(entryCount) fields were entered for the first time: --all lists "
                    + "them."
            )
        }
        sentences += [
            details.sentence,
            "The last event of trips was stored within a day of \(recorded.withinDay), within "
                + "seven days of \(recorded.withinWeek), later of \(recorded.later).",
            "DAYS AFTER counts from the end of the trip to the storing of the change.",
            frame.period.localDay.sentence,
        ]
        page.add(sentences)
        return page
    }
}
