import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking

@Suite struct TotalsTableTests {
    /// The Netherlands: summer time from the last Sunday of March to that of October, 01:00 UTC (tz
    /// database, Europe/Amsterdam).
    private static let amsterdam = zone("Europe/Amsterdam", "CET-1CEST,M3.5.0,M10.5.0/3")

    /// Zones whose days begin at all hours, with and without summer time.
    private static let zones = [
        amsterdam, .utc, zone("Asia/Kathmandu", "<+0545>-5:45"),
        zone("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
        zone("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        zone("Pacific/Apia", "<+13>-13"),
    ]

    private static func zone(_ name: String, _ posix: String) -> TimeZoneRules {
        do {
            return try TimeZoneRules(name: name, posix: posix)
        } catch {
            preconditionFailure("\(posix): \(error)")
        }
    }

    private func trip(
        _ number: UInt64,
        startedAt text: String,
        millimeters: Int64,
        minutes: Int64 = 10
    ) throws -> BookedTrip {
        let startedAt = try #require(RFC3339.time(text))
        var trip = Trip(
            id: TripID(high: number, low: 0),
            source: "phone",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: startedAt,
            recorded: Trip.Recorded(firstAt: startedAt.timestamp, lastAt: startedAt.timestamp)
        )
        trip.status = .completed
        trip.endedAt = EventTime(
            startedAt.timestamp.advanced(byMilliseconds: minutes * 60_000)
        )
        trip.distance = Distance(millimeters: millimeters)
        return BookedTrip(trip)
    }

    private func rows(_ trips: [BookedTrip]) throws -> [TotalsRow] {
        var rows = ViewRows()
        for trip in trips {
            let change = BookChange.trip(TripChange(old: nil, new: trip))
            try TotalsProjector().evolve(change, in: &rows)
        }
        return try rows.inOrder.added.map { try TotalsRow(decoding: $0.value) }
    }

    private func lines(
        _ trips: [BookedTrip],
        by grouping: TotalsGrouping,
        from: CivilDate? = nil,
        to: CivilDate? = nil,
        localDay: LocalDay = LocalDay(zone: amsterdam)
    ) throws -> [String] {
        let period = LocalPeriod(from: from, to: to, localDay: localDay)
        var table = TotalsTable(by: grouping, in: period)
        for row in try rows(trips) {
            table.add(row)
        }
        return table.lines.map {
            "\($0.name ?? "–") \($0.sums.trips) \($0.sums.distance.millimeters)"
        }
    }

    @Test(arguments: Seeds.fresh(20))
    func `day, week, month, year and everything else are the sum over trips`(seed: UInt64) throws {
        var book = TripBook()
        var rows = ViewRows()
        var trips: [TripID: BookedTrip] = [:]
        for step in BookScript(seed: seed, trips: 16).winding {
            let changes =
                switch step {
                case .trip(let step): try book.evolve(step)
                case .decision(let decision): try book.decide(decision)
                }
            for change in changes {
                try TotalsProjector().evolve(change, in: &rows)
                guard case .trip(let change) = change else { continue }
                if let old = change.old { trips[old.id] = nil }
                if let new = change.new { trips[new.id] = new }
            }
            let counted = trips.values.filter { $0.status == .completed }
            var expected = TotalsSums()
            for trip in counted {
                expected += TotalsSums(trip)
            }
            let distance = counted.map(\.claimedDistance).reduce(.zero, +)
            #expect(expected.distance == distance, "seed \(seed)")
            for (index, grouping) in TotalsGrouping.allCases.enumerated() {
                let zone = Self.zones[(index + Int(seed % 6)) % 6]
                let localDay = LocalDay(zone: zone, usesOwnOffsets: seed % 2 == 0)
                var table = TotalsTable(by: grouping, in: LocalPeriod(localDay: localDay))
                for row in rows.inOrder.added {
                    table.add(try TotalsRow(decoding: row.value))
                }
                var sum = TotalsSums()
                for line in table.lines {
                    sum += line.sums
                }
                #expect(sum == expected, "seed \(seed), by \(grouping)")
                #expect(table.total == expected, "seed \(seed), by \(grouping)")
            }
        }
    }

    @Test func `a trip over midnight counts on the day on which it starts`() throws {
        let trips = [
            try trip(1, startedAt: "2026-03-16T22:59:59.999Z", millimeters: 1, minutes: 60),
            try trip(2, startedAt: "2026-03-16T23:00:00.000Z", millimeters: 10),
        ]
        #expect(try lines(trips, by: .day) == ["2026-03-16 1 1", "2026-03-17 1 10"])
    }

    @Test func `days are whole when the clock changes`() throws {
        // 28 and 29 March 2026 in Amsterdam begin at 23:00Z, 30 March at 22:00Z; 25 October at
        // 22:00Z, 26 October at 23:00Z.
        let trips = try [
            "2026-03-28T22:59:00Z", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z",
            "2026-03-29T21:59:00Z", "2026-03-29T22:00:00Z",
            "2026-10-24T22:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T22:59:00Z",
            "2026-10-25T23:00:00Z",
        ]
        .enumerated()
        .map { try trip(UInt64($0), startedAt: $1, millimeters: 1 << Int64($0)) }
        #expect(
            try lines(trips, by: .day) == [
                "2026-03-28 1 1", "2026-03-29 3 14", "2026-03-30 1 16", "2026-10-25 3 224",
                "2026-10-26 1 256",
            ]
        )
    }

    @Test func `a trip's own offset goes before the zone unless the zone was asked for`() throws {
        let trips = [
            try trip(1, startedAt: "2026-03-16T23:50:00-05:00", millimeters: 1),
            try trip(2, startedAt: "2026-03-17T00:07:00+00:07", millimeters: 2),
        ]
        #expect(try lines(trips, by: .day) == ["2026-03-16 1 1", "2026-03-17 1 2"])
        let zone = LocalDay(zone: Self.amsterdam, usesOwnOffsets: false)
        #expect(try lines(trips, by: .day, localDay: zone) == ["2026-03-17 2 3"])
    }

    /// Weeks by Python's `date.isocalendar`.
    @Test(arguments: [
        ("2024-12-29", "2024-W52"), ("2024-12-30", "2025-W01"), ("2026-01-01", "2026-W01"),
        ("2021-01-03", "2020-W53"), ("2021-01-04", "2021-W01"), ("2026-03-16", "2026-W12"),
        ("1999-12-31", "1999-W52"),
    ])
    func `weeks are those of ISO 8601`(day: String, week: String) throws {
        let trip = try trip(1, startedAt: day + "T12:00:00Z", millimeters: 1)
        #expect(try lines([trip], by: .week) == [week + " 1 1"])
        #expect(try lines([trip], by: .month) == [day.prefix(7) + " 1 1"])
        #expect(try lines([trip], by: .year) == [day.prefix(4) + " 1 1"])
    }

    @Test func `only the days asked for count, the first and the last included`() throws {
        let trips = try (14...18)
            .map {
                try trip(UInt64($0), startedAt: "2026-03-\($0)T12:00:00Z", millimeters: Int64($0))
            }
        let from = CivilDate(year: 2026, month: 3, day: 15)
        let to = CivilDate(year: 2026, month: 3, day: 17)
        #expect(
            try lines(trips, by: .day, from: from, to: to)
                == ["2026-03-15 1 15", "2026-03-16 1 16", "2026-03-17 1 17"]
        )
        #expect(try lines(trips, by: .source, from: to) == ["phone 2 35"])
    }

