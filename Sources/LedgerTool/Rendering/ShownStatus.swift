import Geodesy
import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger
import TripTracking

/// A ledger at a glance.
struct ShownStatus {
    private let status: LedgerStatus
    private let instant: EventTime
    private let path: FilePath

    init(_ status: LedgerStatus, asOf instant: EventTime, path: FilePath) {
        self.status = status
        self.instant = instant
        self.path = path
    }

    /// Writes it for people: what is going on, and below it the ledger.
    func writeText(to output: Output) throws {
        try output.write(liveText)
        try output.write("\n" + FactSheet(facts).text)
        guard !status.sources.isEmpty else { return }
        try output.write("\n")
        let unit = status.founding.units
        try output.write(activities, ShownActivity.columns, as: .text, unit: unit)
    }

    /// What is going on: a paragraph for each source with a trip that goes on or waits for its
    /// purpose.
    var liveText: String {
        let shown = activities.filter(\.isWorthALook)
        guard !shown.isEmpty else {
            let next = activities.count == 1 ? SuggestedCommand(activities[0].source).text : nil
            let facts = [("Now", "No trip is going on"), ("Next", next ?? "ledger go")]
            return FactSheet(facts).text
        }
        return shown.map { FactSheet($0.labelled).text }.joined(separator: "\n")
    }

    private var activities: [ShownActivity] {
        status.sources.map { ShownActivity($0, unit: status.founding.units) }
    }

    private var facts: [(label: String, fact: String)] {
        [
            ("Ledger", "\(status.founding.ledger) in \(Excerpt.escaped(path.string))"),
            ("Time zone", Excerpt.escaped(status.founding.timeZone)),
            ("Units", status.founding.units.rawValue),
            ("Rules", status.founding.rulesVersion),
            ("Entries", String(status.head.size)),
            ("Root", status.head.root),
            ("Views", views),
        ]
    }

    private var views: String {
        switch status.lag {
        case nil: "were made anew"
        case 0: "up to date"
        case .some(let lag): "were \(Count.text(lag, "entry", "entries")) behind; up to date now"
        }
    }
}

extension ShownStatus: Tabular {
    /// A ledger at a glance: `status.v1.schema.json`.
    static let columns = Columns<ShownStatus> {
        Column.name("ledger") { $0.status.founding.ledger }
        Column.text("time_zone") { $0.status.founding.timeZone }
        Column.name("units") { $0.status.founding.units.rawValue }
        Column.name("rules") { $0.status.founding.rulesVersion }
        Column.integer("size") { $0.status.head.size }
        Column.name("root") { $0.status.head.root }
        Column.integer("lag") { $0.status.lag }
        Column.time("as_of") { $0.instant }
        Column.rows("sources", ShownActivity.columns) { $0.activities }
    }
}
