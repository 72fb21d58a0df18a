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

    /// Returns the event that says `body`, decided at a time or now.
    func event(_ body: EventBody, at time: EventTime? = nil, now: Timestamp) -> TripEvent {
        let time = time ?? EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        return TripEvent(
            source: Self.source,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            id: id,
            actor: Self.decider(actor),
            body: body
        )
    }

    /// Appends an event that says `body`, decided at a time or now, and shows the receipt and, to
    /// people, what it changed about a trip: the one that it names, or the one that it reports.
    ///
    /// - Throws: `ExitCode` 1 if it was not accepted.
    func append(
        _ body: EventBody,
        about trip: TripID? = nil,
        at time: EventTime? = nil,
        to ledger: Ledger,
        _ options: GlobalOptions
    ) throws {
        let now = WallClock.now
        let event = event(body, at: time, now: now)
        let receipt = try OneEvent(event, isTimedByClock: time == nil)
            .append(to: ledger, now: now, options)
        guard trip != nil || body.kind == .tripReported, options.format == .text,
            case .appended(let position) = receipt
        else { return }
        let outcome = try ledger.outcome(ofDecisionAt: position, for: trip)
        try Output.standard.writing { try $0.write(ShownOutcome(outcome).text) }
    }

    /// Returns who decides, if nobody is named on the command line the user.
    static func decider(_ actor: String?) -> String? { actor ?? user }

    private static var user: String? {
        ["LEDGER_ACTOR", "LOGNAME", "USER"].lazy.compactMap(ProcessEnvironment.variable).first
    }
}
