import ArgumentParser
import TripEvents

/// The command `ledger rules set`.
struct RulesSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes single rules over those in force.",
        discussion: """
            `ledger rules show` prints the names; the unit is in the name.

            Example:
              ledger rules set silence_seconds=300 starts_by_movement=true --source phone
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var adoption: AdoptionOptions

    @Argument(help: ArgumentHelp("Rules with their new values.", valueName: "name=value"))
    var rules: [RuleSetting]

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        var parameters = CustomFields()
        for rule in rules { parameters[rule.name] = rule.value }
        try adoption.adopt(RulesAdopted(parameters: parameters), options)
    }
}
