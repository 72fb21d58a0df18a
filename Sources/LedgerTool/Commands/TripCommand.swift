import ArgumentParser
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger trip`.
struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip",
        abstract: "Shows one trip.",
        discussion: """
            Examples:
              ledger trip last
              ledger trip active
              ledger trip 6c1f
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let row = try ledger.trip(trip)
        try Output.standard.writing { output in
            switch options.format {
            case .json:
                var line: [UInt8] = []
                row.appendJSON(to: &line)
                try output.writeLine(line)
            case .text, .csv:
                let shown = ShownTrip(row.booked, unit: ledger.founding.units)
                try output.write(FactSheet(shown.labelled).text)
            }
        }
    }
}
