import Projections
import RowFormats
import TripLedger

/// What an import did.
struct ShownImport {
    private let summary: ImportSummary

    init(_ summary: ImportSummary) {
        self.summary = summary
    }

    /// For people.
    var text: String {
        var text =
            summary.added == 0
            ? "Everything was there already.\n"
            : "Imported \(Count.text(summary.added, "entry", "entries")).\n"
        if summary.withheld > 0 {
            text += "Of \(Count.text(summary.withheld, "entry", "entries")) only the hash.\n"
        }
        text += "Entries  \(summary.head.size)\n"
        return text + "Root     \(summary.head.root)\n"
    }

    /// For programs (`import.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("added", integer: Int64(summary.added))
        json.add("known", integer: Int64(summary.known))
        json.add("withheld", integer: Int64(summary.withheld))
        json.add("size", integer: Int64(summary.head.size))
        json.add("root", text: summary.head.root)
        return json
    }
}
