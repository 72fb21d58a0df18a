import Geodesy
import Projections
import SystemPackage
import TripEvents
import TripLedger
import TripTracking

/// A ledger at a glance.
struct ShownStatus {
    private let status: LedgerStatus
    private let path: FilePath

    init(_ status: LedgerStatus, path: FilePath) {
        self.status = status
        self.path = path
    }

    /// Writes it for people.
    func writeText(to output: Output) throws(OutputError) {
        let facts = [
            ("Ledger", "\(status.founding.ledger) in \(Excerpt.escaped(path.string))"),
            ("Time zone", Excerpt.escaped(status.founding.timeZone)),
            ("Units", status.founding.units.rawValue),
            ("Rules", status.founding.rulesVersion),
            ("Entries", String(status.head.size)),
            ("Root", status.head.root),
            ("Views", views),
        ]
        try output.write(FactSheet(facts).text)
        guard !status.sources.isEmpty else { return }
        try output.write("\n")
        try table.write(to: output)
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
        json.add("sources", objects: status.sources.map(Self.json))
        return json
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

    private static func json(_ source: LedgerStatus.Source) -> RowJSON {
        var json = RowJSON()
        json.add("source", text: source.name)
        json.add("events", integer: Int64(source.events))
        json.add("latest_at", time: EventTime(source.latestAt))
        let live = source.live
        json.add("phase", text: live.phase.rawValue)
        json.add("since", time: live.since.map { EventTime($0) })
        json.add("trip", text: live.trip?.id.description)
        if let trip = live.trip {
            json.add("distance_m", thousandths: trip.distance.millimeters)
            json.add("asks_still_recording", boolean: live.asksStillRecording)
        }
        if let age = live.lastFixAgeMilliseconds {
            json.add("last_fix_age_s", thousandths: age)
        }
        return json
    }
}
