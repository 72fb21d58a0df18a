import ArgumentParser
import Platform
import RowFormats
import TripEvents
import TripLedger

/// The options of commands that append one event.
struct EventOptions: ParsableArguments {
    @Option(help: "Who reports the event.")
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
        let effect = options.format == .text ? EventEffect(of: event, in: ledger) : nil
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
        try EventReceipt(receipt, for: shown).show(options)
        guard case .appended = receipt, let text = try effect?.text(after: ledger) else { return }
        try Output.standard.writing { try $0.write(text) }
    }
}
