import ArgumentParser
import LedgerRows
import Tables
import TripLedger

/// The options of commands that list what has a position.
struct PositionOptions: ParsableArguments {
    @Option(help: LedgerOption.help, completion: .directory)
    var ledger: String?

    @Option(help: "How the list is written.")
    var format: PositionFormat = .text

    @OptionGroup var table: TableOptions

    func validate() throws {
        try LedgerOption.check(ledger)
        guard table.excel == nil || [.text, .csv].contains(format) else {
            throw SpreadsheetOption.conflict(with: format.rawValue)
        }
        guard table.columns == nil || format.rows != nil else {
            throw ValidationError("--columns are those of a table: use it with text or csv.")
        }
    }

    /// Opens the ledger.
    func open() throws -> Ledger {
        try LedgerOption.open(ledger)
    }

    /// Writes a list; if it is empty, a remark on standard error says so.
    ///
    /// - Parameters:
    ///   - rows: The list.
    ///   - style: How people see it.
    ///   - missing: The entries that the ledger lacks.
    ///   - remark: The remark about an empty list.
    /// - Throws: `OutputError`.
    func list<Row: MapRow>(
        _ rows: [Row],
        style: TextStyle,
        noting missing: MissingEntries,
        ifEmpty remark: String
    ) throws {
        guard var writer = FeatureWriter(as: format, style) else {
            return try Output.list(
                rows,
                as: format.rows ?? .text,
                in: table,
                style: style,
                noting: missing,
                ifEmpty: remark
            )
        }
        try table.output.writing { output in
            try output.write { writer.begin(to: &$0) }
            for row in rows { try output.write { writer.add(row, to: &$0) } }
            try output.write { writer.end(to: &$0) }
        }
        Diagnostic.note(missing)
    }
}
