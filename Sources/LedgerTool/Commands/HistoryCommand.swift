import ArgumentParser
import RowFormats
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger history`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists every change that people made to a trip.",
        discussion: """
            One line for each field that a decision changed, first decision first: what it was, \
            what it became, who decided it, why, and how many days after the trip the ledger got \
            to know.

            Examples:
              ledger history last
              ledger history 6c1f --format csv > history.csv
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var table: TableOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (trip, history, missing) = try ledger.readNow { snapshot in
            let trip = try snapshot.trip(self.trip).trip.id
            return (trip, try snapshot.history(of: trip), try snapshot.missingEntries())
        }
        try options.list(
            history,
            in: table,
            style: table.style(for: ledger),
            without: ["trip"],
            noting: missing,
            ifEmpty: "Nothing was decided about trip \(trip.short)."
        )
    }
}
