import Projections
import RowFormats
import TripLedger

/// What compacting a ledger's log came to.
struct ShownCompaction {
    private let report: CompactionReport

    init(_ report: CompactionReport) {
        self.report = report
    }

    /// For people.
    var text: String {
        guard report.newBlocks > 0 else {
            return "There is nothing to compact: no full block would become shorter.\n"
        }
        return FactSheet([
            ("Entries", String(report.head.size)),
            ("Compacted", "\(report.newEntries) in \(report.newBlocks) blocks"),
            ("Bytes", "\(report.bytesAfter), before \(report.bytesBefore)"),
            ("Per entry", "\(bytesPerEntry) bytes"),
        ])
        .text
    }

    /// For programs (`compaction.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("size", integer: Int64(clamping: report.head.size))
        json.add("root", text: report.head.root)
        json.add("compact_blocks", integer: Int64(clamping: report.compactBlocks))
        json.add("new_blocks", integer: Int64(clamping: report.newBlocks))
        json.add("new_entries", integer: Int64(clamping: report.newEntries))
        json.add("bytes_before", integer: report.bytesBefore)
        json.add("bytes_after", integer: report.bytesAfter)
        return json
    }

    /// The whole file's bytes for each entry, to a tenth.
    private var bytesPerEntry: String {
        let size = max(1, Int64(clamping: report.head.size))
        let tenths = (10 * report.bytesAfter + size / 2) / size
        return "\(tenths / 10).\(tenths % 10)"
    }
}
