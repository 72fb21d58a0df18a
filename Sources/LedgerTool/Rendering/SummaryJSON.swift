import Projections
import RowFormats
import TripLedger

/// The last line of `ledger append` (`summary.v1.schema.json`).
struct SummaryJSON {
    let json: RowJSON

    init(_ summary: IntakeSummary) {
        var json = RowJSON()
        json.add("read", integer: Int64(summary.read))
        json.add("appended", integer: Int64(summary.appended))
        json.add("duplicate", integer: Int64(summary.duplicate))
        json.add("conflict", integer: Int64(summary.conflict))
        json.add("rejected", integer: Int64(summary.rejected))
        if summary.heldBack > 0 { json.add("held_back", integer: Int64(summary.heldBack)) }
        json.add("size", integer: Int64(summary.head.size))
        json.add("root", text: summary.head.root)
        self.json = json
    }
}
