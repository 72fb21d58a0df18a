import DriveSimulation
import Geodesy
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// An excluded stretch takes away what its fixes add to its trip, and changes nothing else.
@Suite struct ExclusionLawTests {
    private static let source = "van"

    private static func drives(seed: UInt64) -> [TripEvent] {
        Array(DriveSimulator.drives(seed: seed, count: 4, fixesPerDrive: 10...60, source: source))
    }

    private static func decision(
        _ body: EventBody,
        _ index: Int,
        after events: [TripEvent]
    ) -> TripEvent {
        let latest = events.map(\.occurredAt).max() ?? Timestamp(milliseconds: 0)
        let decidedAt = latest.advanced(byMilliseconds: Int64(index + 1) * 1_000)
        return TripEvent(source: "manual", occurredAt: decidedAt, body: body)
    }

    /// Returns stretches of some trips, which may overlap, touch, or lie outside of theirs.
    private static func exclusions(
        from rows: [TripRow],
        after events: [TripEvent],
        using random: inout SplitMix64
    ) throws -> [TripEvent] {
        try (0..<6)
            .map { index in
                let trip = try #require(rows.randomElement(using: &random)).trip
                let instants = events.map(\.occurredAt)
                    .filter { abs($0.milliseconds(since: trip.startedAt.timestamp)) < 3_600_000 }
                let from = try #require(instants.randomElement(using: &random))
                let seconds = Int64.random(in: 1...600, using: &random)
                let to = from.advanced(byMilliseconds: seconds * 1_000)
                let body = EventBody.stretchExcluded(
                    StretchExcluded(
                        trip: trip.id,
                        from: EventTime(from),
                        to: EventTime(to),
                        why: "ferry"
                    )
                )
                return decision(body, index, after: events)
            }
    }

    /// Returns what the fixes of some stretches add to a trip, by its explanation without them.
    private static func expected(
        _ trip: Trip,
        in book: TemporaryLedger,
        _ exclusions: [TripEvent]
    )
        throws -> Distance
    {
        try book.ledger.explain(.prefix(trip.id.description)).events
            .filter { explained in
                exclusions.contains { event in
                    guard case .stretchExcluded(let exclusion) = event.body,
                        exclusion.trip == trip.id
                    else { return false }
                    let happenedAt = explained.stored.happenedAt
                    return exclusion.from.timestamp < happenedAt
                        && happenedAt <= exclusion.to.timestamp
                }
            }
            .reduce(.zero) { $0 + $1.added }
    }

