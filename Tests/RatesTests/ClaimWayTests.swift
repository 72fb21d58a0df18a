import Geodesy
import Rates
import Testing
import TripEvents

/// The German way to work: half days and the most of a year.
///
/// The figures are those of the vectors de-half-days and de-cap of the shared collection, and of
/// BFH VI R 42/17.
@Suite struct ClaimWayTests {
    private static func days(_ numbers: some Sequence<Int>, of month: String) -> [String] {
        numbers.map { "\(month)-\($0 < 10 ? "0" : "")\($0)" }
    }

    private static func german(
        _ trips: [ClaimTrip],
        from first: String = "2024-01-01",
        to last: String = "2024-12-31",
        vehicle: String? = nil,
        vehicles: [NameKey: ClaimVehicle] = [:]
    ) throws -> ClaimResult {
        Claimed.result(
            of: trips,
            by: try Claimed.rates("de"),
            from: first,
            to: last,
            vehicle: vehicle,
            vehicles: vehicles
        )
    }

    @Test func `ways out and back on two days are half a day each`() throws {
        let trips = Self.days(1...20, of: "2024-02")
            .map { Claimed.trip($0, kilometers: 40, .commute, alone: .half) }
        let result = try Self.german(trips)
        #expect(result.amounts == [6_000, 7_600])
        #expect(result.total == 13_600)
        #expect(result.lines.map(\.halfDays) == [20, 20])
        #expect(result.lines.map(\.trips) == [20, 20])
        let left = result.unclaimed.first { $0.reason == .oneWayADay }
        #expect(left?.distance == Distance(millimeters: 400_000_000))
    }

    @Test func `five night shifts that end in the morning are five days`() throws {
        // Out in the evening of the first day; back and out again on four; back on the last.
        var trips = [Claimed.trip("2024-03-04", kilometers: 25, .commute, alone: .half)]
        for day in Self.days(5...8, of: "2024-03") {
            trips += [
                Claimed.trip(day, kilometers: 25, .commute, alone: .half),
                Claimed.trip(day, kilometers: 25, .commute, alone: .half),
            ]
        }
        trips.append(Claimed.trip("2024-03-09", kilometers: 25, .commute, alone: .half))
        #expect(try Self.german(trips).total == 3_950)
    }

    @Test func `a measured way alone counts whole, and the claim knows both figures`() throws {
        let result = try Self.german([
            Claimed.trip("2024-05-06", kilometers: 40, .commute),
            Claimed.trip("2024-05-07", kilometers: 40, .commute, alone: .whole),
            Claimed.trip("2024-05-08", kilometers: 40, .commute, alone: .half),
        ])
        #expect(result.total == 2 * 1_360 + 680)
        #expect(result.lines.map(\.openDays) == [1, 1])
        #expect(result.lines.map(\.halfDays) == [1, 1])
        let alone = result.lines.reduce(0) { $0 + $1.amountIfAlone.hundredths }
        #expect(alone == 1_360 + 680 + 680)
    }

    @Test func `ways by motorcycle come to 4,500 a year, and by car to all`() throws {
        func trips(by vehicle: String) -> [ClaimTrip] {
            (0..<220)
                .flatMap { number in
                    let day = CivilDate(
                        daysSince1970: Claimed.day("2024-01-02").daysSince1970 + number
                    )
                    return (0..<2)
                        .map { _ in
                            Claimed.trip(
                                "\(day)",
                                kilometers: 110,
                                .commute,
                                vehicle: vehicle,
                                alone: .half
                            )
                        }
                }
        }
        let vehicles: [NameKey: ClaimVehicle] = [
            "moto": ClaimVehicle(kind: .motorcycle), "car": ClaimVehicle(kind: .car),
        ]
        let limited = try Self.german(trips(by: "moto"), vehicles: vehicles)
        #expect(limited.total == 450_000)
        #expect(limited.cuts.map(\.amount.hundredths) == [884_400 - 450_000])
        #expect(try Self.german(trips(by: "car"), vehicles: vehicles).total == 884_400)
        #expect(try Self.german(trips(by: "unknown"), vehicles: vehicles).total == 884_400)
        let halves = try [("2024-01-01", "2024-03-31"), ("2024-04-01", "2024-12-31")]
            .map { try Self.german(trips(by: "moto"), from: $0, to: $1, vehicles: vehicles).total }
        #expect(halves.reduce(0, +) == 450_000)
        let both = (trips(by: "moto") + trips(by: "car")).sorted { $0.day < $1.day }
        let shared = try Self.german(both, vehicle: "car", vehicles: vehicles)
        #expect(shared.cuts.isEmpty)
    }

