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
        let fields = ShownFields(try ledger.fields().definitions)
        try Output.standard.writing { try fields.write(to: $0, as: options.format) }
        if fields.isEmpty, options.format == .text {
            Diagnostic.say("There are no custom fields; `ledger field define` defines one.\n")
        }
    }
}
