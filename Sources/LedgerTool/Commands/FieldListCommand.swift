import ArgumentParser
import Projections
import TripLedger

/// The command `ledger field list`.
struct FieldListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the custom fields of trips in their order."
    )

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.list(
            try ledger.read { try $0.fields() }.definitions,
            ifEmpty: "There are no custom fields; `ledger field define` defines one."
        )
    }
}