    @Test(arguments: [TravelMode.bus, .rail, .bicycle, .foot], [nil, "car", "unknown"])
    func `ways by other means come to 4,500 a year, whatever vehicle is named`(
        mode: TravelMode,
        vehicle: String?
    ) throws {
        // 220 days of 20 km at 0.30 and 90 km at 0.38 are 8,844.00 without the limit.
        let first = Claimed.day("2024-01-02").daysSince1970
        let ways = (0..<440)
            .map { number in
                ClaimTrip(
                    day: CivilDate(daysSince1970: first + number / 2),
                    distance: Distance(millimeters: 110_000_000),
                    tripClass: .commute,
                    vehicle: vehicle,
                    mode: mode
                )
            }
        let vehicles: [NameKey: ClaimVehicle] = ["car": ClaimVehicle(kind: .car)]
        let result = try Self.german(ways, vehicles: vehicles)
        #expect(result.total == 450_000)
        #expect(result.amounts == [132_000, 752_400])
        #expect(result.lines.allSatisfy { $0.mode == mode && $0.isLimited })
    }

    @Test func `ways by bus and by one's own car are two lines, of which one is limited`() throws {
        let first = Claimed.day("2024-01-02").daysSince1970
        let ways = (0..<600)
            .map { number in
                ClaimTrip(
                    day: CivilDate(daysSince1970: first + number / 2),
                    distance: Distance(millimeters: 110_000_000),
                    tripClass: .commute,
                    vehicle: "car",
                    mode: number < 400 ? .bus : nil
                )
            }
        let result = try Self.german(ways, vehicles: ["car": ClaimVehicle(kind: .car)])
        // 100 days by car are 100 × 40.20 EUR; 200 by bus would be 8,040.00.
        #expect(result.amounts == [60_000, 120_000, 342_000, 684_000])
        #expect(result.lines.map(\.mode) == [nil, .bus, nil, .bus])
        #expect(result.total == 402_000 + 450_000)
        // 111 days by bus are 4,462.20. The 112th has 6.00 and 31.80 of its 34.20; 88 days follow.
        // So 88 × 6.00 is cut, and 88 × 34.20 with 2.40 of the 112th.
        let cuts: [Int64] = [0, 52_800, 0, 301_200]
        #expect(result.lines.map(\.cut.hundredths) == cuts)
        #expect(result.cuts.map(\.amount.hundredths) == [354_000])
    }

    @Test func `of the most of a year, the claims of vehicles and of months add up`() throws {
        // One way of 9,000 km is 20 × 0.30 and 8,980 × 0.38: 3,418.40; 1,081.60 are left.
        let trips = [("2025-01-07", "m1"), ("2025-02-07", "m2")]
            .map { Claimed.trip($0, kilometers: 9_000, .commute, vehicle: $1, alone: .whole) }
        let vehicles: [NameKey: ClaimVehicle] = [
            "m1": ClaimVehicle(kind: .motorcycle), "m2": ClaimVehicle(kind: .motorcycle),
        ]
        let months = [
            ("2025-01-01", "2025-01-31"), ("2025-02-01", "2025-02-28"),
            ("2025-03-01", "2025-12-31"),
        ]
        let paid: [(vehicle: String?, months: [Int64])] = [
            ("m1", [341_840, 0, 0]), ("m2", [0, 108_160, 0]), (nil, [341_840, 108_160, 0]),
        ]
        for (vehicle, parts) in paid {
            func total(from first: String, to last: String) throws -> Int64 {
                try Self.german(
                    trips,
                    from: first,
                    to: last,
                    vehicle: vehicle,
                    vehicles: vehicles
                )
                .total
            }
            #expect(try months.map { try total(from: $0, to: $1) } == parts, "\(vehicle ?? "all")")
            let year = try total(from: "2025-01-01", to: "2025-12-31")
            #expect(year == parts.reduce(0, +), "\(vehicle ?? "all")")
        }
    }

