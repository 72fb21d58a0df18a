import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The same events on different ways to the ledger.
enum Arrival: CaseIterable {
    /// The order in which they happened.
    case inOrder

    /// In an order left to chance.
    case shuffled

    /// The last first.
    case reversed

    /// Neighbours change places, as from a sender with several connections.
    case jittered

    /// Two stretches come after everything else, as from a phone that was offline.
    case heldBack

    /// Each event twice, the second time in an order left to chance.
    case doubled

    /// Returns the events in the order in which they arrive.
    func order(_ events: [TripEvent], using random: inout SplitMix64) -> [TripEvent] {
        switch self {
        case .inOrder:
            return events
        case .shuffled:
            return events.shuffled(using: &random)
        case .reversed:
            return events.reversed()
        case .jittered:
            return stride(from: 0, to: events.count, by: 6)
                .flatMap { events[$0..<min($0 + 6, events.count)].shuffled(using: &random) }
        case .heldBack:
            var rest = events
            var late: [TripEvent] = []
            for _ in 0..<2 {
                let first = Int.random(in: 0..<rest.count, using: &random)
                let range = first..<min(first + rest.count / 5 + 1, rest.count)
                late += rest[range]
                rest.removeSubrange(range)
            }
            return rest + late
        case .doubled:
            return (events + events).shuffled(using: &random)
        }
    }

    /// Returns what several sources of all kinds report, in order of time; those of a group have
    /// names of their own.
    static func events(seed: UInt64, of group: String? = nil) throws -> [TripEvent] {
        var random = SplitMix64(seed: seed)
        var events = try ProjectorLaws.randomDrives(seed: seed)
        events += DriveSimulator.drives(
            seed: seed,
            count: 3,
            fixesPerDrive: 10...40,
            source: "van",
            startingAt: Timestamp(milliseconds: 1_699_999_900_000)
        )
        for scenario in Scenario.allCases.shuffled(using: &random).prefix(4) {
            events += DriveSimulator.events(of: scenario, seed: seed, source: scenario.rawValue)
        }
        func name(_ source: String) -> String { group.map { "\(source)/\($0)" } ?? source }
        func inGroup(_ events: [TripEvent]) -> [TripEvent] {
            events.map { event in
                var event = event
                event.source = name(event.source)
                event.group = group
                return event
            }
        }
        events = inGroup(events)
        let trips = try trips(of: events)
        events += inGroup(try ambientEvents(among: events, making: trips, using: &random))
        events += inGroup(
            try ProjectorLaws.decisions(about: events, making: trips, using: &random)
        )
        var splits = try RandomSplits(
            of: events,
            making: trips,
            from: ["manual", "phone", "van"].map(name),
            using: &random
        )
        .events
        for index in splits.indices { splits[index].group = group }
        events += splits
        return events.sorted { $0.occurredAt < $1.occurredAt }
    }

    /// The first of some fixed seeds whose events leave trips, as those of nearly all seeds do.
    ///
    /// A law about trips requires that there are some at this seed. It is 1 if none leaves any.
    static let seedWithTrips: UInt64 =
        (1...8).first { (seed: UInt64) in (try? leavesTrips(seed: seed)) ?? false } ?? 1

    private static func leavesTrips(seed: UInt64) throws -> Bool {
        let book = try TemporaryLedger()
        try book.append(try events(seed: seed))
        return try !book.rowsWithoutArrival().isEmpty
    }

    /// Returns the trips that some events make in a ledger.
    private static func trips(of events: [TripEvent]) throws -> [RandomDecisions.Known] {
        let book = try TemporaryLedger()
        try book.append(events.sorted { $0.occurredAt < $1.occurredAt })
        return try book.ledger.trips(TripFilter(includesUncounted: true))
            .map { RandomDecisions.Known(id: $0.trip.id, startedAt: $0.trip.startedAt.timestamp) }
    }

    /// Returns that the clock of an event's source was wrong around that event, or right after all.
    private static func shift(
        of event: TripEvent,
        using random: inout SplitMix64
    ) throws -> ClockShifted {
        let before = Int64.random(in: 0...1_200, using: &random) * 1_000
        let after = Int64.random(in: 1...1_200, using: &random) * 1_000
        let seconds: Int64 = [-3_600, -90, 0, 300, 3_600].randomElement(using: &random) ?? 0
        return ClockShifted(
            appliesTo: event.source,
            from: EventTime(event.occurredAt.advanced(byMilliseconds: -before)),
            to: EventTime(event.occurredAt.advanced(byMilliseconds: after)),
            bySeconds: try #require(ExactDecimal(significand: seconds, decimals: 0))
        )
    }

    /// Returns what people say at some of the events' instants that concerns every source: rules,
    /// places, and what is to become of trips whose recorder died.
    private static func ambientEvents(
        among events: [TripEvent],
        making trips: [RandomDecisions.Known],
        using random: inout SplitMix64
    ) throws -> [TripEvent] {
        try (0..<15)
            .map { index in
                let trip = try #require(trips.randomElement(using: &random))
                let event = try #require(events.randomElement(using: &random))
                var occurredAt = event.occurredAt
                let body: EventBody
                switch index % 5 {
                case 4:
                    body = .clockShifted(try shift(of: event, using: &random))
                case 0:
                    let preset = ["phone", "history", "logger"].randomElement(using: &random)
                    let target = Bool.random(using: &random) ? event.source : nil
                    body = .rulesAdopted(RulesAdopted(preset: preset, appliesTo: target))
                case 1:
                    body = .placeSaved(
                        PlaceSaved(
                            place: "corner",
                            latitude: try #require(ExactDecimal(significand: 519, decimals: 1)),
                            longitude: try #require(ExactDecimal(significand: 44, decimals: 1)),
                            radiusMeters: try #require(
                                ExactDecimal(significand: 5_000, decimals: 0)
                            ),
                            skips: true
                        )
                    )
                case 2:
                    body = .placeRemoved(PlaceRemoved(place: "corner"))
                default:
                    let decision = RecoveryDecision.allCases.randomElement(using: &random) ?? .save
                    let minutes = Int64.random(in: 0...30, using: &random)
                    occurredAt = trip.startedAt.advanced(byMilliseconds: minutes * 60_000)
                    body = .recoveryDecided(RecoveryDecided(trip: trip.id, decision: decision))
                }
                return TripEvent(source: "manual", occurredAt: occurredAt, body: body)
            }
    }
}
