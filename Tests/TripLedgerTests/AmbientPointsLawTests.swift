import DriveSimulation
import EventStore
import LedgerTestSupport
import Proofs
import TestSupport
import Testing
import TripEvents
import TripTracking

@testable import TripLedger

/// Trackers take over from others exactly what they would have been given one by one.
@Suite struct AmbientPointsLawTests {
    private static let start = Timestamp(milliseconds: 1_735_689_600_000)
    private static let sourceCount = 200

    @Test(arguments: Seeds.fresh(8), [1_000, 60])
    func `trackers of many sources know what each event for all of them would tell them`(
        seed: UInt64,
        pieceSize: Int
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = Self.events(&random)
        let clocks = Self.clocks(&random)
        let book = try TemporaryLedger()
        // The events come in the order of their instants, with some pieces late, or in no order at
        // all.
        var rest = events[...]
        var pieces: [[TripEvent]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...pieceSize, using: &random))
            rest = rest.dropFirst(piece.count)
            pieces.append(pieceSize < 100 ? piece.shuffled(using: &random) : Array(piece))
        }
        for _ in 0..<pieces.count / 4 {
            pieces.swapAt(
                Int.random(in: 0..<pieces.count, using: &random),
                Int.random(in: 0..<pieces.count, using: &random)
            )
        }
        let said = Bool.random(using: &random) ? 0 : pieces.count / 2
        pieces.insert(try clocks.sorted { $0.key < $1.key }.map(Self.shift), at: said)
        for piece in pieces {
            try book.append(piece)
            _ = try book.ledger.project()
        }
        try expectSound(book.ledger, "seed \(seed)")
        try expectTrackers(book.ledger, events, clocks, "seed \(seed)")
    }

    private func expectTrackers(
        _ ledger: Ledger,
        _ events: [TripEvent],
        _ clocks: [String: Int64],
        _ comment: Comment
    ) throws {
        var runner = ProjectionRunner(
            inMemory: ledger.log,
            rules: ledger.rules,
            passedTo: .beforeAll
        )
        try runner.run(upTo: ledger.log.head().size)
        let inForce = try ledger.read { try $0.rulesInForce() }
        for source in Set(events.map(\.source)) {
            let number = try #require(try ledger.log.number(ofSource: source))
            let key = ViewKey.source(number)
            let stored = try #require(try runner.trackers.storedFolds.value(forKey: key))
            var expected = Tracker(source: source, rules: ledger.rules)
            let given =
                events
                .filter { Self.concerns($0, source) }
                .map { ($0, Self.instant(of: $0, for: source, clocks)) }
                .sorted { $0.1 < $1.1 }
            let after = given.lastIndex { $0.0.source == source }.map { $0 + 1 } ?? 0
            for (event, instant) in given[..<after] {
                Self.give(event, at: instant, to: &expected)
            }
            #expect(try SourceFold(decoding: stored).tracker == expected, comment)
            for (event, instant) in given[after...] {
                Self.give(event, at: instant, to: &expected)
            }
            #expect(inForce.first { $0.source == source }?.rules == expected.rules, comment)
        }
    }

    private static func concerns(_ event: TripEvent, _ source: String) -> Bool {
        event.source == source || event.body.kind.map(AmbientEvent.kinds.contains) ?? false
    }

    private static func give(_ event: TripEvent, at instant: Timestamp, to tracker: inout Tracker) {
        var context = TrackingContext(events: NoTrips())
        let stamp = EventStamp(occurredAt: instant, recordedAt: event.occurredAt, position: 0)
        tracker.evolve(event.body, stamp: stamp, in: &context)
    }

    /// Returns when an event happened, as the tracker of a source takes it: what the source said
    /// itself by its clock as it was put right, all else when it was said to happen.
    private static func instant(
        of event: TripEvent,
        for source: String,
        _ clocks: [String: Int64]
    ) -> Timestamp {
        guard event.source == source, let shift = clocks[source] else { return event.occurredAt }
        return event.occurredAt.advanced(byMilliseconds: shift)
    }

    /// Returns by how many milliseconds the clocks of some sources were wrong: none by a whole
    /// second, so that no two events happened at the same instant.
    private static func clocks(_ random: inout SplitMix64) -> [String: Int64] {
        let wrong = (0..<sourceCount).shuffled(using: &random).prefix(40)
        return Dictionary(
            uniqueKeysWithValues: wrong.map { number in
                ("car-\(number)", 1_000 * Int64.random(in: -200...200, using: &random) + 500)
            }
        )
    }

    /// Returns that the clock of a source was wrong all the time.
    private static func shift(of source: String, by milliseconds: Int64) throws -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: start.advanced(byMilliseconds: 1_000_000),
            body: .clockShifted(
                ClockShifted(
                    appliesTo: source,
                    from: EventTime(start),
                    to: EventTime(start.advanced(byMilliseconds: 999_999)),
                    bySeconds: try #require(ExactDecimal(significand: milliseconds, decimals: 3))
                )
            )
        )
    }

    /// Returns events of many sources in the order of their instants, each at its own instant, most
    /// of them the only one of its source.
    private static func events(_ random: inout SplitMix64) -> [TripEvent] {
        (0..<600)
            .map { number in
                let own = Int.random(in: 0..<sourceCount, using: &random)
                return TripEvent(
                    source: number < sourceCount ? "car-\(number)" : "car-\(own)",
                    occurredAt: start.advanced(byMilliseconds: 1_000 * Int64(number)),
                    body: body(&random)
                )
            }
    }

    private static func body(_ random: inout SplitMix64) -> EventBody {
        let place = "place \(Int.random(in: 0..<9, using: &random))"
        let preset = ["phone", "logger", "history"].randomElement(using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<12:
            return .placeSaved(
                PlaceSaved(
                    place: place,
                    latitude: ExactDecimal(integerLiteral: .random(in: 0..<80, using: &random)),
                    longitude: ExactDecimal(4),
                    radiusMeters: ExactDecimal(200),
                    skips: Bool.random(using: &random)
                )
            )
        case 12..<18: return .placeRemoved(PlaceRemoved(place: place))
        case 18..<26: return .rulesAdopted(RulesAdopted(preset: preset))
        case 26:
            let source = "car-\(Int.random(in: 0..<sourceCount, using: &random))"
            return .rulesAdopted(RulesAdopted(preset: preset, appliesTo: source))
        case 27..<33:
            let trip = TripID(high: random.next(), low: random.next())
            return .recoveryDecided(RecoveryDecided(trip: trip, decision: .save))
        default: return .locationFailed(LocationFailed(reason: .noSignal))
        }
    }

    /// Finds no event: no trip starts or ends.
    private struct NoTrips: EventDirectory {
        func facts(at position: UInt64) -> EventFacts {
            preconditionFailure("no trip starts or ends")
        }
    }
}
