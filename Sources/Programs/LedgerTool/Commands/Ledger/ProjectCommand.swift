import ArgumentParser
package import Tables
import TripEvents
package import TripLedger

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

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Flag(help: "Make the views anew, beside the old ones, and swap them.")
    var rebuild = false

    @Flag(help: "Change nothing; print every row that is not what the log says.")
    var check = false

    func validate() throws {
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
            try Output.show(report, as: options.format, text: Self.text)
        }
    }

    private func compare(_ ledger: Ledger) throws {
        guard let differences = try Self.differences(of: ledger) else { return }
        try Output.standard.writing { output in
            for difference in differences {
                switch options.format {
                case .json: try output.writeLine(json: difference)
                case .text, .csv, .ids:
                    let kind = difference.kind.rawValue
                    try output.writeLine("\(difference.table) \(difference.row) \(kind)")
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

    /// Compares the views; if there are none, reports that and returns `nil`.
    ///
    /// A ledger that was only appended to is as sound as one with views.
    private static func differences(
        of ledger: Ledger
    ) throws(LedgerError) -> [ViewDifference]? {
        do {
            return try ledger.checkViews()
        } catch {
            guard error.code == .notFound else { throw error }
            Diagnostic.say(
                "Nothing was compared: \(error.cause). Views are made when they are needed.\n"
            )
            return nil
        }
    }

    private static func text(_ report: ProjectionReport) -> String {
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
}

extension ProjectionReport: Tabular {
    /// The result of bringing the views up to date: `projection.v1.schema.json`.
    package static let columns = Columns<ProjectionReport> {
        Column.integer("read") { $0.read }
        Column.integer("unknown") { $0.unknown }
        Column.integer("refolded_sources") { $0.refoldedSources }
        Column.boolean("rebuilt") { $0.isRebuilt }
        Column.text("rebuilt_because") { $0.rebuiltBecause }.optional
        Column.integer("size") { $0.size }
    }
}

extension ViewDifference: Tabular {
    /// A row of a view that is not what the log says: `view-difference.v1.schema.json`.
    package static let columns = Columns<ViewDifference> {
        Column.text("table") { $0.table }
        Column.text("row") { $0.row }
        Column.name("kind") { $0.kind.rawValue }
    }
}
