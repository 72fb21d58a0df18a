import ArgumentParser
import Platform
import RowFormats
import TripEvents
import TripLedger

/// The options of commands that append one event.
struct EventOptions: ParsableArguments {
    @Option(help: "Who reports the event.", completion: .source)
    var source = "manual"

    @Option(
        help: ArgumentHelp(
            "When it happened: \(TypedTime.forms) (default: now).",
            valueName: "time"
        )
    )
    var at: TypedTime?

    @Option(help: "Your name for the event; sending it again is then recognised.")
    var id: String?

    /// Appends an event that says `body`, and shows the receipt and, to people, what that meant
    /// for the trip of its source.
    func append(_ body: EventBody, _ options: GlobalOptions) throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let now = WallClock.now
        let time =
            try at?.time(in: ledger) ?? EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        let event = TripEvent(
            source: source,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            id: id,
            body: body
        )
        let effect = EventEffect(of: event, in: ledger)
        let receipts = try ledger.append(
            [event],
            now: now,
            happenWhenSent: at == nil,
            mostSources: Ledger.mostSources
        )
        let receipt = receipts[0]
        var shown = event
        if case .duplicate(let position) = receipt {
            try ledger.scanLog(from: position) { stored in
                shown = stored.event
                return false
            }
        }
        guard case .appended = receipt, options.format == .json else {
            try EventReceipt(receipt, for: shown).show(options)
            guard case .appended = receipt, let effect else { return }
            let text = try effect.outcome(after: ledger).message ?? ""
            return try Output.standard.writing { try $0.write(text) }
        }
        // The event is stored, whether or not its effect can be read.
        var outcome = (try? effect?.outcome(after: ledger)) ?? EventOutcome()
        let sentences = outcome.message
        outcome.message = sentences.map(Self.inOneLine)
        try EventReceipt(receipt, for: shown, effect: outcome).show(options)
    }

    private static func inOneLine(_ sentences: String) -> String {
        sentences.split(separator: "\n").joined(separator: " ")
    }
}
