import Projections
import RowFormats
import TripEvents
import TripLedger

/// What an export holds.
struct ShownExport {
    private let summary: ExportSummary
    private let destination: String

    init(_ summary: ExportSummary, _ destination: String) {
        self.summary = summary
        self.destination = destination
    }

    /// For people.
    var text: String {
        let count = Count.text(summary.head.size - summary.from, "entry", "entries")
        var text = "Wrote \(count) to \(Excerpt.escaped(destination)).\n"
        if summary.withheld > 0 {
            text += "Of \(Count.text(summary.withheld, "entry", "entries")) only the hash.\n"
        }
        if summary.erased > 0 {
            text += "The content of \(Count.text(summary.erased, "entry", "entries")) was erased.\n"
        }
        return text + "Root  \(summary.head.root)\n"
    }

    /// For programs (`export.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("destination", text: destination)
        json.add("from", integer: Int64(summary.from))
        json.add("size", integer: Int64(summary.head.size))
        json.add("root", text: summary.head.root)
        json.add("withheld", integer: Int64(summary.withheld))
        json.add("erased", integer: Int64(summary.erased))
        return json
    }
}
