import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct ExpenseBookTests {
    private static func fuel(_ amount: Int64, correcting id: ExpenseID? = nil) -> ExpenseRecorded {
        var expense = ExpenseRecorded(
            kind: .fuel,
            amount: ExactDecimal(integerLiteral: amount),
            currency: "EUR"
        )
        expense.corrects = id
        return expense
    }

    private static func decision(
        _ expense: ExpenseRecorded,
        at minute: Int64,
        number: UInt64
    ) throws -> Decision {
        let event = TripEvent(
            source: "manual",
            occurredAt: Book.at(minute),
            body: .expenseRecorded(expense)
        )
        let identity = IdentityDigest(words: [number, 1, 0, 0])
        return try #require(Decision(event, identity: identity, recordedAt: Book.at(minute)))
    }

    private static func id(_ number: UInt64) -> ExpenseID {
        ExpenseID(recordedBy: IdentityDigest(words: [number, 1, 0, 0]))
    }

    @Test(arguments: Seeds.fresh(60))
    func `the last correction of an expense stands, in any order of arrival`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var decisions: [Decision] = []
        var amounts: [UInt64: Int64] = [:]
        var stood: [UInt64: Int64] = [:]
        var voided: Set<UInt64> = []
        for number in UInt64(1)...8 {
            amounts[number] = Int64.random(in: 0...99, using: &random)
            stood[number] = amounts[number]
            decisions.append(
                try Self.decision(
                    Self.fuel(amounts[number] ?? 0),
                    at: Int64(number),
                    number: number
                )
            )
        }
        for correction in UInt64(20)..<36 {
            let number = UInt64.random(in: 1...8, using: &random)
            let amount = Int64.random(in: 0...99, using: &random)
            var expense = Self.fuel(amount, correcting: Self.id(number))
            if Bool.random(using: &random) { expense.isVoid = true }
            decisions.append(
                try Self.decision(expense, at: Int64(correction), number: correction)
            )
            amounts[number] = amount
            if expense.isVoid == true {
                voided.insert(number)
            } else {
                voided.remove(number)
                stood[number] = amount
            }
        }
        let book = ExpenseBook(decisions.shuffled(using: &random))
        let standing = amounts.filter { !voided.contains($0.key) }.sorted { $0.key < $1.key }
        #expect(book.expenses.map(\.id) == standing.map { Self.id($0.key) }, "seed \(seed)")
        #expect(
            book.expenses.map(\.expense.amount)
                == standing.map { ExactDecimal(integerLiteral: $0.value) },
            "seed \(seed)"
        )
        #expect(
            book.expenses.map(\.paidAt.timestamp) == standing.map { Book.at(Int64($0.key)) },
            "seed \(seed)"
        )
        #expect(Set(book.voided.map(\.id)) == Set(voided.map(Self.id)), "seed \(seed)")
        for (number, amount) in stood {
            let found = book.expenses(beginningWith: Self.id(number).description)
            #expect(
                found.map { $0.lastStanding?.amount } == [ExactDecimal(integerLiteral: amount)],
                "seed \(seed)"
            )
        }
    }

    @Test func `a correction of what is not there stands for itself`() throws {
        let lost = try Self.decision(Self.fuel(5, correcting: Self.id(9)), at: 3, number: 2)
        let book = ExpenseBook([lost])
        #expect(book.expenses.map(\.id) == [Self.id(9)])
        #expect(book.expenses.map(\.paidAt.timestamp) == [Book.at(3)])
    }

    // Trips of the van north along a meridian: 10 km from minute 0 to 30, parked until 120, then
    // back. A minute of latitude at 52° is 1,854.6 m long.
    @Test(
        arguments: [
            // Parked at the far end, and somewhere else.
            (60, 10_000, false), (60, 10_500, false), (60, 14_000, true), (60, 5_000, true),
            // On the way, half an hour from the way's middle.
            (15, 5_000, false), (45, 5_000, false), (15, -9_000, true),
            // Before anything is known, and long after.
            (-2_000, 0, false), (5_000, 90_000, false), (-300, 90_000, true),
        ] as [(Int64, Double, Bool)]
    )
    func `the car was elsewhere if no place of it is near around that time`(
        minute: Int64,
        north: Double,
        isElsewhere: Bool
    ) throws {
        var expense = Self.fuel(50)
        expense.vehicle = "van"
        let recorded = try #require(
            ExpenseBook([try Self.decision(expense, at: minute, number: 1)]).expenses.first
        )
        var whereabouts = VehicleWhereabouts(
            recorded,
            at: try #require(Self.place(north)),
            localDay: LocalDay(zone: .utc)
        )
        let there = Self.trip(1, 0...30, from: 0, to: 10_000)
        let back = Self.trip(2, 120...150, from: 10_000, to: 0)
        for trip in [back, there] { whereabouts.take(try #require(TripEnds(trip))) }
        #expect((whereabouts.elsewhere != nil) == isElsewhere)
        #expect(whereabouts.isKnown == (abs(minute) < 1_000))
    }

    @Test func `what was bought on a day is compared with all places of that day`() throws {
        var expense = Self.fuel(50)
        expense.day = CivilDate(of: EventTime(Book.at(0)))
        let recorded = try #require(
            ExpenseBook([try Self.decision(expense, at: 90_000, number: 1)]).expenses.first
        )
        for (north, isElsewhere) in [(0.0, false), (10_000, false), (5_000, true)] {
            var whereabouts = VehicleWhereabouts(
                recorded,
                at: try #require(Self.place(north)),
                localDay: LocalDay(zone: .utc)
            )
            whereabouts.take(
                try #require(TripEnds(Self.trip(1, 300...330, from: 0, to: 10_000, points: false)))
            )
            #expect((whereabouts.elsewhere != nil) == isElsewhere)
        }
    }

    private static func place(_ north: Double) -> Coordinate? {
        Coordinate(latitude: 52 + north / 111_276, longitude: 4)
    }

    private static func trip(
        _ number: UInt64,
        _ minutes: ClosedRange<Int64>,
        from: Double,
        to: Double,
        points: Bool = true
    ) -> BookedTrip {
        var trip = Book.trip(number, minutes)
        trip.start = place(from)
        trip.end = place(to)
        let length = Double(minutes.count - 1)
        if points {
            trip.way = WaySketch(
                minutes.compactMap { minute in
                    let part = Double(minute - minutes.lowerBound) / length
                    return place(from + (to - from) * part)
                        .map { WaySketch.Point(at: Book.at(minute), coordinate: $0) }
                }
            )
        }
        return BookedTrip(trip)
    }
}
