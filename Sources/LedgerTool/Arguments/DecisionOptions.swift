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

    /// Appends an event that says `body`, decided now, and shows the receipt and, to people, what
    /// it changed about a trip: the one that it names, or the one that it reports.
    ///
    /// - Throws: `ExitCode` 1 if it was not accepted.
    func append(
        _ body: EventBody,
        about trip: TripID? = nil,
        to ledger: Ledger,
        _ options: GlobalOptions
    ) throws {
        let now = WallClock.now
        let receipt = try OneEvent(event(body, now: now), isTimedByClock: true)
            .append(to: ledger, now: now, options)
        guard trip != nil || body.kind == .tripReported, options.format == .text,
            case .appended(let position) = receipt
        else { return }
        let outcome = try ledger.outcome(ofDecisionAt: position, for: trip)
        try Output.standard.writing { try $0.write(ShownOutcome(outcome).text) }
    }

    private static var user: String? {
        ["LEDGER_ACTOR", "LOGNAME", "USER"].lazy.compactMap(ProcessEnvironment.variable).first
    }
}