    @Test func `trips are told apart by vehicle, class, client and source, byte by byte`() throws {
        var trips = try (0..<5)
            .map {
                try trip(UInt64($0), startedAt: "2026-03-16T12:00:00Z", millimeters: 1 << Int64($0))
            }
        trips[0].details.vehicle = "van"
        trips[1].details.vehicle = "van"
        trips[1].details.client = "Caf\u{E9}"
        trips[2].details.client = "Cafe\u{301}"
        trips[3].details.tripClass = .business
        trips[4].trip.source = "logger"
        #expect(try lines(trips, by: .vehicle) == ["– 3 28", "van 2 3"])
        #expect(try lines(trips, by: .client) == ["– 3 25", "Cafe\u{301} 1 4", "Caf\u{E9} 1 2"])
        #expect(try lines(trips, by: .tripClass) == ["business 1 8", "unclassified 4 23"])
        #expect(try lines(trips, by: .source) == ["logger 1 16", "phone 4 15"])
    }

    @Test func `trips whose short hashes are the same are told apart in one row`() throws {
        var trips = try (0..<3)
            .map {
                try trip(UInt64($0), startedAt: "2026-03-16T12:00:00Z", millimeters: 1 << Int64($0))
            }
        // Found by trying: these names give one FNV-1a hash, if all else is the same.
        trips[0].details.client = "client 39b55a97"
        trips[1].details.client = "client 60139ada"
        trips[2].details.client = "client 3"
        #expect(try rows(trips).map(\.cells.count).sorted() == [1, 2])
        let all = ["client 3 1 4", "client 39b55a97 1 1", "client 60139ada 1 2"]
        #expect(try lines(trips, by: .client) == all)
        #expect(try rows(trips) == rows(trips.reversed()))
        var rows = ViewRows()
        for (old, new) in [(nil, trips[0]), (nil, trips[1]), (trips[0], nil), (trips[1], nil)] {
            try TotalsProjector().evolve(.trip(TripChange(old: old, new: new)), in: &rows)
        }
        #expect(rows == ViewRows())
    }

