import ArgumentParser
import LedgerRows
import Tables
import TripLedger

/// The options of commands that list rows with positions.
struct PositionOptions<Format: PositionChoice>: ParsableArguments {
    @Option(help: LedgerOption.help, completion: .directory)
    var ledger: String?

    @Option(help: "How the list is written.")
    var format: Format = .text

    @OptionGroup var table: TableOptions

    func validate() throws {
        try LedgerOption.check(ledger)
        guard table.excel == nil || format.rows == .text || format.rows == .csv else {
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
        guard let map = format.map, var writer = FeatureWriter(as: map, style) else {
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

/// The formats that a command offers which lists rows with positions.
protocol PositionChoice: ExpressibleByArgument, RawRepresentable where RawValue == String {
    /// The format for people, which every command has.
    static var text: Self { get }

    /// The format of the rows; `nil` if it is one of maps.
    var rows: RowFormat? { get }

    /// The format for maps; `nil` if it is one of rows.
    var map: PositionFormat? { get }
}

/// The formats of lists whose rows have no ids.
extension PositionFormat: PositionChoice {
    /// Itself, where it is one of maps.
    var map: PositionFormat? { rows == nil ? self : nil }
}

/// The formats of places, which have names by which commands know them.
enum PlaceFormat: String, CaseIterable, PositionChoice {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For programs that read tables.
    case csv

    /// For programs that take names: one on each line.
    case ids

    /// For maps and devices: GPX 1.1.
    case gpx

    /// For maps: RFC 7946.
    case geojson

    /// For globes: KML 2.2.
    case kml

    var rows: RowFormat? { RowFormat(rawValue: rawValue) }

    var map: PositionFormat? { rows == nil ? PositionFormat(rawValue: rawValue) : nil }
}
