import ArgumentParser
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

    /// Appends an event that says `body`, and shows the receipt.
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
        let shown = ShownReceipt(try receipt(for: event, in: ledger, now: now), for: event)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
        Diagnostic.say(options.format == .json ? "" : shown.complaint)
        if !shown.isAccepted { throw ExitCode(1) }
    }

    /// Lets the event through the same strict reader as every line from outside.
    private func receipt(
        for event: TripEvent,
        in ledger: Ledger,
        now: Timestamp
    ) throws -> Receipt {
        var reader = EventLineReader()
        var line: [UInt8] = []
        event.appendJSON(to: &line)
        let checked: TripEvent
        do throws(Rejection) {
            checked = try reader.event(line.span, recordedAt: now)
        } catch {
            return .rejected(error)
        }
        return try ledger.append([checked], now: now)[0]
    }
}
