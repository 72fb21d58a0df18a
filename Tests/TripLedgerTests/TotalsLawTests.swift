import DriveSimulation
import Foundation
import Geodesy
import LedgerTestSupport
import Projections
import Reports
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

@Suite struct TotalsLawTests {
    /// Zones whose days begin at all hours, and UTC, which needs no database.
    private static let zones = [
        "UTC", "Europe/Amsterdam", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York",
        "Africa/Casablanca", "Pacific/Apia",
    ]

    /// The days around which clocks change in 2025, and a turn of the year.
    private static let days = [
        "2025-03-09", "2025-03-30", "2025-04-06", "2025-10-05", "2025-10-26", "2025-11-02",
        "2025-12-31",
    ]

    @Test(arguments: Seeds.fresh(3))
    func `every way to add up gives the sum over trips, in any zone`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(try Self.events(seed: seed))
        try book.append(try Self.drives(seed: seed))
        let overlaps = try book.ledger.reading { snapshot in
            try snapshot.relateTrips(into: ()) { _, _ in }.1
        }
        let trips = try book.ledger.trips()
            .filter { $0.booked.counts && !overlaps.leaveOut($0.booked.id) }
        #expect(trips.count > 100)
        for (index, name) in Self.zones.enumerated() {
            let zone = try TimeZoneRules.ofMachine(named: name)
            let localDay = LocalDay(zone: zone, usesOwnOffsets: index % 2 == 0)
            let whole = LocalPeriod(localDay: localDay)
            let halves = [
                LocalPeriod(to: CivilDate("2025-10-04"), localDay: localDay),
                LocalPeriod(from: CivilDate("2025-10-05"), localDay: localDay),
            ]
            for period in [whole] + halves {
                try expectAgreement(book.ledger, in: period, "seed \(seed), \(name)")
            }
            let parts = try halves.map { try book.ledger.totals(by: .day, in: $0).total.trips }
            #expect(parts.reduce(0, +) == Int64(trips.count), "seed \(seed), \(name)")
        }
    }

    /// Expects that all groupings, the list of trips and the mileage log say the same.
    private func expectAgreement(
        _ ledger: Ledger,
        in period: LocalPeriod,
        _ comment: Comment
    ) throws {
        var expected = TotalsSums()
        var log = MileageLog(in: period)
        let (ways, overlaps) = try ledger.reading { snapshot in
            try snapshot.relateTrips(into: [UnrecordedWay]()) { $0.append($1) }
        }
        for row in try ledger.trips(TripFilter(period: period, isOldestFirst: true))
        where row.booked.counts && !overlaps.leaveOut(row.booked.id) {
            let booked = overlaps.filled(row.booked)
            #expect(log.add(booked) != nil, comment)
            expected += TotalsSums(booked)
        }
        #expect(log.total.distance == expected.distance, comment)
        var unrecorded = UnrecordedTotal()
        for way in ways {
            if period.contains(way.later.startedAt) { unrecorded.add(way) }
            log.add(way)
        }
        #expect(unrecorded.count > 0, comment)
        #expect(log.total.unrecorded == unrecorded, comment)
        for grouping in TotalsGrouping.allCases {
            let table = try ledger.totals(by: grouping, in: period)
            var sum = TotalsSums()
            var unrecordedSum = UnrecordedTotal()
            for line in table.lines {
                sum += line.sums
                unrecordedSum += line.unrecorded
            }
            #expect(unrecordedSum == unrecorded, comment)
            #expect(table.unrecorded == unrecorded, comment)
            #expect(sum == expected, comment)
            #expect(table.total == expected, comment)
        }
        for grouping in [TotalsGrouping.month, .week, .vehicle] {
            for inner in [TotalsGrouping.tripClass, .day, .source] {
                try expectPairs(ledger, by: grouping, inner, in: period, comment)
            }
        }
        let classes = try ledger.totals(by: .tripClass, in: period).lines
        let sums = log.sums.filter { $0.trips > 0 }
        #expect(Set(classes.map(\.sums.distance)) == Set(sums.map(\.distance)), comment)
    }

    /// Expects that the groups within each group add up to it, and stand in its order.
    private func expectPairs(
        _ ledger: Ledger,
        by grouping: TotalsGrouping,
        _ inner: TotalsGrouping,
        in period: LocalPeriod,
        _ comment: Comment
    ) throws {
        let whole = try ledger.totals(by: grouping, in: period)
        let inners = try ledger.totals(by: inner, in: period).lines
        let pairs = try ledger.read { try $0.totals(by: grouping, thenBy: inner, in: period) }
        #expect(pairs.total == whole.total, comment)
        #expect(pairs.unrecorded == whole.unrecorded, comment)
        var rest = pairs.lines[...]
        for group in whole.lines {
            let within = rest.prefix { $0.name == group.name }
            rest = rest.dropFirst(within.count)
            var (sums, unrecorded) = (TotalsSums(), UnrecordedTotal())
            for line in within {
                sums += line.sums
                unrecorded += line.unrecorded
            }
            #expect(sums == group.sums && unrecorded == group.unrecorded, comment)
            let names = inners.map(\.name)
                .filter { name in
                    within.contains { $0.innerName == name }
                }
            #expect(within.map(\.innerName) == names, comment)
        }
        #expect(rest.isEmpty, comment)
    }

    /// Drives on and around the days, each of which starts anywhere.
    private static func drives(seed: UInt64) throws -> [TripEvent] {
        var random = SplitMix64(seed: seed &+ 1)
        return try days.flatMap { day in
            let midnight = try #require(RFC3339.time(day + "T00:00:00Z")).timestamp
            return try (-8..<8)
                .flatMap { hours in
                    let start = midnight.advanced(byMilliseconds: Int64(hours) * 9_000_000)
                    let fix = FixRecorded(
                        latitude: try #require(ExactDecimal(Int64(random.next() % 80))),
                        longitude: try #require(ExactDecimal(Int64(random.next() % 80)))
                    )
                    let vehicle = [nil, "van", "car"][Int(random.next() % 3)]
                    let bodies: [EventBody] = [
                        .goPressed(GoPressed(vehicle: vehicle)), .fixRecorded(fix),
                        .stopPressed(StopPressed()),
                    ]
                    return bodies.enumerated()
                        .map { index, body in
                            let at = start.advanced(byMilliseconds: Int64(index) * 60_000)
                            return TripEvent(source: "phone", occurredAt: at, body: body)
                        }
                }
        }
    }

    /// Trips that start in any minute of the days, some with an offset of their own.
    private static func events(seed: UInt64) throws -> [TripEvent] {
        var random = SplitMix64(seed: seed)
        return try days.flatMap { day in
            let midnight = try #require(RFC3339.time(day + "T00:00:00Z")).timestamp
            return try (0..<20)
                .map { _ in
                    let minutes = Int64(random.next() % 4_320) - 1_440
                    let start = midnight.advanced(byMilliseconds: minutes * 60_000 - 1)
                    let offset = [nil, 0, 345, -300, 660][Int(random.next() % 5)]
                    let report = TripReported(
                        startedAt: EventTime(
                            start,
                            utcOffset: offset.flatMap { UTCOffset(minutes: $0) }
                        ),
                        endedAt: EventTime(start.advanced(byMilliseconds: 1_800_000)),
                        distanceMeters: try #require(ExactDecimal(Int64(random.next() % 50_000))),
                        details: TripDetails(
                            vehicle: random.next() % 2 == 0 ? "van" : nil,
                            tripClass: TripClass.allCases[Int(random.next() % 8)]
                        )
                    )
                    return TripEvent(
                        source: "paper",
                        occurredAt: start.advanced(byMilliseconds: 86_400_000),
                        id: String(random.next()),
                        body: .tripReported(report)
                    )
                }
        }
    }
}
