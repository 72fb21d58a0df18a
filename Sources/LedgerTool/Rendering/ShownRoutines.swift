import Geodesy
import Projections
import RoutinesProjection
import TripEvents

/// Routines, one on a line.
struct ShownRoutines {
    private static let titles = [
        "routine", "title", "purpose", "notes", "category", "client", "vehicle", "class",
        "times_used", "last_used_at", "typical_start_time", "typical_start_lat",
        "typical_start_lon", "typical_end_lat", "typical_end_lon",
    ]

    private let routines: [RoutineSummary]
    private let places: PlaceBook

    init(_ routines: [RoutineSummary], places: PlaceBook) {
        self.routines = routines
        self.places = places
    }

    /// Whether there are none.
    var isEmpty: Bool { routines.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for summary in routines { try output.writeLine(Self.json(summary)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for summary in routines { try output.write(Self.csv(summary)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("ROUTINE"), .numbers("USED"), .words("LAST USED"), .words("AT"),
            .words("FROM"), .words("TO"), .words("SAYS"),
        ])
        for summary in routines {
            table.add([
                Excerpt.escaped(summary.routine.name), String(summary.timesUsed),
                summary.lastUsedAt.map(LocalTime.text) ?? "-",
                Self.timeOfDay(summary) ?? "-",
                text(summary.typicalStart, summary), text(summary.typicalEnd, summary),
                Self.words(summary.routine.details),
            ])
        }
        return table
    }

    /// Returns the place, else the position to about a hundred metres.
    private func text(_ position: Coordinate?, _ summary: RoutineSummary) -> String {
        guard let position, let used = summary.lastUsedAt else { return "-" }
        let place = places.place(at: position, on: used.timestamp)
        let digits = [position.latitude, position.longitude]
            .map { FixedPoint.text(Int64(($0 * 1_000).rounded()), decimals: 3) }
        return place.map { Excerpt.escaped($0.title) } ?? digits.joined(separator: ", ")
    }

    /// Returns what the routine makes trips say, such as `client=ACME, class=business`.
    private static func words(_ details: TripDetails) -> String {
        let texts = texts(of: details)
            .compactMap { name, text in text.map { "\(name)=\(Excerpt.escaped($0))" } }
        let fields = (details.fields?.all ?? [])
            .map { "\(Excerpt.escaped($0.key))=\(ShownValue.text($0.value))" }
        return (texts + fields).joined(separator: ", ")
    }

    private static func texts(of details: TripDetails) -> [(name: String, text: String?)] {
        [
            ("title", details.title), ("purpose", details.purpose), ("notes", details.notes),
            ("category", details.category), ("client", details.client),
            ("vehicle", details.vehicle), ("class", details.tripClass?.rawValue),
        ]
    }

    /// Returns the typical time of day at the start, such as `08:30`.
    private static func timeOfDay(_ summary: RoutineSummary) -> String? {
        summary.typicalMinuteOfDay.map { minute in
            [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }
                .joined(separator: ":")
        }
    }

    /// For programs (`routine.v1.schema.json`).
    private static func json(_ summary: RoutineSummary) -> RowJSON {
        var json = RowJSON()
        json.add("routine", text: summary.routine.name)
        for (name, text) in texts(of: summary.routine.details) where text != nil {
            json.add(name, text: text)
        }
        if let fields = summary.routine.details.fields { json.add("fields", fields: fields) }
        json.add("times_used", integer: Int64(summary.timesUsed))
        json.add("last_used_at", time: summary.lastUsedAt)
        json.add("typical_start_time", text: timeOfDay(summary))
        add("typical_start", summary.typicalStart, to: &json)
        add("typical_end", summary.typicalEnd, to: &json)
        return json
    }

    private static func add(_ name: String, _ position: Coordinate?, to json: inout RowJSON) {
        guard let position else {
            json.addNull(name)
            return
        }
        json.add(name) { object in
            object.add("lat", double: position.latitude)
            object.add("lon", double: position.longitude)
        }
    }

    private static func csv(_ summary: RoutineSummary) -> CSVRow {
        var row = CSVRow()
        row.add(text: summary.routine.name)
        for (_, text) in texts(of: summary.routine.details) { row.add(text: text) }
        row.add(number: String(summary.timesUsed))
        row.add(
            text: summary.lastUsedAt.map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
        )
        row.add(text: timeOfDay(summary))
        for position in [summary.typicalStart, summary.typicalEnd] {
            row.add(number: position.map { "\($0.latitude)" })
            row.add(number: position.map { "\($0.longitude)" })
        }
        return row
    }
}
