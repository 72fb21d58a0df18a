import Geodesy
import Rates
import Testing
import TripEvents

/// The money of single trips, by the rates of the program.
@Suite struct ClaimTests {
    @Test func `a rate that changes in the middle of a year makes two lines`() throws {
        let result = Claimed.result(
            of: [
                Claimed.trip("2022-06-30", miles: 1_000), Claimed.trip("2022-07-01", miles: 1_000),
            ],
            by: try Claimed.rates("us"),
            from: "2022-01-01",
            to: "2022-12-31"
        )
        #expect(result.amounts == [58_500, 62_500])
        #expect(result.total == 121_000)
    }

    @Test func `one trip over a threshold lies in both tiers`() throws {
        let result = Claimed.result(
            of: [Claimed.trip("2025-05-01", miles: 11_000)],
            by: try Claimed.rates("gb"),
            from: "2025-04-06",
            to: "2026-04-05"
        )
        #expect(result.amounts == [450_000, 25_000])
        #expect(result.lines.map(\.trips) == [1, 1])
    }

    @Test func `a rate that was announced backwards is not known before`() throws {
        let trips = [Claimed.trip("2026-04-20", miles: 100)]
        let amounts = try ["2026-05-01", "2026-05-20", "2026-05-21", "2026-06-01"]
            .map { day in
                Claimed.result(
                    of: trips,
                    by: try Claimed.rates("gb", knownOn: Claimed.day(day)),
                    from: "2026-04-06",
                    to: "2026-04-30"
                )
                .amounts
            }
        #expect(amounts == [[4_500], [4_500], [5_500], [5_500]])
    }

    @Test func `no rate of a year is known in France before the year is over`() throws {
        let rates = try Claimed.rates("fr", knownOn: Claimed.day("2025-06-30"))
        let result = Claimed.result(
            of: [Claimed.trip("2025-02-01", kilometers: 10, vehicle: "clio")],
            by: rates,
            from: "2025-01-01",
            to: "2025-12-31",
            vehicles: ["clio": ClaimVehicle(kind: .car, fiscalPower: 5)]
        )
        #expect(result.lines.isEmpty)
        #expect(result.unclaimed.map(\.reason) == [.noRateForDay, .unclassified])
    }

