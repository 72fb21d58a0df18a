import DriveSimulation
import Geodesy
import Rates
import Testing
import TripEvents

/// Laws that hold for claims of any trips, by the rates of every country.
@Suite struct ClaimLawTests {
    private static let countries = ["at", "au", "ca", "de", "fr", "gb", "nl", "us"]
    private static let vehicles: [NameKey: ClaimVehicle] = [
        "clio": ClaimVehicle(kind: .car, fiscalPower: 5),
        "zoe": ClaimVehicle(kind: .car, fiscalPower: 3, isElectric: true),
        "van": ClaimVehicle(kind: .van, fiscalPower: 9), "bike": ClaimVehicle(kind: .bicycle),
        "moto": ClaimVehicle(kind: .motorcycle, fiscalPower: 4),
    ]

    /// Returns trips of some years in order of their starts.
    private static func trips(_ random: inout SplitMix64, years: ClosedRange<Int>) -> [ClaimTrip] {
        let first = Claimed.day("\(years.lowerBound)-01-01").daysSince1970
        let last = Claimed.day("\(years.upperBound)-12-31").daysSince1970
        let names = vehicles.keys.sorted().map(\.name) + ["unknown"]
        return (0..<(20 + Int(random.next() % 400)))
            .map { _ in first + Int(random.next() % UInt64(last - first + 1)) }
            .sorted()
            .map { day in
                let name = Int(random.next() % UInt64(names.count + 1))
                let classes = TripClass.allCases
                let lone: [LoneWay] = [.half, .whole, .open]
                return ClaimTrip(
                    day: CivilDate(daysSince1970: day),
                    distance: Distance(millimeters: Int64(random.next() % 900_000_000)),
                    tripClass: random.next() % 2 == 0
                        ? .business : classes[Int(random.next() % UInt64(classes.count))],
                    vehicle: name == names.count ? nil : names[name],
                    mode: [nil, nil, .bus, .bicycle][Int(random.next() % 4)],
                    passengers: Int64(random.next() % 3),
                    alone: lone[Int(random.next() % 3)]
                )
            }
    }

    private static func result(
        _ trips: [ClaimTrip],
        _ rates: [RateStretch],
        _ days: ClosedRange<Int>,
        vehicle: String? = nil,
        driver: String? = nil
    ) -> ClaimResult {
        Claimed.result(
            of: trips,
            by: rates,
            from: CivilDate(daysSince1970: days.lowerBound).description,
            to: CivilDate(daysSince1970: days.upperBound).description,
            vehicle: vehicle,
            driver: driver,
            vehicles: vehicles
        )
    }

    @Test(arguments: countries, seeds)
    func `the claims of any parts of some years add up to that of the whole`(
        country: String,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let rates = try Claimed.rates(country)
        let trips = Self.trips(&random, years: 2021...2026)
        let first = Claimed.day("2022-01-01").daysSince1970
        let last = Claimed.day("2025-12-31").daysSince1970
        let whole = Self.result(trips, rates, first...last)
        var total: Int64 = 0
        var distance = Distance.zero
        var start = first
        while start <= last {
            let end = min(last, start + Int(random.next() % 500))
            let part = Self.result(trips, rates, start...end)
            total += part.total
            distance += part.lines.reduce(.zero) { $0 + $1.distance }
            start = end + 1
        }
        #expect(total == whole.total, "\(country), seed \(seed)")
        #expect(distance == whole.lines.reduce(.zero) { $0 + $1.distance }, "seed \(seed)")
    }

    @Test(arguments: countries, seeds)
    func `every millimetre is claimed or said not to be, and no vehicle changes another's lines`(
        country: String,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let rates = try Claimed.rates(country)
        let trips = Self.trips(&random, years: 2024...2026)
        let days = Claimed.day("2025-02-03").daysSince1970...Claimed.day("2026-08-09").daysSince1970
        let whole = Self.result(trips, rates, days)
        let paid = whole.lines
            .filter { ![.perPassenger, .limit].contains($0.rate.row.shape) }
            .reduce(Distance.zero) { $0 + $1.distance }
        let left = whole.unclaimed.reduce(Distance.zero) { $0 + $1.distance }
        #expect(paid + left == whole.origins.distance, "\(country), seed \(seed)")
        #expect(whole.unclaimed.contains { $0.reason == .unclassified })
        let vehicle = "clio"
        let own = Self.result(trips, rates, days, vehicle: vehicle)
        #expect(own.lines == whole.lines.filter { $0.vehicle == vehicle }, "seed \(seed)")
    }

    @Test(arguments: countries, seeds)
    func `the claim of a driver is that of the trips of this driver alone`(
        country: String,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let rates = try Claimed.rates(country)
        let drivers = ["Ann", "Bob", nil]
        let trips = Self.trips(&random, years: 2024...2026)
            .map { trip in
                var driven = trip
                driven.driver = drivers[Int(random.next() % 3)]
                return driven
            }
        let days = Claimed.day("2025-02-03").daysSince1970...Claimed.day("2026-08-09").daysSince1970
        for name in ["Ann", "Bob"] {
            let own = Self.result(trips.filter { $0.driver == name }, rates, days)
            #expect(Self.result(trips, rates, days, driver: name) == own, "seed \(seed)")
            #expect(own.drivers.isEmpty || own.drivers == [name], "seed \(seed)")
        }
    }

    @Test(arguments: seeds)
    func `an amount is within half a hundredth of the exact one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rates = try Claimed.rates("us")
        for _ in 0..<100 {
            let millimeters = Int64(random.next() % 10_000_000_000_000)
            let result = Claimed.result(
                of: [Claimed.trip("2026-01-05", millimeters: millimeters)],
                by: rates,
                from: "2026-01-01",
                to: "2026-12-31"
            )
            let amount = Int128(try #require(result.amounts.first ?? nil))
            // 72.5 cents a mile: amount × 1,609,344 × 10 lies within half of that of mm × 725.
            let error = amount * 16_093_440 - Int128(millimeters) * 725
            #expect(error > -8_046_720 && error <= 8_046_720, "\(millimeters), seed \(seed)")
        }
    }

    private static let seeds: [UInt64] = [1, 7, 20_261_124]
}
