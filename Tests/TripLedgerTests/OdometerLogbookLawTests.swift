import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking

/// A logbook by the odometer alone.
@Suite struct OdometerLogbookLawTests {
    private static let start = Timestamp(milliseconds: 1_740_960_000_000)

    @Test(arguments: Seeds.fresh(8))
    func `trips and the ways between them add up to what the odometer went`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var events: [TripEvent] = []
        var shown: Int64 = 12_000
        var driven: [Int64] = []
        for day in 0..<40 {
            let departure = Self.start.advanced(byMilliseconds: Int64(day) * 86_400_000)
            let arrival = departure.advanced(
                byMilliseconds: Int64.random(in: 1...600, using: &random) * 60_000
            )
            events += Self.press(.goPressed(GoPressed(vehicle: "van")), at: departure, shown)
            let distance = Int64.random(in: 0...90, using: &random)
            shown += distance
            driven.append(distance)
            events += Self.press(.stopPressed(StopPressed()), at: arrival, shown)
            shown += Int64.random(in: 0...9, using: &random)
        }
        let last = shown
        events += Self.press(nil, at: Self.start.advanced(byMilliseconds: 41 * 86_400_000), last)

        let book = try TemporaryLedger()
        for piece in Self.pieces(of: events.shuffled(using: &random), using: &random) {
            try book.append(piece)
            _ = try book.ledger.project()
        }
        try expectSound(book.ledger, "seed \(seed)")
        try book.ledger.read { snapshot in
            let trips = try snapshot.trips().map(\.booked)
                .sorted { $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp }
            #expect(
                trips.map(\.trip.distance.millimeters) == driven.map { $0 * 1_000_000 },
                "seed \(seed)"
            )
            #expect(trips.allSatisfy { $0.flags.contains(.odometer) && !$0.isMeasured })
            let compared = OdometerComparison.list(
                try snapshot.vehicles().readings(of: "van"),
                of: "van",
                with: trips
            )
            let rest = compared.compactMap(\.rest).reduce(Distance.zero, +)
            let sum = driven.reduce(0, +) * 1_000_000 + rest.millimeters
            #expect(sum == (last - 12_000) * 1_000_000, "seed \(seed)")
            for trip in trips.prefix(5) {
                let explanation = try snapshot.explain(.prefix(trip.id.description))
                #expect(explanation.isConfirmed, "seed \(seed)")
                #expect(explanation.events.last?.sum == trip.trip.distance, "seed \(seed)")
            }
        }
    }

    @Test func `a trip that was measured does not go by the odometer`() throws {
        let book = try TemporaryLedger()
        let drive = DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone")
        try book.append(drive)
        let measured = try #require(try book.ledger.trips().first).booked
        for (end, value) in [(measured.trip.startedAt, 100), (measured.trip.endedAt, 900)] {
            let end = try #require(end)
            try book.append([Self.reading(at: end.timestamp, Int64(value))])
        }
        #expect(try book.ledger.trips().first?.booked == measured)
    }

    @Test func `two readings of one instant that differ are no distance`() throws {
        let book = try TemporaryLedger()
        let end = Self.start.advanced(byMilliseconds: 600_000)
        try book.append(
            Self.press(.goPressed(GoPressed(vehicle: "van")), at: Self.start, 100)
                + Self.press(.stopPressed(StopPressed()), at: end, 112)
        )
        #expect(try book.ledger.trips().map(\.trip.distance.millimeters) == [12_000_000])
        try book.append([Self.reading(at: end, 113)])
        #expect(try book.ledger.trips().isEmpty)
        try book.append([Self.reading(at: end, 114, correctedAfter: 60_000)])
        #expect(try book.ledger.trips().map(\.trip.distance.millimeters) == [14_000_000])
        try expectSound(book.ledger)
    }

    @Test func `nothing can be left out of a trip that goes by the odometer`() throws {
        let book = try TemporaryLedger()
        let end = Self.start.advanced(byMilliseconds: 2_400_000)
        try book.append(
            Self.press(.goPressed(GoPressed(vehicle: "van")), at: Self.start, 100)
                + Self.press(.stopPressed(StopPressed()), at: end, 150)
        )
        let trip = TripReference.named(try #require(try book.ledger.trips().first).trip.id)
        let options = try book.ledger.read(asOf: book.now) { snapshot in
            try snapshot.options(of: trip, now: book.now, for: nil)
        }
        #expect(options.exclusion.times == nil)
        let refusal = #expect(throws: LedgerError.self) {
            let from = TripTime.instant(EventTime(Self.start))
            let until = TripTime.instant(EventTime(end))
            _ = try book.ledger.decide(
                .exclude(trip, from: from, to: until, why: "ferry"),
                now: EventTime(book.now)
            )
        }
        #expect(refusal == options.exclusion.refusal)
        #expect(try book.ledger.trips().map(\.trip.distance.millimeters) == [50_000_000])
    }

    private static func press(
        _ body: EventBody?,
        at instant: Timestamp,
        _ kilometers: Int64
    ) -> [TripEvent] {
        let press = body.map { TripEvent(source: "phone", occurredAt: instant, body: $0) }
        return (press.map { [$0] } ?? []) + [reading(at: instant, kilometers)]
    }

    private static func reading(
        at instant: Timestamp,
        _ kilometers: Int64,
        correctedAfter delay: Int64? = nil
    ) -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: instant.advanced(byMilliseconds: delay ?? 0),
            body: .odometerRead(
                OdometerRead(
                    vehicle: "van",
                    value: ExactDecimal(integerLiteral: kilometers),
                    unit: .kilometers,
                    corrects: delay == nil ? nil : EventTime(instant)
                )
            )
        )
    }

    private static func pieces(
        of events: [TripEvent],
        using random: inout SplitMix64
    ) -> [[TripEvent]] {
        var rest = events[...]
        var pieces: [[TripEvent]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...50, using: &random))
            rest = rest.dropFirst(piece.count)
            pieces.append(Array(piece))
        }
        return pieces
    }
}
