import ArgumentParser
import Projections
import RowFormats
import SystemPackage
import TripLedger

/// The command `ledger compact`.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Writes the log anew in a third to half of the room; nothing else changes.",
        discussion: """
            Full blocks of the log are compressed, many of them together. Each compact block is \
            read back before it counts: every entry stays what it was byte for byte, \
            with its position and hash, and so do heads, proofs and views. Whatever is appended \
            later is compacted the next time.

            The log is written beside the present one and takes its place in one step. A run \
            that is cut off, or that finds no room, changes nothing: run it again. Nobody else \
            may have the ledger open meanwhile. Versions of ledger that do not know compact \
            blocks refuse to read the log.

            Examples:
              ledger compact
              ledger compact --format json
            """
    )

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        let meter = ScanMeter()
        defer { meter.clear() }
        guard let result = try ledger.compact(onProgress: { meter.show(.log, $0, $1) }) else {
            throw Self.openElsewhere(at: ledger.path.string)
        }
        defer { result.ledger.close() }
        meter.clear()
        let shown = ShownCompaction(result.report)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
    }

    private static func openElsewhere(at path: String) -> LedgerError {
        LedgerError(
            .inputOutput,
            at: path,
            cause: "another process has the ledger open, so that its log cannot be written anew",
            hint: "Nothing was changed. End the other process, then say `ledger compact` again"
        )
    }
}

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
