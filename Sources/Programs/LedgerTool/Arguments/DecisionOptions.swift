import ArgumentParser
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The options of commands that append what a person decided.
struct DecisionOptions: ParsableArguments, DecidingOptions {
    @Option(help: Self.actorHelp)
    var actor: String?

    @Option(help: Self.idHelp)
    var id: String?

    @Option(
        help: ArgumentHelp(
            "The group of sources that it is for (default: all).",
            valueName: "group"
        )
    )
    var group: SourceGroup?

    var groupName: String? { group?.name }
}

/// The options of commands that append what a person decided for the whole ledger, which no group
/// of sources can have for itself.
struct OwnerDecisionOptions: ParsableArguments, DecidingOptions {
    @Option(help: Self.actorHelp)
    var actor: String?

    @Option(help: Self.idHelp)
    var id: String?

    var groupName: String? { nil }
}

/// The options of a decision besides the decision itself.
protocol DecidingOptions {
    /// Who decides; `nil` for the user.
    var actor: String? { get }

    /// The id of the event; `nil` for one that is made.
    var id: String? { get }

    /// The group of sources that it is for; `nil` for all.
    var groupName: String? { get }
}

extension DecidingOptions {
    /// The help of `--actor`.
    static var actorHelp: ArgumentHelp { "Who decides (default: LEDGER_ACTOR, else you)." }

    /// The help of `--id`.
    static var idHelp: ArgumentHelp { "Your name for the event, recognised if sent again." }

    /// Decides something at a time or now, and shows the receipt and what it changed about a trip.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - time: When it holds from; `nil` for now.
    ///   - ledger: The ledger.
    ///   - options: How the result is written.
    ///   - listsChanges: Whether people see a line for each change; JSON has them in any case.
    ///   - effect: Further effects, in sentences.
    /// - Returns: The changes by the decision.
    /// - Throws: `ExitCode` 1 if it was not accepted; `LedgerError`.
    @discardableResult
    func decide(
        _ decision: LedgerDecision,
        at time: EventTime? = nil,
        in ledger: Ledger,
        _ options: GlobalOptions<some FormatChoice>,
        listingChanges listsChanges: Bool = true,
        saying effect: (DecisionOutcome) -> String = Self.effect
    ) throws -> DecisionOutcome {
        let outcome = try decided([decision], at: time, in: ledger)[0]
        var sentences = ""
        if case .appended = outcome.receipt { sentences = effect(outcome) }
        try EventReceipt(outcome, sentences).show(options)
        for reading in outcome.readings {
            try EventReceipt(reading.receipt, for: reading.event).show(options)
        }
        if options.format == .text, case .appended = outcome.receipt {
            let changes = listsChanges ? DecisionText(outcome)?.changes(by: ledger.clock) ?? "" : ""
            try Output.standard.writing { try $0.write(changes + ProgramName.shown(sentences)) }
        }
        return outcome
    }

    /// Decides several things at once, and shows the receipts and, to people, what they changed.
    ///
    /// - Returns: The changes by each decision.
    /// - Throws: `ExitCode` 1 if they were not accepted; `LedgerError`.
    @discardableResult
    func decide(
        _ decisions: [LedgerDecision],
        in ledger: Ledger,
        _ options: GlobalOptions<some FormatChoice>
    ) throws -> [DecisionOutcome] {
        guard id == nil else {
            throw ValidationError("--id names one decision: leave it out for several trips.")
        }
        let outcomes = try decided(decisions, in: ledger)
        let isAccepted = outcomes.allSatisfy { $0.receipt.storedPosition != nil }
        guard options.format == .text, isAccepted else {
            // The first one to be refused says why.
            for outcome in outcomes {
                try EventReceipt(outcome, isAccepted ? Self.effect(outcome) : "").show(options)
            }
            return outcomes
        }
        try Output.standard.writing { output in
            let appended = outcomes.count { if case .appended = $0.receipt { true } else { false } }
            let others = outcomes.count - appended
            let rest = others == 0 ? "" : "; \(others) were there already"
            try output.write(
                "Appended \(Count.text(appended, "decision", "decisions")), all at once\(rest).\n"
            )
            for outcome in outcomes {
                let changes = DecisionText(outcome)?.changes(by: ledger.clock) ?? ""
                try output.write(changes + ProgramName.shown(Self.effect(outcome)))
            }
        }
        for warning in outcomes.flatMap(\.warnings) { Diagnostic.say(WarningText(warning).text) }
        return outcomes
    }

    private func decided(
        _ decisions: [LedgerDecision],
        at time: EventTime? = nil,
        in ledger: Ledger
    ) throws -> [DecisionOutcome] {
        let now = WallClock.now
        return try ledger.decide(
            decisions,
            by: Self.decider(actor),
            at: time,
            id: id,
            for: groupName,
            now: EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        )
    }

    /// Returns the text about a decision on a trip besides its changes: that there are none, or
    /// that the trip counts nowhere.
    static func effect(_ outcome: DecisionOutcome) -> String {
        DecisionText(outcome)?.effect ?? ""
    }

    /// Returns who decides: the actor named on the command line, else the user.
    static func decider(_ actor: String?) -> String? { actor ?? user }

    private static var user: String? {
        ["LEDGER_ACTOR", "LOGNAME", "USER"].lazy.compactMap(ProcessEnvironment.variable).first
    }
}
