import LedgerRows
import Platform
import Projections
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger

/// An issued report beside the same report as it would be now, with what has changed since.
struct ReportComparison {
    /// The report.
    let report: IssuedReport

    /// The lines that differ.
    let lines: [LineDifference]

    /// The changes since, as far as they concern trips of the report's days and vehicle.
    private let changes: LedgerChanges

    private let missing: MissingEntries

    /// Makes an issued report again, and as it would be now.
    ///
    /// - Throws: As ``IssuedReportMaker/bytes(of:)``; `.damaged`, `.inputOutput`.
    init(_ report: IssuedReport, in ledger: Ledger) throws {
        let maker = IssuedReportMaker(ledger)
        var request = try maker.request(of: report)
        // A document is compared by its words, because its look does not depend on the ledger.
        let isDocument = request.format?.rows == nil
        let old = try isDocument ? maker.made(report, as: .text) : maker.bytes(of: report)
        if isDocument { request.format = .text }
        let rows = request.format?.rows ?? .text
        let (now, means) = (WallClock.now, ReportMeans.kept(of: ledger))
        self.report = report
        (lines, changes, missing) = try ledger.readFromLog(asOf: now) { snapshot in
            let resolved = try ResolvedReport(request, asOf: now, of: snapshot, by: means)
            let new = try resolved.bytes(snapshot).bytes
            var changes = try snapshot.changes(since: .head(report.head))
            try changes.keepTrips(in: resolved.period, of: resolved.request, snapshot)
            return (
                LineDifference.all(from: old, to: new, as: rows),
                changes,
                try snapshot.missingEntries()
            )
        }
    }

    /// Writes the comparison: for people, or as lines of JSON or CSV.
    func write(_ format: RowFormat, style: TextStyle, to output: Output) throws {
        switch format {
        case .text: try writeText(style, to: output)
        case .csv, .ids: try output.write(lines, LineDifference.columns, as: format)
        case .json:
            try output.write(lines, LineDifference.columns, as: .json)
            try output.write(
                [changes],
                LedgerChanges.columns.noting(missing),
                as: .json,
                style: style
            )
        }
    }

    private func writeText(_ style: TextStyle, to output: Output) throws {
        let content = report.content
        let issuedAt = LocalTime.text(report.issuedAt.told(by: style.clock))
        let facts: [(label: String, fact: String)] = [
            (
                "Report",
                "\(report.id), \(content.report) of \(content.periodStart) to "
                    + "\(content.periodEnd), issued \(issuedAt)"
            )
        ]
        try output.write(FactSheet(facts).text(width: style.width))
        guard !lines.isEmpty else {
            return try output.write("It would be the same now, line by line.\n")
        }
        try output.write("\nLines that differ, as issued (-) and as they would be now (+):\n")
        for line in lines {
            if let old = line.old { try output.writeLine("- " + Excerpt.escaped(old)) }
            if let new = line.new { try output.writeLine("+ " + Excerpt.escaped(new)) }
        }
        try output.write("\nWhat was appended since:\n")
        let start = ChangesStart.head(report.head)
        try ChangesPage(changes, missing, from: start, style: style).writeText(to: output)
    }
}

extension LedgerChanges {
    /// Leaves out trips that are not of some days and of a request's group, vehicle and driver,
    /// neither as they were nor as they are, and what people decided about them.
    fileprivate mutating func keepTrips(
        in period: LocalPeriod,
        of request: ReportRequest,
        _ snapshot: borrowing Snapshot
    ) throws {
        let drivers = try snapshot.drivers()
        func isConcerned(_ trip: BookedTrip) -> Bool {
            period.contains(trip.trip.startedAt)
                && (request.vehicle.map { $0 == trip.details.vehicle } ?? true)
                && (request.group?.includes(trip.trip.group) ?? true)
                && (request.driver.map { drivers.driver(of: trip) == $0 } ?? true)
        }
        changedTrips.removeAll { changed in
            !isConcerned(changed.before) && !(changed.now.map(isConcerned) ?? false)
        }
        addedTrips.removeAll { !isConcerned($0) }
        let trips = try snapshot.trips(TripFilter(includesUncounted: true, period: period))
        let concerned = Set(trips.map(\.booked).filter(isConcerned).map(\.id))
            .union(changedTrips.map(\.before.id))
        amendments.removeAll { !concerned.contains($0.amendment.trip) }
    }
}
