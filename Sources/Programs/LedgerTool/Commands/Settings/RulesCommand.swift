import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// The command `ledger rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Shows or changes the rules by which fixes become trips.",
        discussion: """
            Rules that are adopted are events like all others: trips from then on go by them, and \
            a trip that is under way keeps those that it started with.

            Examples:
              ledger rules show
              ledger rules preset logger --source black-box
              ledger rules set silence_seconds=300 --from 2026-01-01T00:00:00+01:00
            """,
        subcommands: [RulesShowCommand.self, RulesPresetCommand.self, RulesSetCommand.self]
    )
}

/// The command `ledger rules show`.
struct RulesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the rules in force for each source, and for new ones.",
        discussion: """
            Example:
              ledger rules show
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(help: "Show those of this source only.", completion: .source)
    var source: String?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        var unknown: UnknownName?
        let (all, missing) = try ledger.readNow { snapshot in
            if let source { unknown = try snapshot.unknown(source: source) }
            return (try snapshot.rulesInForce(), try snapshot.missingEntries())
        }
        guard let source, var own = all.last else {
            return try options.showEach(all, noting: missing)
        }
        // A source that is not listed has the rules of new sources, which come last.
        own = all.first { $0.source.hasSameBytes(as: source) } ?? own
        own.source = source
        try options.showEach([own], noting: missing)
        Diagnostic.note(unknown)
    }
}

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

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var adoption: AdoptionOptions

    @Argument(help: "phone, history or logger.")
    var preset: TrackingPreset

    func run() throws {
        try adoption.adopt(RulesAdopted(preset: preset.rawValue), options)
    }
}

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

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var adoption: AdoptionOptions

    @Argument(help: ArgumentHelp("Rules with their new values.", valueName: "name=value"))
    var rules: [RuleSetting]

    func run() throws {
        var parameters = CustomFields()
        for rule in rules { parameters[rule.name] = rule.value }
        try adoption.adopt(RulesAdopted(parameters: parameters), options)
    }
}

/// A tracking rule with its new value, as in `silence_seconds=300`.
struct RuleSetting: ExpressibleByArgument {
    /// The rule's name.
    let name: String

    /// The new value.
    let value: CustomValue

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        name = parts[0]
        switch parts[1] {
        case "true": value = .boolean(true)
        case "false": value = .boolean(false)
        default:
            guard let number = ExactDecimal(argument: parts[1]) else { return nil }
            value = .number(number)
        }
    }
}

/// The options of commands that adopt tracking rules.
struct AdoptionOptions: ParsableArguments {
    @OptionGroup var decision: DecisionOptions

    @Option(help: "The source that the rules are for (default: all sources).", completion: .source)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "The time from which they hold (default: the beginning while there is no trip, "
                + "then now).",
            valueName: "time"
        )
    )
    var from: TypedTime?

    /// Appends the adoption of some rules, and shows the receipt.
    func adopt(_ rules: RulesAdopted, _ options: GlobalOptions<PlainFormat>) throws {
        var adopted = rules
        adopted.appliesTo = source
        let ledger = try options.open()
        defer { ledger.close() }
        let now = WallClock.now
        try decision.decide(
            .adoptRules(adopted),
            at: try from?.time(in: ledger),
            in: ledger,
            options
        ) { outcome in
            guard from == nil else { return "" }
            return outcome.event.occurredAt < now
                ? "They hold from the beginning on, because there is no trip that they could "
                    + "change.\n"
                : "They hold from now on; `--from TIME` sets another time.\n"
        }
    }
}
