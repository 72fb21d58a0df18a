import ArgumentParser
import TripEvents
import TripLedger

/// The options of commands that adopt tracking rules.
struct AdoptionOptions: ParsableArguments {
    @Option(help: "The source that the rules are for (default: all sources).")
    var source: String?

    @Option(
        help: ArgumentHelp(
            "From when on (default: now; from the beginning while nothing has been reported).",
            valueName: "time"
        )
    )
    var from: EventTime?

    /// Appends the adoption of some rules, and shows the receipt.
    func adopt(_ rules: RulesAdopted, _ options: GlobalOptions) throws {
        var adopted = rules
        adopted.appliesTo = source
        let ledger = try options.open()
        defer { ledger.close() }
        let now = WallClock.now
        let outcome = try ledger.decide(
            .adoptRules(adopted),
            at: from,
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
        try ShownReceipt(outcome.receipt, for: outcome.event).show(options)
    }
}
