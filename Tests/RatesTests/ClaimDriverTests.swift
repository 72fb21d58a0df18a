import Rates
import Testing
import TripEvents

/// What two persons have once each: a threshold of a year, and a way of a day.
@Suite struct ClaimDriverTests {
    @Test func `two drivers share one threshold unless the claim is that of one`() throws {
        let trips = [
            Claimed.trip("2026-05-04", miles: 9_000, vehicle: "a", driver: "Ann"),
            Claimed.trip("2026-06-04", miles: 9_000, vehicle: "b", driver: "Bob"),
        ]
        let rates = try Claimed.rates("gb")
        func result(from first: String, vehicle: String? = nil, of driver: String?) -> ClaimResult {
            Claimed.result(
                of: trips,
                by: rates,
                from: first,
                to: "2027-04-05",
                vehicle: vehicle,
                driver: driver
            )
        }
        let both = result(from: "2026-04-06", of: nil)
        #expect(both.total == 750_000)
        #expect(both.drivers == ["Ann", "Bob"])
        for name in ["Ann", "Bob"] {
            let own = result(from: "2026-04-06", of: name)
            #expect(own.amounts == [495_000])
            #expect(own.drivers == [name])
        }
        // What Ann drove before the days, or in another car, has used up some of it.
        #expect(result(from: "2026-06-01", of: nil).drivers == ["Ann", "Bob"])
        #expect(result(from: "2026-04-06", vehicle: "b", of: nil).drivers == ["Ann", "Bob"])
        #expect(result(from: "2026-06-01", of: "Bob").total == 495_000)
        #expect(result(from: "2026-04-06", of: "Eva").lines.isEmpty)
    }

    @Test func `two drivers have one way to work a day unless the claim is that of one`() throws {
        let ways = [("Ann", Int64(20)), ("Bob", 30), ("Ann", 20), ("Bob", 30)]
            .map { name, kilometers in
                Claimed.trip(
                    "2026-03-04",
                    kilometers: kilometers,
                    .commute,
                    vehicle: name,
                    driver: name,
                    alone: .half
                )
            }
        let rates = try Claimed.rates("de")
        let totals = [nil, "Ann", "Bob"]
            .map { name in
                Claimed.result(
                    of: ways,
                    by: rates,
                    from: "2026-01-01",
                    to: "2026-12-31",
                    driver: name
                )
                .total
            }
        #expect(totals == [1_140, 760, 1_140])
    }

    @Test func `drivers who share neither a threshold nor a day are not named`() throws {
        let result = Claimed.result(
            of: [
                Claimed.trip("2026-05-04", miles: 10, driver: "Ann"),
                Claimed.trip("2026-05-04", miles: 10, driver: "Bob"),
            ],
            by: try Claimed.rates("us"),
            from: "2026-01-01",
            to: "2026-12-31"
        )
        #expect(result.total == 1_450)
        #expect(result.drivers.isEmpty)
    }

    @Test func `what was paid is of the driver of its trip, else of its vehicle`() throws {
        let trips = ["Ann", "Bob"]
            .map { Claimed.trip("2026-05-04", miles: 10, vehicle: "car", driver: $0) }
        let toll = ClaimExpense(kind: .toll, amount: 5, currency: "USD")
        func claimed(by driver: String) throws -> ClaimResult {
            var claim = Claim(
                by: try Claimed.rates("us"),
                on: Claimed.day("2026-01-01")...Claimed.day("2026-12-31"),
                driver: driver,
                vehicles: ["car": ClaimVehicle(kind: .car, driver: "Ann")]
            )
            for trip in trips { claim.add(trip) }
            claim.add(toll, of: trips[1])
            claim.add(toll, vehicle: "car", on: trips[0].day)
            claim.add(toll, vehicle: nil, on: trips[0].day)
            return claim.finish()
        }
        let (ann, bob) = (try claimed(by: "Ann"), try claimed(by: "Bob"))
        #expect(ann.expenses.isEmpty)
        #expect(ann.unclaimedExpenses.map(\.count) == [1])
        #expect(bob.expenses.map(\.amount.hundredths) == [500])
        #expect(bob.unclaimedExpenses.isEmpty)
    }
}
