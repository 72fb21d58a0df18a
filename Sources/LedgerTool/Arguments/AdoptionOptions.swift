import ArgumentParser
import TripEvents
import TripLedger

/// The options of commands that adopt tracking rules.
struct AdoptionOptions: ParsableArguments {
    /// The beginning of GPS time, 1980-01-06: no event may be earlier.
    private static let beginning = Timestamp(milliseconds: 315_964_800_000)

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
        let time = try from ?? defaultTime(in: ledger, now: now)
        let event = TripEvent(
            source: "manual",
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            body: .rulesAdopted(adopted)
        )
        try OneEvent(event).append(to: ledger, now: now, options)
    }

    /// A source whose first events are still to come has no trips that new rules could change.
    private func defaultTime(in ledger: Ledger, now: Timestamp) throws -> EventTime {
        let known = try ledger.rulesInForce().compactMap(\.source)
        let isNew = source.map { !known.contains($0) } ?? known.isEmpty
        guard !isNew else { return EventTime(Self.beginning) }
        return EventTime(now, utcOffset: WallClock.utcOffset(at: now))
    }
}