    @Test func `cars share the threshold of a person and vehicles have their own in Australia`()
        throws
    {
        let trips = ["a", "b"]
            .map {
                Claimed.trip("2024-08-01", kilometers: 5_085, vehicle: $0)
            }
        let australia = Claimed.result(
            of: trips,
            by: try Claimed.rates("au"),
            from: "2024-07-01",
            to: "2025-06-30"
        )
        #expect(australia.amounts == [440_000, 440_000])
        #expect(
            australia.unclaimed.filter { $0.reason == .aboveLimit }.map(\.distance)
                == [Distance(millimeters: 170_000_000)]
        )
        let canada = Claimed.result(
            of: trips,
            by: try Claimed.rates("ca", region: "territories"),
            from: "2024-01-01",
            to: "2024-12-31"
        )
        #expect(canada.amounts == [370_000, 5_780, 345_780])
    }

    @Test func `of commutes the longest of a day counts, in full kilometres`() throws {
        let trips = [
            Claimed.trip("2025-03-03", kilometers: 30, millimeters: 999_999, .commute),
            Claimed.trip("2025-03-03", kilometers: 29, .commute),
            Claimed.trip("2025-03-04", millimeters: 999_999, .commute),
        ]
        let result = Claimed.result(
            of: trips,
            by: try Claimed.rates("de"),
            from: "2025-01-01",
            to: "2025-12-31"
        )
        #expect(result.amounts == [600, 380])
        let left = result.unclaimed.first { $0.reason == .oneWayADay }
        #expect(left?.distance == Distance(millimeters: 30_999_998))
        #expect(left?.trips == 3)
    }

    @Test func `the distance of a year chooses the bracket, also for parts of it`() throws {
        let vehicles: [NameKey: ClaimVehicle] = ["clio": ClaimVehicle(fiscalPower: 5)]
        func total(_ meters: [Int64], from first: String, to last: String) throws -> Int64 {
            let days = ["2025-02-01", "2025-08-01"]
            return
                Claimed.result(
                    of: zip(days, meters)
                        .map {
                            Claimed.trip($0, millimeters: $1 * 1_000, vehicle: "clio")
                        },
                    by: try Claimed.rates("fr"),
                    from: first,
                    to: last,
                    vehicles: vehicles
                )
                .total
        }
        #expect(try total([20_000_000], from: "2025-01-01", to: "2025-12-31") == 853_500)
        #expect(try total([20_001_000], from: "2025-01-01", to: "2025-12-31") == 854_043)
        #expect(try total([4_000_000, 8_000_000], from: "2025-01-01", to: "2025-06-30") == 254_400)
        #expect(
            try total([4_000_000, 8_000_000], from: "2025-07-01", to: "2025-12-31")
                == 567_900 - 254_400
        )
    }

    @Test func `electric vehicles get a fifth more in France`() throws {
        let result = Claimed.result(
            of: [Claimed.trip("2025-02-01", kilometers: 12_000, vehicle: "zoe")],
            by: try Claimed.rates("fr"),
            from: "2025-01-01",
            to: "2025-12-31",
            vehicles: ["zoe": ClaimVehicle(kind: .car, fiscalPower: 5, isElectric: true)]
        )
        #expect(result.amounts == [681_480])
        #expect(
            result.lines.first?.multiplier?.row.id == "fr.bareme_kilometrique.electric.2020-01-01"
        )
    }

    @Test func `passengers are paid beside the trip, and a limit has no money`() throws {
        let britain = Claimed.result(
            of: [Claimed.trip("2025-05-01", miles: 100, passengers: 2)],
            by: try Claimed.rates("gb"),
            from: "2025-04-06",
            to: "2026-04-05"
        )
        #expect(britain.amounts == [4_500, 1_000])
        let dutch = Claimed.result(
            of: [
                Claimed.trip("2025-05-01", kilometers: 300, .personal),
                Claimed.trip("2025-07-01", kilometers: 300, .personal),
            ],
            by: try Claimed.rates("nl"),
            from: "2025-06-01",
            to: "2025-12-31"
        )
        #expect(dutch.amounts == [nil])
        #expect(dutch.lines.first?.countedBefore == Distance(millimeters: 300_000_000))
        #expect(dutch.lines.first?.countedAfter == Distance(millimeters: 600_000_000))
        #expect(dutch.lines.first?.threshold == Distance(millimeters: 500_000_000))
    }

    @Test func `all private trips count towards the Dutch limit, of whatever class`() throws {
        let classes: [TripClass] = [
            .business, .commute, .personal, .medical, .charity, .moving, .mixed, .unclassified,
        ]
        let result = Claimed.result(
            of: classes.map { Claimed.trip("2025-05-01", kilometers: 100, $0) },
            by: try Claimed.rates("nl"),
            from: "2025-01-01",
            to: "2025-12-31"
        )
        let limited = result.lines.filter { $0.rate.row.shape == .limit }
        #expect(limited.map(\.tripClass) == [.personal, .medical, .charity, .moving])
        // Four trips of 100 km, added up by hand.
        let sum = Distance(millimeters: 400_000_000)
        #expect(limited.allSatisfy { $0.countedAfter == sum })
        #expect(limited.allSatisfy { $0.distance == Distance(millimeters: 100_000_000) })
    }

    @Test(arguments: [
        ("2025-05-01", VehicleKind.motorcycle, [2_400]), ("2025-05-01", .bicycle, [2_000]),
        ("2025-05-01", .van, [4_500]), ("2025-05-01", .moped, []),
    ])
    func `the kind of the vehicle chooses the rate`(
        day: String,
        kind: VehicleKind,
        amounts: [Int64]
    ) throws {
        let result = Claimed.result(
            of: [Claimed.trip(day, miles: 100, vehicle: "it")],
            by: try Claimed.rates("gb"),
            from: "2025-04-06",
            to: "2026-04-05",
            vehicles: ["it": ClaimVehicle(kind: kind)]
        )
        #expect(result.amounts == amounts)
        let reasons = result.unclaimed.map(\.reason)
        #expect(reasons.contains(.noRateForVehicle) == amounts.isEmpty)
    }

    @Test func `money is rounded once, half away from zero`() throws {
        // 0.5 km × 0.23 is 11.5 cents; 0.05 km × 0.23 is 1.15 cents, three times 3.45.
        let rates = try Claimed.rates("nl")
        func amounts(_ millimeters: [Int64]) -> [Int64?] {
            Claimed.result(
                of: millimeters.map { Claimed.trip("2025-01-01", millimeters: $0) },
                by: rates,
                from: "2025-01-01",
                to: "2025-12-31"
            )
            .amounts
        }
        #expect(amounts([500_000]) == [12])
        #expect(amounts([499_999]) == [11])
        #expect(amounts([50_000, 50_000, 50_000]) == [3])
        #expect(amounts([65_217, 65_217]) == [3])
    }
}
