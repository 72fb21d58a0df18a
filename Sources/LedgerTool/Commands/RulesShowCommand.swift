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
        let rules = try ledger.rulesInForce().map { ShownRules($0) }
        try Output.standard.writing { output in
            for (index, shown) in rules.enumerated() {
                switch options.format {
                case .json: try output.writeLine(shown.json)
                case .text, .csv: try output.write((index == 0 ? "" : "\n") + shown.text)
                }
            }
        }
    }
}