    @Test func `each client of an hour has a row`() throws {
        var trip = try trip(1, startedAt: "2026-03-16T12:00:00Z", millimeters: 1)
        let name = String(repeating: "long ", count: 39)
        let clients = (0..<300).map { "\(name)\($0)" }
        let rows = try rows(
            clients.map { client in
                trip.details.client = client
                return trip
            }
        )
        #expect(rows.count == 300)
        #expect(rows.allSatisfy { $0.key.count == 12 })
    }

    @Test func `active, abandoned, voided and merged trips never count`() throws {
        var trips: [BookedTrip] = []
        for (index, status) in BookedStatus.allCases.enumerated() {
            var trip = try trip(
                UInt64(index),
                startedAt: "2026-03-16T12:00:00Z",
                millimeters: 1 << Int64(index)
            )
            trip.status = status
            trips.append(trip)
        }
        #expect(try lines(trips, by: .year) == ["2026 1 2"])
    }

    @Test func `recorded ways that are no trips stand beside the sums, by the reason`() throws {
        var trips: [BookedTrip] = []
        for (index, reason) in AbandonReason.allCases.enumerated() {
            for status in [TripStatus.abandoned, .abandoned, .completed] {
                var trip = try trip(
                    UInt64(trips.count),
                    startedAt: "2026-03-16T12:00:00Z",
                    millimeters: 1 << Int64(index)
                )
                trip.trip.status = status
                trip.trip.abandonReason = status == .abandoned ? reason : nil
                trips.append(BookedTrip(trip.trip))
            }
        }
        let voided = try #require(trips.firstIndex { $0.uncountedReason == .falseStart })
        trips[voided].status = .voided
        for period in [CivilDate(year: 2026, month: 3, day: 16), nil]
            .map({
                LocalPeriod(from: $0, to: $0, localDay: LocalDay(zone: Self.amsterdam))
            })
        {
            var (table, byTrip) = (
                TotalsTable(by: .year, in: period), TotalsTable(by: .year, in: period)
            )
            for row in try rows(trips) { table.add(row) }
            for trip in trips { byTrip.add(trip) }
            #expect(table.uncounted == byTrip.uncounted)
            #expect(table.total == byTrip.total)
            #expect(table.total.trips == Int64(AbandonReason.allCases.count))
            for (index, reason) in AbandonReason.allCases.enumerated() {
                let isTold = UncountedTotal.reasons.contains(reason)
                let ways: Int64 = isTold ? (reason == .falseStart ? 1 : 2) : 0
                #expect(table.uncounted[reason].ways == ways, "\(reason)")
                let distance = Distance(millimeters: ways << Int64(index))
                #expect(table.uncounted[reason].distance == distance, "\(reason)")
            }
        }
        let other = LocalPeriod(
            from: CivilDate(year: 2026, month: 3, day: 17),
            to: nil,
            localDay: LocalDay(zone: Self.amsterdam)
        )
        var later = TotalsTable(by: .year, in: other)
        for row in try rows(trips) { later.add(row) }
        #expect(later.uncounted.isEmpty)
    }

    @Test func `a distance that a person set counts, and gaps stand beside it`() throws {
        var trip = try trip(1, startedAt: "2026-03-16T12:00:00Z", millimeters: 1)
        trip.adjusted = Distance(millimeters: 50)
        trip.trip.gaps = GapTotal(count: 1, milliseconds: 2, distance: Distance(millimeters: 3))
        let sums = TotalsSums(trip)
        #expect(sums.distance == Distance(millimeters: 50))
        #expect(sums.gaps == trip.trip.gaps)
        #expect(sums.drivingMilliseconds == 600_000)
        #expect(sums.measuredDistance == Distance(millimeters: 1))
        trip.isMeasured = false
        #expect(TotalsSums(trip).measuredDistance == .zero)
    }
}

@Suite struct TotalsProjectorTests {
    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(TotalsProjector(), seed: seed)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the laws hold for drives with every fault`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try ProjectorLaws.check(TotalsProjector(), events: events, seed: seed)
    }
}
