import DriveSimulation
import Geodesy
import Rates
import TestSupport
import Testing
import TripEvents

/// Tolls, parking and fuel in claims.
@Suite struct ClaimExpenseTests {
    private struct Paid {
        var expense: ClaimExpense
        var trip: ClaimTrip?
        var vehicle: String?
        var day: CivilDate
    }

    private static func result(
        of paid: [Paid],
        by rates: [RateStretch],
        from first: Int,
        to last: Int,
        vehicle: String? = nil
    ) -> ClaimResult {
        let days = CivilDate(daysSince1970: first)...CivilDate(daysSince1970: last)
        var claim = Claim(by: rates, on: days, vehicle: vehicle)
        for one in paid {
            if let trip = one.trip {
                claim.add(trip)
                claim.add(one.expense, of: trip)
            } else {
                claim.add(one.expense, vehicle: one.vehicle, on: one.day)
            }
        }
        return claim.finish()
    }

    /// Returns the claim of one expense of a trip of 100 miles in 2025.
    private static func result(
        of kind: ExpenseKind,
        _ amount: ExactDecimal,
        in country: String,
        _ tripClass: TripClass = .business
    ) throws -> ClaimResult {
        let trip = Claimed.trip("2025-05-01", miles: 100, tripClass)
        let expense = ClaimExpense(kind: kind, amount: amount, currency: "USD")
        return result(
            of: [Paid(expense: expense, trip: trip, day: trip.day)],
            by: try Claimed.rates(country),
            from: Claimed.day("2025-01-01").daysSince1970,
            to: Claimed.day("2025-12-31").daysSince1970
        )
    }

    @Test func `tolls and parking of a trip come on top of the American rate`() throws {
        for kind in [ExpenseKind.toll, .parking] {
            let result = try Self.result(of: kind, 12.4, in: "us")
            #expect(result.expenses.map(\.amount.hundredths) == [1_240])
            #expect(result.total == 7_000 + 1_240)
            #expect(result.unclaimedExpenses.isEmpty)
        }
    }

    @Test func `fuel is in the rate, and so is all where the table names nothing beside it`() throws
    {
        for (kind, country) in [(ExpenseKind.fuel, "us"), (.toll, "gb"), (.charging, "us")] {
            let result = try Self.result(of: kind, 12.4, in: country)
            #expect(result.expenses.isEmpty)
            #expect(result.unclaimedExpenses.map(\.reason) == [.inRate])
            #expect(result.unclaimedExpenses.map(\.amount.hundredths) == [1_240])
        }
    }

    @Test func `what was charged at home says that a scheme pays for it`() throws {
        let (from, to) = (Claimed.day("2026-01-01"), Claimed.day("2026-12-31"))
        let trip = Claimed.trip("2026-02-10", kilometers: 10)
        func reasons(_ others: [RateStretch], atHome: Bool) throws -> [UnclaimedExpenseReason] {
            var claim = Claim(by: try Claimed.rates("de"), on: from...to, otherSchemes: others)
            var expense = ClaimExpense(kind: .charging, amount: 30, currency: "EUR")
            expense.microKilowattHours = 100_000_000
            expense.isAtHome = atHome
            claim.add(expense, vehicle: nil, on: trip.day)
            claim.add(trip)
            claim.add(expense, of: trip)
            return claim.finish().unclaimedExpenses.map(\.reason)
        }
        let scheme = try Claimed.rates("de", scheme: "home_charging")
        #expect(try reasons(scheme, atHome: true) == [.otherScheme])
        #expect(try reasons(scheme, atHome: false) == [.noTrip, .inRate])
        #expect(try reasons([], atHome: true) == [.noTrip, .inRate])
    }

    @Test func `nothing is claimed beside a trip for which nothing is paid`() throws {
        let result = try Self.result(of: .toll, 12.4, in: "us", .personal)
        #expect(result.expenses.isEmpty)
        #expect(result.unclaimedExpenses.map(\.reason) == [.noRate])
    }

    @Test(arguments: [
        ("0.005", 1), ("0.0049", 0), ("2.675", 268), ("10000000000", 1_000_000_000_000),
    ])
    func `an expense is rounded to hundredths, half away from zero`(
        amount: String,
        hundredths: Int64
    ) throws {
        let amount = try #require(ExactDecimal(literal: amount))
        let result = try Self.result(of: .toll, amount, in: "us")
        #expect(result.expenses.map(\.amount.hundredths) == [hundredths])
    }

    @Test(arguments: ["10000000000.01", "9000000000000000000", "12345678901234567890123"])
    func `what cannot be added exactly is named and left out`(amount: String) throws {
        let amount = try #require(ExactDecimal(literal: amount))
        let result = try Self.result(of: .toll, amount, in: "us")
        #expect(result.total == 7_000)
        #expect(result.unclaimedExpenses.map(\.reason) == [.tooLarge])
    }

    @Test(arguments: ["us", "fr", "gb"], Seeds.fresh(4))
    func `the expenses of any parts of a year add up to its own, claimed or not`(
        country: String,
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let first = Claimed.day("2025-01-01").daysSince1970
        let paid = (0..<200)
            .map { number in
                let day = CivilDate(daysSince1970: first + number * 365 / 200)
                let vehicle = ["van", "clio", nil][Int(random.next() % 3)]
                let kinds = ExpenseKind.allCases
                let expense = ClaimExpense(
                    kind: kinds[Int(random.next() % UInt64(kinds.count))],
                    amount: ExactDecimal(
                        significand: Int64(random.next() % 1_000_000),
                        decimals: Int(random.next() % 4)
                    ) ?? 0,
                    currency: ["USD", "EUR"][Int(random.next() % 2)]
                )
                let trip = ClaimTrip(
                    day: day,
                    distance: Distance(millimeters: 1_000_000),
                    tripClass: random.next() % 2 == 0 ? .business : .personal,
                    vehicle: vehicle
                )
                return Paid(
                    expense: expense,
                    trip: random.next() % 3 == 0 ? nil : trip,
                    vehicle: vehicle,
                    day: day
                )
            }
        let rates = try Claimed.rates(country)
        let whole = Self.result(of: paid, by: rates, from: first, to: first + 364)
        let edge = first + Int(random.next() % 364)
        let parts = [
            Self.result(of: paid, by: rates, from: first, to: edge),
            Self.result(of: paid, by: rates, from: edge + 1, to: first + 364),
        ]
        func sum(_ result: ClaimResult) -> Int64 {
            result.expenses.reduce(0) { $0 + $1.amount.hundredths }
        }
        func rest(_ result: ClaimResult) -> Int64 {
            result.unclaimedExpenses.reduce(0) { $0 + $1.amount.hundredths }
        }
        #expect(sum(whole) == parts.map(sum).reduce(0, +), "seed \(seed)")
        #expect(rest(whole) == parts.map(rest).reduce(0, +), "seed \(seed)")
        let counts =
            whole.expenses.map(\.count).reduce(0, +)
            + whole.unclaimedExpenses.map(\.count).reduce(0, +)
        #expect(counts == 200, "seed \(seed)")
        let van = Self.result(
            of: paid,
            by: rates,
            from: first,
            to: first + 364,
            vehicle: "van"
        )
        #expect(van.expenses == whole.expenses.filter { $0.vehicle == "van" }, "seed \(seed)")
    }
}
