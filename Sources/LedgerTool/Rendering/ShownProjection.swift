import Projections
import RowFormats
import TripEvents
import TripLedger

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
