import ArgumentParser
import TripLedger

/// The command `ledger rules show`.
struct RulesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the rules in force for each source, and for new ones."
    )

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.showEach(try ledger.read { try $0.rulesInForce() })
    }
}