    @Test(arguments: Seeds.fresh(12))
    func `what is excluded is what the fixes of the stretch add, in any order of arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let drives = Self.drives(seed: seed)
        let plain = try TemporaryLedger()
        try plain.append(drives)
        let rows = try plain.ledger.trips(TripFilter(includesUncounted: true))
        let exclusions = try Self.exclusions(from: rows, after: drives, using: &random)

        for arrival in Arrival.allCases {
            let comment: Comment = "seed \(seed), \(arrival)"
            let book = try TemporaryLedger()
            var rest = arrival.order(drives + exclusions, using: &random)[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Int.random(in: 1...200, using: &random))
                rest = rest.dropFirst(batch.count)
                try book.append(Array(batch))
                if Bool.random(using: &random) { _ = try book.ledger.project() }
            }
            let found = try book.ledger.trips(TripFilter(includesUncounted: true))
            #expect(try book.ledger.checkViews() == [], comment)
            #expect(found.map(\.trip.id) == rows.map(\.trip.id), comment)
            for (row, before) in zip(found, rows) {
                let excluded = try Self.expected(before.trip, in: plain, exclusions)
                #expect(row.trip.excluded == excluded, comment)
                var whole = row.trip
                whole.distance += whole.excluded
                whole.excluded = .zero
                whole.recorded = before.trip.recorded
                #expect(whole == before.trip, comment)
                let explained = try book.ledger.explain(.prefix(row.trip.id.description))
                #expect(explained.isConfirmed, comment)
                #expect(explained.events.last?.sum ?? .zero == row.trip.distance, comment)
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `an exclusion concerns its trip and the parts that later splits make of it`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let drives = Self.drives(seed: seed)
        let plain = try TemporaryLedger()
        try plain.append(drives)
        let trip = try #require(try plain.ledger.trips().randomElement(using: &random)).trip
        let end = try #require(trip.endedAt)
        let instants = drives.map(\.occurredAt)
            .filter { $0 > trip.startedAt.timestamp && $0 < end.timestamp }
        let at = try #require(instants.randomElement(using: &random))
        let split = EventBody.tripSplit(TripSplit(trip: trip.id, splitAt: EventTime(at)))
        // From long before the trip until long after it.
        let body = EventBody.stretchExcluded(
            StretchExcluded(
                trip: trip.id,
                from: EventTime(trip.startedAt.timestamp.advanced(byMilliseconds: -864_000_000)),
                to: EventTime(end.timestamp.advanced(byMilliseconds: 864_000_000)),
                why: "ferry"
            )
        )
        for isSplitFirst in [false, true] {
            let decisions = [
                Self.decision(split, isSplitFirst ? 0 : 1, after: drives),
                Self.decision(body, isSplitFirst ? 1 : 0, after: drives),
            ]
            for arrival in Arrival.allCases {
                let comment: Comment = "seed \(seed), \(arrival), \(isSplitFirst)"
                let book = try TemporaryLedger()
                var rest = arrival.order(drives + decisions, using: &random)[...]
                while !rest.isEmpty {
                    let batch = rest.prefix(Int.random(in: 1...200, using: &random))
                    rest = rest.dropFirst(batch.count)
                    try book.append(Array(batch))
                    if Bool.random(using: &random) { _ = try book.ledger.project() }
                }
                let rows = try book.ledger.trips(TripFilter(includesUncounted: true))
                #expect(try book.ledger.checkViews() == [], comment)
                for row in rows {
                    let isPart = row.trip.startedBy == .split
                    let isExcluded = row.trip.id == trip.id || isPart && !isSplitFirst
                    #expect((isExcluded ? row.trip.distance : row.trip.excluded) == .zero, comment)
                    let explained = try book.ledger.explain(.prefix(row.trip.id.description))
                    #expect(explained.isConfirmed, comment)
                    #expect(explained.events.last?.sum ?? .zero == row.trip.distance, comment)
                }
            }
        }
    }

    @Test func `restoring the trip takes exclusions back, and only those before`() throws {
        let drives = Self.drives(seed: 3)
        let book = try TemporaryLedger()
        try book.append(drives)
        let before = try book.rowsWithoutArrival()
        let trip = try #require(try book.ledger.trips().first).trip
        let end = try #require(trip.endedAt)
        let whole = EventBody.stretchExcluded(
            StretchExcluded(trip: trip.id, from: trip.startedAt, to: end, why: "car train")
        )
        func distance() throws -> Distance {
            try book.ledger.trip(.prefix(trip.id.description)).booked.claimedDistance
        }
        try book.append([Self.decision(whole, 1, after: drives)])
        #expect(try distance() == .zero)
        let restored = EventBody.tripRestored(TripRestored(trip: trip.id))
        try book.append([Self.decision(restored, 3, after: drives)])
        #expect(try book.rowsWithoutArrival() == before)
        try book.append([Self.decision(whole, 2, after: drives)])
        #expect(try distance() == trip.distance)
        try book.append([Self.decision(whole, 4, after: drives)])
        #expect(try distance() == .zero)
    }

    @Test func `a person cannot exclude where nothing was measured`() throws {
        let drives = Self.drives(seed: 3)
        let book = try TemporaryLedger()
        try book.append(drives)
        let trip = try #require(try book.ledger.trips().first).trip
        let end = try #require(trip.endedAt)
        let after = EventTime(end.timestamp.advanced(byMilliseconds: 1_000))
        #expect(throws: LedgerError.self) {
            try book.ledger.decide(
                .exclude(
                    .prefix(trip.id.description),
                    from: .instant(end),
                    to: .instant(after),
                    why: "ferry"
                ),
                now: after
            )
        }
        let outcome = try book.ledger.decide(
            .exclude(
                .prefix(trip.id.description),
                from: .instant(trip.startedAt),
                to: .instant(end),
                why: "ferry"
            ),
            now: after
        )
        #expect(outcome.trips.map(\.trip.excluded) == [trip.distance])
        #expect(outcome.trips.map(\.booked.flagNames) == [["excluded"]])
    }
}
