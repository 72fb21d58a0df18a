import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The options of commands that append one event.
struct EventOptions: ParsableArguments {
    @Option(help: "Who reports the event.")
    var source = "manual"

    @Option(
        help: ArgumentHelp(
            "When it happened: 2026-03-14T15:09:26+01:00, or milliseconds since 1970 "
                + "(default: now).",
            valueName: "time"
        )
    )
    var at: EventTime?

    @Option(help: "Your name for the event; sending it again is then recognised.")
    var id: String?

    /// Appends an event that says `body`, and shows the receipt and, to people, what that meant
    /// for the trip of its source.
    func append(_ body: EventBody, _ options: GlobalOptions) throws {
        let now = WallClock.now
        let time = at ?? EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        let event = TripEvent(
            source: source,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            id: id,
            body: body
        )
        let ledger = try options.open()
        defer { ledger.close() }
        let effect = options.format == .text ? EventEffect(of: event, in: ledger) : nil
        let receipt = try ledger.append([event], now: now, happenWhenSent: at == nil)[0]
        var shown = event
        if case .duplicate(let position) = receipt {
            try ledger.scanLog(from: position) { stored in
                shown = stored.event
                return false
            }
        }
        try ShownReceipt(receipt, for: shown).show(options)
        guard case .appended = receipt, let text = try effect?.text(after: ledger) else { return }
        try Output.standard.writing { try $0.write(text) }
    }
}