    /// The sums of three days of 6,000 or of 9,000 km: 20 × 0.30 and the rest × 0.38, of which half
    /// counts if one way was not driven, and never more than 4,500.00.
    @Test(arguments: [
        (Int64(6_000), Int64(683_520), Int64(450_000), Int64(341_760)),
        (9_000, 1_025_520, 450_000, 450_000),
    ])
    func `neither figure of a day with one way is above the most of a year`(
        kilometers: Int64,
        uncut: Int64,
        total: Int64,
        ifAlone: Int64
    ) throws {
        let ways = Self.days(3...5, of: "2025-03")
            .map { Claimed.trip($0, kilometers: kilometers, .commute, vehicle: "moto") }
        let result = try Self.german(
            ways,
            from: "2025-01-01",
            to: "2025-12-31",
            vehicles: ["moto": ClaimVehicle(kind: .motorcycle)]
        )
        #expect(result.lines.reduce(0) { $0 + ($1.amount?.hundredths ?? 0) } == uncut)
        #expect(result.total == total)
        let alone = result.lines.reduce(0) {
            $0 + $1.amountIfAlone.hundredths - $1.cutIfAlone.hundredths
        }
        #expect(alone == ifAlone)
    }

    @Test func `a way by bicycle that counts nowhere is paid by the rate for any means`() throws {
        for (country, total) in [("de", Int64(300)), ("nl", 0)] {
            var claim = Claim(
                by: try Claimed.rates(country),
                on: Claimed.day("2024-01-01")...Claimed.day("2024-12-31")
            )
            for _ in 0..<2 {
                var way = Claimed.trip("2024-03-07", kilometers: 10, .commute, alone: .half)
                way.mode = .bicycle
                claim.addOther(way)
            }
            let result = claim.finish()
            #expect(result.total == total)
            #expect(result.otherWays.trips == 0)
        }
    }

    @Test(arguments: [(Int64(20), Int64(150)), (30, 300), (540, 300)])
    func `a way by bicycle that two recorders saw is one way`(
        minute: Int64,
        total: Int64
    ) throws {
        var claim = Claim(
            by: try Claimed.rates("de"),
            on: Claimed.day("2024-01-01")...Claimed.day("2024-12-31")
        )
        for start in [0, minute] {
            var way = Claimed.trip("2024-03-07", kilometers: 10, .commute, alone: .half)
            way.mode = .bicycle
            way.startedAt = Timestamp(milliseconds: start * 60_000)
            way.endedAt = way.startedAt?.advanced(byMilliseconds: 30 * 60_000)
            claim.addOther(way)
        }
        #expect(claim.finish().total == total)
    }

    @Test func `commutes by rail are named, and other trips are not`() throws {
        var claim = Claim(
            by: try Claimed.rates("de"),
            on: Claimed.day("2024-01-01")...Claimed.day("2024-12-31")
        )
        for (day, tripClass) in [
            ("2024-05-06", TripClass.commute), ("2024-05-06", .business), ("2023-05-06", .commute),
        ] {
            var way = Claimed.trip(day, kilometers: 30, tripClass)
            way.mode = .rail
            claim.addOther(way)
        }
        let ways = claim.finish().otherWays
        #expect(ways.trips == 1)
        #expect(ways.distance == Distance(millimeters: 30_000_000))
    }
}

/// Rates of employers: fuel by engine, charging at home, Austria; the vectors of the shared
/// collection.
@Suite struct ClaimEmployerTests {
    @Test(arguments: [
        (ClaimVehicle(kind: .car, fuel: .petrol, engine: 1_400), [1_400]),
        (ClaimVehicle(kind: .car, fuel: .petrol, engine: 1_401), [1_700]),
        (ClaimVehicle(kind: .van, fuel: .diesel, engine: 2_001), [2_300]),
        (ClaimVehicle(kind: .car, fuel: .lpg, engine: 1_000), [1_100]),
        (ClaimVehicle(kind: .car, isElectric: true), [700]), (ClaimVehicle(kind: .car), []),
        (ClaimVehicle(kind: .car, fuel: .diesel), []),
    ])
    func `fuel is paid by what a company car burns`(
        vehicle: ClaimVehicle,
        amounts: [Int64]
    ) throws {
        let result = Claimed.result(
            of: [Claimed.trip("2026-07-01", miles: 100, vehicle: "it")],
            by: try Claimed.rates("gb", scheme: "advisory_fuel"),
            from: "2026-06-01",
            to: "2026-08-31",
            vehicles: ["it": vehicle]
        )
        #expect(result.amounts == amounts)
        #expect(result.unclaimed.map(\.reason).contains(.noFuel) == amounts.isEmpty)
    }

