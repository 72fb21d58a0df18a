import ArgumentParser
import LedgerRows
import Platform
import Tables
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

    @Option(help: "Your name for the event, recognised if sent again.")
    var id: String?

    /// Appends an event with `body`, and shows the receipt and, to people, its effect on the trip
    /// of its source.
    ///
    /// - Parameters:
    ///   - body: The event.
    ///   - odometer: The odometer's reading at that time; `nil` if it was not read.
    ///   - options: The options of every command.
    /// - Throws: `ExitCode` 1 if it was not accepted; `LedgerError`.
    func append(
        _ body: EventBody,
        odometer: ExactDecimal? = nil,
        _ options: GlobalOptions<some FormatChoice>
    ) throws {
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
        let reading = try odometer.map { value in
            try ledger.readNow { try $0.odometerReading(value, at: event) }
        }
        let receipts = try ledger.append(
            [event] + (reading.map { [$0] } ?? []),
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
        // The event is stored, whether or not its effect can be read.
        var outcome = EventOutcome()
        if case .appended = receipt {
            outcome = (try? effect?.outcome(after: ledger)) ?? outcome
            outcome.warnings =
                (try? ledger.readNow { try $0.warnings(aboutVehicleOf: event) }) ?? []
        }
        let sentences = outcome.message
        outcome.message = sentences.map(EventOutcome.inOneLine)
        try EventReceipt(receipt, for: shown, effect: outcome).show(options)
        if let reading {
            try EventReceipt(reading: reading, receipts[1], in: ledger).show(options)
        }
        guard options.format == .text, let sentences else { return }
        try Output.standard.writing { try $0.write(ProgramName.shown(sentences)) }
    }
}
