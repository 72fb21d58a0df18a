import DriveSimulation
import LedgerTestSupport
import Testing
import TripEvents
import TripTracking

@testable import TripLedger

/// What a status says of an instant, and of which sources.
@Suite struct StatusLawTests {
    /// What a source was doing, without when the ledger learnt of it.
    private struct Doing: Equatable, CustomStringConvertible {
        var phase: TrackerPhase
        var since: Timestamp?
        var trip: TripID?
        var millimeters: Int64?

        init(_ source: LedgerStatus.Source) {
            let live = source.live
            phase = live.phase
            since = live.since
            trip = live.trip?.id
            millimeters = live.trip?.distance.millimeters
        }

        var description: String { "\(phase) since \(String(describing: since)) \(trip as Any)" }
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
