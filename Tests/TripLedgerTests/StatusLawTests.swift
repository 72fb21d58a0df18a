import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

@testable import TripLedger

/// The status at an instant, and the choice of its sources.
@Suite struct StatusLawTests {
    /// What a source was doing, without when the ledger learnt of it.
    private struct Doing: Equatable, CustomStringConvertible {
        var phase: TrackerPhase
        var since: Timestamp?
        var trip: TripID?
        var millimeters: Int64?
        var position: LastPosition?

        init(_ source: LedgerStatus.Source) {
            let live = source.live
            phase = live.phase
            since = live.since
            trip = live.trip?.id
            millimeters = live.trip?.distance.millimeters
            position = source.lastPosition
        }

        var description: String {
            let place = position.map { "\($0.coordinate) at \($0.at.milliseconds)" } ?? "nowhere"
            return "\(phase) since \(String(describing: since)) \(trip as Any), \(place)"
        }
    }

    @Test(arguments: Seeds.fresh(6))
    func `a status of the past is that of a ledger without what came after`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = try ProjectorLaws.randomDrives(seed: seed)
        let whole = try TemporaryLedger()
        try whole.append(events)
        for event in events.shuffled(using: &random).prefix(5) {
            let instant = event.occurredAt
                .advanced(byMilliseconds: Int64.random(in: 0...90_000, using: &random))
            let past = try TemporaryLedger()
            try past.append(events.filter { $0.occurredAt <= instant })
            let found = try whole.ledger.status(asOf: instant).sources
            for expected in try past.ledger.status(asOf: instant).sources {
                let source = try #require(found.first { $0.name == expected.name })
                #expect(
                    Doing(source) == Doing(expected),
                    "seed \(seed), \(expected.name) at \(instant.milliseconds)"
                )
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `a source was seen last at a fix of its own, and not before its last trip was over`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = try ProjectorLaws.randomDrives(seed: seed)
        let book = try TemporaryLedger()
        try book.append(events)
        var counts = (going: 0, resting: 0)
        for event in events.shuffled(using: &random).prefix(12) {
            let instant = event.occurredAt
                .advanced(byMilliseconds: Int64.random(in: 0...9_000_000, using: &random))
            let trips = try book.ledger.read(asOf: instant) {
                try $0.trips(TripFilter(includesUncounted: true)).map(\.booked.trip)
            }
            for source in try book.ledger.status(asOf: instant).sources {
                let remark: Comment = "seed \(seed), \(source.name) at \(instant.milliseconds)"
                // The trip in progress may have ended where it began, which nothing tells yet.
                let ends =
                    trips.filter { $0.source == source.name && $0.id != source.live.trip?.id }
                    .compactMap(LastPosition.init).filter { $0.at <= instant }
                guard let position = source.lastPosition else {
                    #expect(ends.isEmpty, remark)
                    continue
                }
                #expect(position.at <= source.instant, remark)
                let isFix = events.contains { other in
                    guard other.source == source.name, other.occurredAt <= source.instant,
                        case .fixRecorded(let reading) = other.body
                    else { return false }
                    let fix = reading.fix(occurredAt: other.occurredAt)
                    return fix?.coordinate == position.coordinate
                }
                #expect(isFix, remark)
                if source.live.trip == nil {
                    counts.resting += 1
                    #expect(ends.allSatisfy { $0.at <= position.at }, remark)
                } else {
                    counts.going += 1
                    let age = source.instant.milliseconds(since: position.at)
                    #expect(source.live.lastFixAgeMilliseconds ?? age == age, remark)
                }
            }
        }
        #expect(counts.going + counts.resting > 0)
    }

    @Test func `of many sources those are shown that have a trip, then the latest`() throws {
        let book = try TemporaryLedger()
        let start: Int64 = 1_740_960_000_000
        func event(_ number: Int, _ body: EventBody, delay: Int64 = 0) -> TripEvent {
            TripEvent(
                source: "car-\(10_000 + number)",
                occurredAt: Timestamp(milliseconds: start + Int64(number) * 1_000 + delay),
                body: body
            )
        }
        try book.append((0..<2_500).map { event($0, .stopPressed(StopPressed())) })
        try book.append([event(7, .goPressed(GoPressed()), delay: 1)])
        let instant = Timestamp(milliseconds: start + 2_600_000)
        let status = try book.ledger.status(asOf: instant)
        let names = status.sources.map(\.name)
        #expect(names == ["car-10007"] + (1_501..<2_500).map { "car-\(10_000 + $0)" })
        #expect(status.otherSourceCount == 1_500)
        let one = try book.ledger.read { snapshot in
            try snapshot.status(asOf: instant, of: .named("car-10003"))
        }
        #expect(one.sources.map(\.name) == ["car-10003"])
        let open = try book.ledger.read { try $0.status(asOf: instant, of: .withTrip) }
        #expect(open.sources.map(\.name) == ["car-10007"])
        #expect(throws: LedgerError.self) {
            try book.ledger.read { try $0.requireSource(named: "car-1") }
        }
    }
}
