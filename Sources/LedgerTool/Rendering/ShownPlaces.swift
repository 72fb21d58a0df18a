import Projections
import TripEvents

/// Places, one on a line.
struct ShownPlaces {
    private static let titles = [
        "place", "label", "lat", "lon", "radius_m", "skip", "notify_on_entry", "notify_on_exit",
        "saved_at",
    ]

    private let places: [SavedPlace]

    init(_ places: [SavedPlace]) {
        self.places = places
    }

    /// Whether there are none.
    var isEmpty: Bool { places.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for place in places { try output.writeLine(Self.json(place)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for place in places { try output.write(Self.csv(place)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("PLACE"), .words("LABEL"), .numbers("LATITUDE"), .numbers("LONGITUDE"),
            .numbers("RADIUS m"), .words("SKIP"), .words("NOTIFY"), .words("SAVED"),
        ])
        for place in places {
            let saving = place.saving
            let notices = [
                saving.notifiesOnEntry == true ? "entry" : nil,
                saving.notifiesOnExit == true ? "exit" : nil,
            ]
            .compactMap(\.self)
            table.add([
                Excerpt.escaped(place.name), saving.label.map(Excerpt.escaped) ?? "-",
                saving.latitude.description, saving.longitude.description,
                saving.radiusMeters.description, saving.skips == true ? "yes" : "-",
                notices.isEmpty ? "-" : notices.joined(separator: ", "),
                LocalTime.text(place.savedAt),
            ])
        }
        return table
    }

    /// For programs (`place.v1.schema.json`).
    private static func json(_ place: SavedPlace) -> RowJSON {
        let saving = place.saving
        var json = RowJSON()
        json.add("place", text: place.name)
        json.add("label", text: saving.label)
        json.add("lat", number: saving.latitude)
        json.add("lon", number: saving.longitude)
        json.add("radius_m", number: saving.radiusMeters)
        json.add("skip", boolean: saving.skips == true)
        json.add("notify_on_entry", boolean: saving.notifiesOnEntry == true)
        json.add("notify_on_exit", boolean: saving.notifiesOnExit == true)
        json.add("saved_at", time: place.savedAt)
        return json
    }

    private static func csv(_ place: SavedPlace) -> CSVRow {
        let saving = place.saving
        var row = CSVRow()
        row.add(text: place.name)
        row.add(text: saving.label)
        row.add(number: saving.latitude.description)
        row.add(number: saving.longitude.description)
        row.add(number: saving.radiusMeters.description)
        for choice in [saving.skips, saving.notifiesOnEntry, saving.notifiesOnExit] {
            row.add(text: choice == true ? "true" : "false")
        }
        row.add(text: RFC3339.text(place.savedAt.timestamp, utcOffset: place.savedAt.utcOffset))
        return row
    }
}
