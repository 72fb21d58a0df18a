import ArgumentParser
import Projections
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger project`.
struct ProjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project",
        abstract: "Brings the views up to date with the log.",
        discussion: """
            Views, such as the list of trips, are derived from the log and nothing else. Commands \
            that show them do this by themselves. With --check, views are derived again in memory \
            and every stored row that differs is printed; then the exit code is 1.

            Examples:
              ledger project
              ledger project --rebuild
              ledger project --check
            """
    )

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Make the views anew, beside the old ones, and swap them.")
    var rebuild = false

    @Flag(help: "Change nothing; print every row that is not what the log says.")
    var check = false

    func validate() throws {
        try options.refuseCSV()
        guard !rebuild || !check else {
            throw ValidationError("--check changes nothing and --rebuild does: use one of them.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        if check {
            try compare(ledger)
        } else {
            let report = try ledger.project(isRebuild: rebuild)
            let shown = ShownProjection(report)
            try Output.standard.writing { output in
                switch options.format {
                case .json: try output.writeLine(shown.json)
                case .text, .csv: try output.write(shown.text)
                }
            }
        }
    }

    private func compare(_ ledger: Ledger) throws {
        let differences = try ledger.checkViews().map { ShownDifference($0) }
        try Output.standard.writing { output in
            for difference in differences {
                switch options.format {
                case .json: try output.writeLine(difference.json)
                case .text, .csv: try output.writeLine(difference.text)
                }
            }
        }
        if differences.isEmpty, options.format == .text {
            Diagnostic.say("Every row is what the log says.\n")
        }
        guard differences.isEmpty else {
            Diagnostic.say("Make the views anew with `ledger project --rebuild`.\n")
            throw ExitCode(1)
        }
    }
}

/// What bringing the views up to date meant.
struct ShownProjection {
    private let report: ProjectionReport

    init(_ report: ProjectionReport) {
        self.report = report
    }

    /// For people.
    var text: String {
        var text = ""
        if report.isRebuilt {
            let reason = report.rebuiltBecause.map { ": \(Excerpt.escaped($0))" } ?? " anew"
            text += "Made the views\(reason).\n"
        }
        text += "Read \(Count.text(report.read, "entry", "entries")); "
        text += "the views know \(report.size) now.\n"
        if report.refoldedSources > 0 {
            let sources = Count.text(UInt64(report.refoldedSources), "source", "sources")
            text += "Late events of \(sources) were put in their place.\n"
        }
        if report.unknown > 0 {
            let events = Count.text(report.unknown, "event", "events")
            text += "Passed over \(events) of kinds that this version does not know.\n"
        }
        return text
    }

    /// For programs (`projection.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("read", integer: Int64(report.read))
        json.add("unknown", integer: Int64(report.unknown))
        json.add("refolded_sources", integer: Int64(report.refoldedSources))
        json.add("rebuilt", boolean: report.isRebuilt)
        if let reason = report.rebuiltBecause { json.add("rebuilt_because", text: reason) }
        json.add("size", integer: Int64(report.size))
        return json
    }
}

/// A row of a view that is not what the log says.
struct ShownDifference {
    private let difference: ViewDifference

    init(_ difference: ViewDifference) {
        self.difference = difference
    }

    /// Table, row and kind.
    var text: String {
        "\(difference.table) \(difference.row) \(difference.kind.rawValue)"
    }

    /// For programs (`view-difference.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("table", text: difference.table)
        json.add("row", text: difference.row)
        json.add("kind", text: difference.kind.rawValue)
        return json
    }
}
