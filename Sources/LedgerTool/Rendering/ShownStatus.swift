import Geodesy
import Projections
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
    func writeText(to output: Output) throws(OutputError) {
        try output.write(liveText)
        try output.write("\n" + FactSheet(facts).text)
        guard !status.sources.isEmpty else { return }
        try output.write("\n")
        try table.write(to: output)
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

    /// For programs (`status.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("ledger", text: status.founding.ledger)
        json.add("time_zone", text: status.founding.timeZone)
        json.add("units", text: status.founding.units.rawValue)
        json.add("rules", text: status.founding.rulesVersion)
        json.add("size", integer: Int64(status.head.size))
        json.add("root", text: status.head.root)
        if let lag = status.lag {
            json.add("lag", integer: Int64(lag))
        } else {
            json.addNull("lag")
        }
        json.add("as_of", time: instant)
        json.add("sources", objects: activities.map(\.json))
        return json
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

    private var table: TextTable {
        var table = TextTable([
            .words("SOURCE"), .numbers("EVENTS"), .words("LATEST"), .words("PHASE"),
            .words("TRIP"), .numbers("DISTANCE"),
        ])
        for source in status.sources {
            let trip = source.live.trip.map {
                ShownTrip(BookedTrip($0), unit: status.founding.units)
            }
            table.add([
                Excerpt.escaped(source.name), String(source.events),
                LocalTime.text(EventTime(source.latestAt)), Self.phase(source.live),
                trip?.shortID ?? "-", trip?.distance ?? "-",
            ])
        }
        return table
    }

    private static func phase(_ live: LiveStatus) -> String {
        live.phase.rawValue + (live.asksStillRecording ? ", still recording?" : "")
    }
}
