import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import TripEvents
import TripLedger

/// People who split trips, split the parts again, edit and merge them, and take it all back.
struct RandomSplits {
    private static let splitsPerGeneration = 3

    private(set) var events: [TripEvent] = []

    private var known: [RandomDecisions.Known]
    private let instants: [Timestamp]
    private let latest: Timestamp
    private let sources: [String]

    /// Decides about the trips that some events make.
    init(
        of drives: [TripEvent],
        making trips: [RandomDecisions.Known],
        from sources: [String] = ["manual", "phone", "van"],
        using random: inout SplitMix64
    ) throws {
        known = trips
        self.sources = sources
        instants = drives.map(\.occurredAt)
        latest = instants.max() ?? Timestamp(milliseconds: 0)
        for generation in 0..<3 {
            let splits = (0..<Self.splitsPerGeneration)
                .map { _ in split(generation, using: &random) }
            events += splits
            known += try Self.made(by: splits)
        }
        for index in 0..<8 {
            let trip = known.randomElement(using: &random)
            let id = trip?.id ?? TripID(high: 0, low: 0)
            let other = known.randomElement(using: &random)?.id ?? id
            let body: EventBody =
                switch index % 4 {
                case 0: .tripRestored(TripRestored(trip: id))
                case 1: .tripsMerged(TripsMerged(trips: [id, other]))
                default:
                    .detailsEdited(
                        DetailsEdited(
                            trip: id,
                            tripStartedAt: trip.map { EventTime($0.startedAt) },
                            title: .set("part \(index)")
                        )
                    )
                }
            events.append(decision(body, using: &random))
        }
    }

    /// Returns a split near an event of the first twenty minutes of a trip; the later generations
    /// are parts of that trip.
    private func split(_ generation: Int, using random: inout SplitMix64) -> TripEvent {
        let candidates =
            generation == 0
            ? known : known.suffix(Self.splitsPerGeneration * generation) + known.prefix(2)
        let trip = candidates.randomElement(using: &random)
        let startedAt = trip?.startedAt ?? latest
        let during = instants.filter { (0...1_200_000).contains($0.milliseconds(since: startedAt)) }
        let at = (during.randomElement(using: &random) ?? startedAt)
            .advanced(byMilliseconds: Int64.random(in: -1...1, using: &random))
        let body = EventBody.tripSplit(
            TripSplit(trip: trip?.id ?? TripID(high: 0, low: 0), splitAt: EventTime(at))
        )
        return decision(body, using: &random)
    }

    private func decision(_ body: EventBody, using random: inout SplitMix64) -> TripEvent {
        let minutes = Int64.random(in: 1...20, using: &random)
        return TripEvent(
            source: sources.randomElement(using: &random) ?? "manual",
            occurredAt: latest.advanced(byMilliseconds: minutes * 60_000),
            body: body
        )
    }

    /// Returns the second parts of splits, which the identities of these name.
    private static func made(by splits: [TripEvent]) throws -> [RandomDecisions.Known] {
        let book = try TemporaryLedger()
        try book.append(splits)
        var made: [RandomDecisions.Known] = []
        try book.ledger.scanLog(from: 0) { stored in
            if case .tripSplit(let split) = stored.event.body {
                made.append(
                    RandomDecisions.Known(
                        id: TripID(openedBy: stored.identity),
                        startedAt: split.splitAt.timestamp
                    )
                )
            }
            return true
        }
        return made
    }
}
