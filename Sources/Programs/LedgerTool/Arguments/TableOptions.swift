import ArgumentParser
import Reports
import Tables
import TripEvents
import TripLedger

/// The options of commands that print lists as tables: on a screen, which they may not fit, or for
/// a spreadsheet program.
struct TableOptions: ParsableArguments {
    @Flag(help: "Show every column in full.")
    var wide = false

    @Option(
        help: ArgumentHelp(
            "Only these columns, in this order, with commas.",
            valueName: "names"
        ),
        transform: { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    )
    var columns: [String]?

    @Flag(help: "Do not page through a table longer than the screen.")
    var noPager = false

    @Option(help: SpreadsheetOption.help)
    var excel: DecimalMark?

    /// The columns that were asked for; those of JSON stay.
    ///
    /// - Throws: `ValidationError` if there is none with such a name.
    func chosen<Row>(of columns: Columns<Row>, as format: RowFormat) throws -> Columns<Row> {
        guard let names = self.columns, format == .text || format == .csv else { return columns }
        do {
            return try columns.choosing(names, as: format)
        } catch {
            throw ValidationError(
                ReportProblem.sentence(onNoColumn: error.name, among: error.names)
            )
        }
    }

    /// The requested columns and, for programs, those in which each row says what the ledger lacks;
    /// these can be requested, too.
    ///
    /// - Throws: `ValidationError` if there is none with such a name.
    func chosen<Row>(
        of columns: Columns<Row>,
        as format: RowFormat,
        noting missing: MissingEntries
    ) throws -> Columns<Row> {
        guard format != .text else { return try chosen(of: columns, as: format) }
        return try chosen(of: columns.noting(missing), as: format).noting(missing)
    }

    /// The output to which it is written.
    var output: Output { noPager ? .standard : .paged }

    /// The format of a table: --excel is CSV.
    ///
    /// - Throws: `ValidationError` if another one was asked for too.
    func format(_ format: RowFormat) throws -> RowFormat {
        guard excel != nil else { return format }
        guard format == .text || format == .csv else {
            throw SpreadsheetOption.conflict(with: format.rawValue)
        }
        return .csv
    }

    /// How a table is shown to people: in the ledger's unit, or another one, with times by its
    /// clock, and in a spreadsheet program if that was asked for.
    func style(for ledger: Ledger, unit: DistanceUnit? = nil) -> TextStyle {
        var style = style(TextStyle.screen(for: ledger, unit: unit))
        if wide { style.width = nil }
        return style
    }

    /// The same style, in a spreadsheet program if that was asked for.
    func style(_ style: TextStyle) -> TextStyle {
        var style = style
        style.spreadsheet = excel
        return style
    }
}

/// The option `--excel`, which writes CSV for people.
enum SpreadsheetOption {
    /// Its help.
    static let help = ArgumentHelp("CSV for a spreadsheet program.", valueName: "mark")

    /// The error if another format is asked for too.
    static func conflict(with format: String) -> ValidationError {
        ValidationError("--excel is CSV: use it without --format \(format).")
    }
}
