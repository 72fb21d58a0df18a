import ArgumentParser
import TripEvents

/// The command `ledger rules preset`.
struct RulesPresetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Adopts a set of rules.",
        discussion: """
            phone: trips start by press and motion. history, for a phone's continuous record: by \
            movement too. logger, for a recorder that is on only while the engine runs: as \
            history, and a short silence means that the car is parked.

            Example:
              ledger rules preset logger --source black-box
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var adoption: AdoptionOptions

    @Argument(help: "phone, history or logger.")
    var preset: TrackingPreset

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        try adoption.adopt(RulesAdopted(preset: preset.rawValue), options)
    }
}
