import ArgumentParser
package import LedgerKeeping
import SystemPackage
package import Tables
import TripLedger

/// The command `ledger compact`.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Compresses the log to a third or half of its size; nothing else changes.",
        discussion: """
            Full blocks of the log are compressed, many of them together. Each compact block is \
            read back before it counts: every entry stays what it was byte for byte, \
            with its position and hash, and so do heads, proofs and views. What is appended \
            later is compacted the next time.

            The log is written beside the present one and takes its place in one step. A run \
            that is cut off, or that finds no room, changes nothing: run it again. No other \
            process may have the ledger open meanwhile. Versions of ledger that do not know \
            compact blocks refuse to read the log.

            Examples:
              ledger compact
              ledger compact --format json
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    func run() throws {
        let ledger = try options.open()
        let meter = ProgressMeter()
        defer { meter.clear() }
        guard let result = try ledger.compact(onProgress: { meter.show(.log, $0, $1) }) else {
            throw Self.openElsewhere(at: ledger.path.string)
        }
        defer { result.ledger.close() }
        meter.clear()
        try Output.show(result.report, as: options.format) { report in
            report.newBlocks > 0
                ? CompactionReport.columns.facts(report).text(width: Screen.columnCount)
                : "There is nothing to compact: no full block would become shorter.\n"
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

extension CompactionReport: Tabular {
    /// The result of compacting a log: `compaction.v1.schema.json`.
    package static let columns = Columns<CompactionReport> {
        Column.integer("size", "Entries") { $0.head.size }
        Column.name("root") { $0.head.root }
        Column.integer("compact_blocks") { $0.compactBlocks }
        Column.integer("new_blocks") { $0.newBlocks }
        Column.integer("new_entries", "Compacted") { $0.newEntries }
            .shown(as: { .name("\($0.newEntries) in \($0.newBlocks) blocks") })
        Column.integer("bytes_before") { $0.bytesBefore }
        Column.integer("bytes_after", "Bytes") { $0.bytesAfter }
            .shown(as: { .name("\($0.bytesAfter), before \($0.bytesBefore)") })
        Column.shown("Per entry") { .name("\($0.bytesPerEntry) bytes") }
    }

    /// The whole file's bytes for each entry, to a tenth.
    private var bytesPerEntry: String {
        let size = max(1, Int64(clamping: head.size))
        let tenths = (10 * bytesAfter + size / 2) / size
        return "\(tenths / 10).\(tenths % 10)"
    }
}
