import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Late, repeated, shuffled and divided delivery gives the same trips.
@Suite struct ArrivalOrderLawTests {
    @Test(arguments: [Arrival.seedWithTrips] + Seeds.fresh(12))
    func `any order of arrival, repeated and divided anyhow, gives the same trips`(
        seed: UInt64
    ) throws {
        let events = try Arrival.events(seed: seed)
        let inOrder = try TemporaryLedger()
        try inOrder.append(events)
        let expected = try inOrder.rowsWithoutArrival()
        let stored = try inOrder.ledger.head().size
        try expectSound(inOrder.ledger, "seed \(seed)")
        // Decisions left to chance may take every trip away; at one seed there are some for sure.
        if seed == Arrival.seedWithTrips { #expect(!expected.isEmpty, "seed \(seed)") }

        var random = SplitMix64(seed: seed)
        for arrival in Arrival.allCases {
            let comment: Comment = "seed \(seed), \(arrival)"
            let book = try TemporaryLedger()
            try deliver(arrival.order(events, using: &random), to: book, comment, using: &random)
            #expect(try book.rowsWithoutArrival() == expected, comment)
            #expect(try book.ledger.head().size == stored, comment)
            try expectSound(book.ledger, comment)
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `what the views say while events arrive is what the log says then`(seed: UInt64) throws {
        let events = try Arrival.events(seed: seed)
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        var arrived: [TripEvent] = []
        var rest = Arrival.shuffled.order(events, using: &random)[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Int.random(in: 1...120, using: &random)))
            rest = rest.dropFirst(batch.count)
            arrived += batch
            try book.append(batch)

            let other = try TemporaryLedger()
            try other.append(arrived.sorted { $0.occurredAt < $1.occurredAt })
            #expect(
                try book.rowsWithoutArrival() == other.rowsWithoutArrival(),
                "seed \(seed) after \(arrived.count) events"
            )
        }
    }

    @Test func `an event from before thousands of trips leaves them as they are`() throws {
        let drives = DriveSimulator.drives(seed: 1, count: 3_000, fixesPerDrive: 0...2)
        let book = try TemporaryLedger()
        try book.append(Array(drives))
        let before = try book.rowsWithoutArrival()
        let late = TripEvent(
            source: DriveSimulator.defaultSource,
            occurredAt: DriveSimulator.drivesStart.advanced(byMilliseconds: -1_000),
            body: .stopPressed(StopPressed())
        )
        try book.append([late])
        let report = try book.ledger.project()
        #expect(report.refoldedSources == 1)
        #expect(try book.rowsWithoutArrival() == before)
        try expectSound(book.ledger)
    }

    /// Appends events in at most ten pieces of random size, some of them twice, and has the views
    /// read now and then.
    private func deliver(
        _ events: [TripEvent],
        to book: TemporaryLedger,
        _ comment: Comment,
        using random: inout SplitMix64
    ) throws {
        let cuts = (0..<9).map { _ in Int.random(in: 0...events.count, using: &random) }.sorted()
        for (start, end) in zip([0] + cuts, cuts + [events.count]) {
            try book.append(Array(events[start..<end]))
            if Int.random(in: 0..<4, using: &random) == 0 {
                try book.append(Array(events[start..<end]))
            }
            if Bool.random(using: &random) {
                _ = try book.ledger.project()
                #expect(try book.ledger.checkViews() == [], comment)
            }
        }
    }
}