    @Test func `what is charged at home is paid by the kilowatt-hour`() throws {
        var claim = Claim(
            by: try Claimed.rates("de", scheme: "home_charging"),
            on: Claimed.day("2026-02-01")...Claimed.day("2026-02-28")
        )
        func charge(_ micro: Int64?, atHome: Bool) {
            var expense = ClaimExpense(kind: .charging, amount: 9, currency: "EUR")
            expense.microKilowattHours = micro
            expense.isAtHome = atHome
            claim.add(expense, vehicle: "company", on: Claimed.day("2026-02-10"))
        }
        charge(60_000_000, atHome: true)
        charge(40_000_000, atHome: true)
        charge(30_000_000, atHome: false)
        charge(nil, atHome: true)
        let result = claim.finish()
        #expect(result.total == 3_400)
        #expect(result.energies.map(\.kilowattHours) == ["100"])
        #expect(result.unclaimedExpenses.map(\.reason) == [.notAtHome, .noKilowattHours])
    }

    @Test func `what is charged at home in parts of a year adds up to that of the year`() throws {
        func result(from first: String, to last: String) throws -> ClaimResult {
            var claim = Claim(
                by: try Claimed.rates("de", scheme: "home_charging"),
                on: Claimed.day(first)...Claimed.day(last)
            )
            for (number, month) in ["2026-01", "2026-02", "2026-03", "2026-04"].enumerated() {
                var expense = ClaimExpense(kind: .charging, amount: 9, currency: "EUR")
                expense.microKilowattHours = 10_050_000
                expense.isAtHome = true
                let day = Claimed.day("\(month)-10")
                if number % 2 == 0 {
                    claim.add(expense, vehicle: "company", on: day)
                } else {
                    let trip = Claimed.trip("\(month)-10", kilometers: 5, vehicle: "company")
                    claim.add(expense, of: trip)
                }
            }
            return claim.finish()
        }
        let months = try [
            ("2026-01-01", "2026-01-31"), ("2026-02-01", "2026-02-28"),
            ("2026-03-01", "2026-03-31"), ("2026-04-01", "2026-12-31"),
        ]
        .map { try result(from: $0, to: $1) }
        // 10.05, 20.10, 30.15 and 40.20 kWh at 0.34 are 3.417, 6.834, 10.251 and 13.668.
        #expect(months.map(\.total) == [342, 341, 342, 342])
        let energies = months.flatMap(\.energies)
        #expect(energies.map(\.kilowattHours) == ["10.05", "10.05", "10.05", "10.05"])
        #expect(energies.map(\.kilowattHoursBefore) == ["0", "10.05", "20.1", "30.15"])
        let year = Claimed.day("2026-01-01")...Claimed.day("2026-12-31")
        #expect(energies.allSatisfy { $0.year == year })
        #expect(try result(from: "2026-01-01", to: "2026-12-31").total == 1_367)
    }

    @Test func `Austria pays 30,000 km a year, and 15 cents for a passenger`() throws {
        let rates = try Claimed.rates("at")
        func amounts(_ trip: ClaimTrip) -> [Int64?] {
            Claimed.result(of: [trip], by: rates, from: "2026-01-01", to: "2026-12-31").amounts
        }
        #expect(
            amounts(Claimed.trip("2026-03-01", kilometers: 30_100)) == [1_500_000]
        )
        #expect(
            amounts(Claimed.trip("2026-03-01", kilometers: 100, passengers: 1)) == [5_000, 1_500]
        )
    }

    @Test func `the self-employed in Britain get 55 pence from 6 April 2026 on`() throws {
        let result = Claimed.result(
            of: [Claimed.trip("2026-04-05", miles: 100), Claimed.trip("2026-04-06", miles: 100)],
            by: try Claimed.rates("gb", scheme: "simplified_expenses"),
            from: "2026-04-01",
            to: "2026-04-30"
        )
        #expect(result.total == 10_000)
    }

    @Test func `what is said of passengers and is no number is counted where it would pay`() throws
    {
        var trip = Claimed.trip("2025-05-01", miles: 100)
        trip.hasUnreadPassengers = true
        for (country, count) in [("gb", Int64(1)), ("us", 0)] {
            let result = Claimed.result(
                of: [trip],
                by: try Claimed.rates(country),
                from: "2025-04-06",
                to: "2026-04-05"
            )
            #expect(result.unreadPassengers == count)
        }
    }
}
