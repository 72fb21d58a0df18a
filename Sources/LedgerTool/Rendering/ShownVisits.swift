import Projections
import TripEvents
import TripLedger

/// Visits of places, one on a line.
struct ShownVisits {
    private static let titles = ["place", "source", "entered_at", "last_inside_at", "left_at"]

    private let visits: [SourceVisit]

    init(_ visits: [SourceVisit]) {
        self.visits = visits
    }

    /// Whether there are none.
    var isEmpty: Bool { visits.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for visit in visits { try output.writeLine(Self.json(visit)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for visit in visits { try output.write(Self.csv(visit)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("PLACE"), .words("ENTERED"), .words("LAST INSIDE"), .words("LEFT"),
            .words("SOURCE"),
        ])
        for found in visits {
            let visit = found.visit
            table.add([
                Excerpt.escaped(visit.place.title), LocalTime.text(visit.enteredAt),
                LocalTime.text(visit.lastInsideAt), visit.leftAt.map(LocalTime.text) ?? "-",
                Excerpt.escaped(found.source),
            ])
        }
        return table
    }

    /// For programs (`visit.v1.schema.json`).
    private static func json(_ found: SourceVisit) -> RowJSON {
        var json = RowJSON()
        json.add("place", text: found.visit.place.name)
        json.add("source", text: found.source)
        json.add("entered_at", time: found.visit.enteredAt)
        json.add("last_inside_at", time: found.visit.lastInsideAt)
        json.add("left_at", time: found.visit.leftAt)
        return json
    }

    private static func csv(_ found: SourceVisit) -> CSVRow {
        let visit = found.visit
        var row = CSVRow()
        row.add(text: visit.place.name)
        row.add(text: found.source)
        for time in [visit.enteredAt, visit.lastInsideAt, visit.leftAt] {
            row.add(text: time.map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) })
        }
        return row
    }
}
