import ArgumentParser
import TripEvents
import TripLedger

/// The options of commands that adopt tracking rules.
struct AdoptionOptions: ParsableArguments {
    /// The beginning of GPS time, 1980-01-06: no event may be earlier.
    private static let beginning = Timestamp(milliseconds: 315_964_800_000)

    /// The source of what is decided on the command line.
    private static let reporter = "manual"

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
            source: Self.reporter,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            body: .rulesAdopted(adopted)
        )
        try OneEvent(event).append(to: ledger, now: now, options)
    }

    /// A source whose first events are still to come has no trips that new rules could change.
    private func defaultTime(in ledger: Ledger, now: Timestamp) throws -> EventTime {
        let known = try ledger.rulesInForce().compactMap(\.source)
        let isNew = try source.map { !known.contains($0) } ?? hasOnlyDecisions(ledger, known)
        guard !isNew else {
            // Later adoptions have to come later, and the log only grows.
            let order = Int64(clamping: try ledger.head().size)
            return EventTime(Self.beginning.advanced(byMilliseconds: order))
        }
        return EventTime(now, utcOffset: WallClock.utcOffset(at: now))
    }

    /// Whether nothing was reported but what people decided, such as rules.
    private func hasOnlyDecisions(_ ledger: Ledger, _ sources: [String]) throws -> Bool {
        guard sources.allSatisfy({ $0 == Self.reporter }) else { return false }
        return try ledger.trips(TripFilter(limit: 1, includesUncounted: true)).isEmpty
    }
}
