import ArgumentParser
import TripEvents
import TripLedger

/// The options of commands that append what a person decided.
struct DecisionOptions: ParsableArguments {
    /// The source of decisions that are made on the command line.
    private static let source = "manual"

    @Option(help: "Who decides (default: LEDGER_ACTOR, else your user name).")
    var actor: String?

    @Option(help: "Your name for the event; sending it again is then recognised.")
    var id: String?

    /// Returns the event that says `body`, decided now.
    func event(_ body: EventBody, now: Timestamp) -> TripEvent {
        TripEvent(
            source: Self.source,
            occurredAt: now,
            utcOffset: WallClock.utcOffset(at: now),
            id: id,
            actor: actor ?? Self.user,
            body: body
        )
    }

    /// Appends an event that says `body`, decided now, and shows the receipt.
    func append(_ body: EventBody, to ledger: Ledger, _ options: GlobalOptions) throws {
        let now = WallClock.now
        try OneEvent(event(body, now: now)).append(to: ledger, now: now, options)
    }

    private static var user: String? {
        ["LEDGER_ACTOR", "LOGNAME", "USER"].lazy.compactMap(ProcessEnvironment.variable).first
    }
}
