import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The options of commands that print tables which may not fit a screen.
struct TableOptions: ParsableArguments {
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
        guard let names = self.columns, format != .json else { return columns }
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

    /// How a table is shown to people: in the ledger's unit, or another one, and its zone.
    func style(for ledger: Ledger, unit: DistanceUnit? = nil) -> TextStyle {
        var style = TextStyle.screen(for: ledger, unit: unit)
        if wide { style.width = nil }
        return style
    }

    /// Where it is written.
    var output: Output { noPager ? .standard : .paged }
}
