import ArgumentParser
import Platform
import Reports
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The options that every command has, with the formats in which it writes results.
struct GlobalOptions<Format: FormatChoice>: ParsableArguments {
    /// The named directory; not a ``LedgerOption``, because a nested option group makes every start
    /// of a debug build take half as long again.
    @Option(help: LedgerOption.help, completion: .directory)
    var ledger: String?

    @Option(name: .customLong("format"), help: "How results are written.")
    var choice: Format = .text

    /// The format of results.
    var format: RowFormat { choice.rows }

    func validate() throws {
        try LedgerOption.check(ledger)
    }

    /// The directory of the ledger.
    var path: FilePath {
        get throws { try LedgerOption.path(of: ledger) }
    }

    /// Opens the ledger.
    func open() throws -> Ledger {
        try LedgerOption.open(ledger)
    }

    /// Writes a list; if it is empty, a remark on standard error says so.
    ///
    /// - Parameters:
    ///   - rows: The list.
    ///   - table: The table that the person asked for.
    ///   - style: How people see it.
    ///   - hidden: The names of columns that people do not see.
    ///   - missing: The entries that the ledger lacks. They are reported, too: in each row, or on
    ///     standard error if there are no rows.
    ///   - remark: The remark about an empty list.
    /// - Throws: `OutputError`.
    func list<Row: Tabular>(
        _ rows: [Row],
        in table: TableOptions? = nil,
        style: TextStyle = .screen,
        without hidden: Set<String> = [],
        noting missing: MissingEntries? = nil,
        ifEmpty remark: String? = nil
    ) throws {
        try Output.list(
            rows,
            as: format,
            in: table,
            style: style,
            without: hidden,
            noting: missing,
            ifEmpty: remark
        )
    }

    /// Writes a list that is made from the ledger's entries, and says which of these are missing.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - table: The table that the person asked for.
    ///   - group: The group whose rows they are; `nil` for all.
    ///   - remark: The remark about an empty list.
    ///   - rows: Makes the list.
    /// - Throws: `OutputError`, `LedgerError`, and what `rows` throws.
    func list<Row: Tabular>(
        from ledger: Ledger,
        in table: TableOptions,
        of group: GroupSelection? = nil,
        ifEmpty remark: String,
        _ rows: (borrowing Snapshot) throws -> [Row]
    ) throws {
        let (rows, missing) = try ledger.readNow {
            (try rows($0), try $0.missingEntries(of: group))
        }
        try list(
            rows,
            in: table,
            style: table.style(for: ledger),
            noting: missing,
            ifEmpty: remark
        )
    }

    /// Writes rows; for people each is a page: facts with their labels.
    func showEach<Row: Tabular>(
        _ rows: [Row],
        style: TextStyle = .screen,
        noting missing: MissingEntries? = nil
    ) throws {
        try Output.standard.writing { output in
            guard format == .text else {
                let columns = missing.map(Row.columns.noting) ?? Row.columns
                return try output.write(rows, columns, as: format, style: style)
            }
            if let missing { try output.writeHead(missing) }
            for (index, row) in rows.enumerated() {
                try output.write(
                    (index == 0 ? "" : "\n")
                        + Row.columns.facts(row, style).text(width: Screen.columnCount)
                )
            }
        }
    }

    /// Refuses CSV and ids in a use of the command that prints no table, where others do.
    func refuseCSV() throws {
        guard format != .ids else { throw Output.noIDs }
        guard format != .csv else {
            throw ValidationError(
                "--format csv works where the result is a table; use text or json here."
            )
        }
    }
}
