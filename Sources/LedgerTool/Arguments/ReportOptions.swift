import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The options of reports about the trips of some days.
struct ReportOptions: ParsableArguments {
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "The unit of distances in text and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    @Flag(help: "Take the figures from the views: quick, and not for handing over.")
    var draft = false

    @Flag(help: "Show every column in full, also where the screen is too narrow.")
    var wide = false

    @Flag(help: "Do not page through a report that is longer than the screen; see PAGER.")
    var noPager = false

    /// Makes a report of one snapshot and writes it.
    ///
    /// - Parameters:
    ///   - options: The options of every command.
    ///   - make: Makes the report.
    /// - Throws: `LedgerError`, `OutputError`, and what `make` throws.
    func write<Report: PrintedReport>(
        _ options: GlobalOptions,
        _ make: (borrowing Snapshot, ReportFrame, TextStyle) throws -> Report
    ) throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        var style = TextStyle.screen(for: ledger, unit: units)
        style.zone = period.localDay.zone
        if wide { style.width = nil }
        func bytes(_ snapshot: borrowing Snapshot) throws -> [UInt8] {
            let frame = try ReportFrame(
                snapshot,
                in: period,
                vehicle: vehicle,
                isDraft: draft
            )
            return try make(snapshot, frame, style).bytes(as: options.format, style: style)
        }
        let instant = try moment.instant(in: ledger)
        let report: [UInt8]
        if draft {
            report = try ledger.read(asOf: instant) { try bytes($0) }
        } else {
            let meter = ProgressMeter()
            let progress: (UInt64, UInt64) -> Void = { meter.show(entries: $0, of: $1) }
            report = try ledger.readFromLog(asOf: instant, onProgress: progress) { snapshot in
                meter.clear()
                return try bytes(snapshot)
            }
        }
        try (noPager ? Output.standard : .paged).writing { try $0.write(report) }
        if let vehicle { try Diagnostic.noteIfUnknown(vehicle: vehicle, in: ledger) }
    }
}
