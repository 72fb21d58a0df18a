import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The options of commands that print tables which may not fit a screen.
struct TableShape: ParsableArguments {
    @Flag(help: "Show every column in full, also where the screen is too narrow.")
    var wide = false

    @Option(
        help: ArgumentHelp(
            "Show only these columns, in this order, in text and CSV: names as in CSV, or titles "
                + "as in text, with commas between them.",
            valueName: "names"
        ),
        transform: { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    )
    var columns: [String]?

    @Flag(help: "Do not page through a table that is longer than the screen; see PAGER.")
    var noPager = false

    /// The columns that were asked for; those of JSON stay.
    ///
    /// - Throws: `ValidationError` if there is none with such a name.
    func chosen<Row>(of columns: Columns<Row>, as format: RowFormat) throws -> Columns<Row> {
        guard let names = self.columns, format == .text || format == .csv else { return columns }
        do {
            return try columns.choosing(names)
        } catch {
            let unknown = "There is no column \(Excerpt.escaped(error.name)) here"
            let question = NearestNames(to: error.name, among: error.names).question
            throw ValidationError(
                (question.map { "\(unknown). \($0) Choose from " } ?? "\(unknown); choose from ")
                    + error.names.joined(separator: ", ") + "."
            )
        }
    }

    /// Where it is written.
    var output: Output { noPager ? .standard : .paged }
}

/// The options of commands that print lists as tables: on a screen, or for a spreadsheet program.
struct TableOptions: ParsableArguments {
    @OptionGroup var shape: TableShape
    @OptionGroup var spreadsheet: SpreadsheetOption

    var columns: [String]? { shape.columns }
    var excel: DecimalMark? { spreadsheet.excel }
    var output: Output { shape.output }

    /// The columns that were asked for; those of JSON stay.
    ///
    /// - Throws: `ValidationError` if there is none with such a name.
    func chosen<Row>(of columns: Columns<Row>, as format: RowFormat) throws -> Columns<Row> {
        try shape.chosen(of: columns, as: format)
    }

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
        if shape.wide { style.width = nil }
        return style
    }

    /// The same style, in a spreadsheet program if that was asked for.
    func style(_ style: TextStyle) -> TextStyle {
        var style = style
        style.spreadsheet = excel
        return style
    }
}

/// The option that writes CSV for people.
struct SpreadsheetOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write CSV that a spreadsheet program opens rightly, and not --format csv, which is "
                + "for programs: with its decimal mark, comma or point, or its language, en, nl, "
                + "de or fr.",
            valueName: "mark"
        )
    )
    var excel: DecimalMark?

    /// What is said if another format is asked for too.
    static func conflict(with format: String) -> ValidationError {
        ValidationError("--excel is CSV: use it without --format \(format).")
    }
}
