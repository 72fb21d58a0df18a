import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// A trip that time alone has ended is over wherever trips are shown, as it will be once its source
/// reports again.
@Suite struct TimePassingLawTests {
    /// What is shown of trips at an instant.
    private struct Shown: Equatable {
        var trips: [TripRow]
        var total: TotalsSums
        var unfinished: UnfinishedTrips
        var latestEnd: Timestamp?

        init(_ ledger: Ledger, asOf instant: Timestamp?) throws {
            let period = LocalPeriod(localDay: LocalDay(zone: .utc))
            self = try ledger.read(asOf: instant) { snapshot in
                Shown(
                    trips: try snapshot.trips(TripFilter(includesUncounted: true))
                        .map(\.withoutArrival),
                    total: try snapshot.totals(by: .tripClass, in: period).total,
                    unfinished: try snapshot.unfinishedTrips(in: period),
                    latestEnd: try snapshot.latestEndByTime()
                )
            }
        }

        private init(
            trips: [TripRow],
            total: TotalsSums,
            unfinished: UnfinishedTrips,
            latestEnd: Timestamp?
        ) {
            self.trips = trips
            self.total = total
            self.unfinished = unfinished
            self.latestEnd = latestEnd
        }
    }

    /// Returns an instant around the latest of some events, up to five hours after it.
    private static func instant(
        after events: [TripEvent],
        using random: inout SplitMix64
    ) -> Timestamp {
        let latest = events.map(\.occurredAt).max() ?? Timestamp(milliseconds: 0)
        let milliseconds = Int64.random(in: -1_800_000...18_000_000, using: &random)
        return latest.advanced(byMilliseconds: milliseconds)
    }

    @Test(arguments: Seeds.fresh(6))
    func `an answer does not depend on the instants that were asked for before`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let events = try ProjectorLaws.randomDrives(seed: seed)
        let book = try TemporaryLedger()
        var end = 0
        while end < events.count {
            let start = end
            end = min(events.count, end + Int.random(in: 20...120, using: &random))
            try book.append(Array(events[start..<end]))
            let fresh = try TemporaryLedger()
            try fresh.append(Array(events[..<end]))
            for _ in 0..<4 {
                let instant = Self.instant(after: Array(events[..<end]), using: &random)
                let shown = try Shown(book.ledger, asOf: instant)
                let expected = try Shown(fresh.ledger, asOf: instant)
                #expect(shown == expected, "seed \(seed), \(end) events at \(instant)")
                let differences = try book.ledger.checkViews()
                #expect(differences.isEmpty, "seed \(seed), \(end) events at \(instant)")
            }
            let without = try Shown(book.ledger, asOf: nil)
            #expect(try without == Shown(fresh.ledger, asOf: nil), "seed \(seed), \(end) events")
            #expect(without.latestEnd == nil)
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `the next report changes nothing about a trip that time has ended`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = try ProjectorLaws.randomDrives(seed: seed)
        for _ in 0..<4 {
            let some = Array(events.prefix(Int.random(in: 20..<events.count, using: &random)))
            let instant = max(
                Self.instant(after: some, using: &random),
                some.map(\.occurredAt).max() ?? Timestamp(milliseconds: 0)
            )
            let book = try TemporaryLedger()
            try book.append(some)
            let over = try Shown(book.ledger, asOf: instant).trips
                .filter { $0.booked.status != .active }
            try book.append(
                ["phone", "logger"]
                    .map { source in
                        TripEvent(
                            source: source,
                            occurredAt: instant,
                            body: .locationFailed(LocationFailed(error: "no signal"))
                        )
                    }
            )
            let reported = try Shown(book.ledger, asOf: nil).trips
            for row in over {
                #expect(reported.contains(row), "seed \(seed), \(some.count) events at \(instant)")
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `a trip that time has ended is explained as it is shown`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        var random = SplitMix64(seed: seed)
        for _ in 0..<3 {
            let some = Array(events.prefix(Int.random(in: 20..<events.count, using: &random)))
            let book = try TemporaryLedger()
            try book.append(some)
            let instant = Self.instant(after: some, using: &random)
            try book.ledger.read(asOf: instant) { snapshot in
                for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                    let explanation = try snapshot.explain(.prefix(row.trip.id.description))
                    #expect(explanation.isConfirmed, "seed \(seed), \(some.count) at \(instant)")
                }
            }
        }
    }

    @Test func `many trips end at once, and go on when an earlier instant is asked for`() throws {
        let book = try TemporaryLedger()
        let start = Timestamp(milliseconds: 1_740_960_000_000)
        let count = 2 * ProjectionRunner.rowsPerCommit + 7
        try book.append(
            (0..<count)
                .map { number in
                    TripEvent(
                        source: "car-\(number)",
                        occurredAt: start,
                        body: .goPressed(GoPressed())
                    )
                }
        )
        let hours: (Int64) -> Timestamp = { start.advanced(byMilliseconds: $0 * 3_600_000) }
        for (instant, unfinished) in [(hours(23), count), (hours(25), 0), (hours(1), count)] {
            let shown = try Shown(book.ledger, asOf: instant)
            #expect(shown.unfinished.count == unfinished)
            #expect(shown.latestEnd == (unfinished == 0 ? hours(24) : nil))
        }
    }
}
