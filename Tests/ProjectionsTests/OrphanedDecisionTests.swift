import Projections
import Testing
import TripEvents
import TripTracking

/// Decisions about trips whose ids have gone.
@Suite struct OrphanedDecisionTests {
    private func edit(_ number: UInt64, startedAt minute: Int64?) -> EventBody {
        .detailsEdited(
            DetailsEdited(
                trip: Book.id(number),
                tripStartedAt: minute.map { EventTime(Book.at($0)) },
                purpose: .set("roof")
            )
        )
    }

    @Test func `an edit whose trip has gone is taken over and goes back`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.decide(edit(1, startedAt: 0), at: 100)
        #expect(book.trip(1)?.details.purpose == "roof")

        try book.withdraw(1)
        #expect(try book.orphans.map(\.trip) == [Book.id(1)])

        try book.measure(Book.trip(2, -5...10))
        #expect(try book.orphans == [])
        #expect(book.trip(2)?.details.purpose == "roof")
        #expect(try book.history(Book.id(2)) == ["purpose: – → roof"])
        #expect(try book.amendments(2).map(\.trip) == [Book.id(1)])

        try book.measure(Book.trip(1, 0...10))
        #expect(book.trip(2)?.details.purpose == nil)
        #expect(book.trip(1)?.details.purpose == "roof")
        #expect(try book.orphans == [])
    }

    @Test(
        arguments: [
            (0, 1), (10, 1), (11, nil), (-1, nil), (20, 2), (25, 3), (30, 3), (41, 2), (50, 2),
            (nil, nil),
        ] as [(Int64?, UInt64?)]
    )
    func `of the trips under way the one that started last takes over`(
        minute: Int64?,
        host: UInt64?
    ) throws {
        var book = Book()
        try book.decide(edit(9, startedAt: minute), at: 100)
        try book.measure(Book.trip(2, 20...50))
        try book.measure(Book.trip(3, 25...40))
        try book.measure(Book.trip(1, 0...10))
        let takers = book.trips.values.filter { $0.details.purpose != nil }.map(\.id)
        #expect(takers == host.map { [Book.id($0)] } ?? [])
        #expect(try book.orphans.isEmpty == (host != nil))
    }

    @Test func `a trip that becomes shorter gives what it took over to another`() throws {
        var book = Book()
        try book.measure(Book.trip(2, 20...50))
        try book.measure(Book.trip(3, 0...60))
        try book.decide(edit(9, startedAt: 45), at: 100)
        #expect(book.trip(2)?.details.purpose == "roof")
        try book.measure(Book.trip(2, 20...40))
        #expect(book.trip(2)?.details.purpose == nil)
        #expect(book.trip(3)?.details.purpose == "roof")
    }

    @Test func `an active trip takes over, but not for longer than two days`() throws {
        var book = Book()
        var active = Book.trip(1, 0...10)
        active.status = .active
        active.endedAt = nil
        try book.measure(active)
        try book.decide(edit(8, startedAt: 2 * 1_440), at: 20_000)
        #expect(book.trip(1)?.details.purpose == "roof")
        try book.decide(edit(9, startedAt: 2 * 1_440 + 1), at: 20_000)
        #expect(try book.orphans.map(\.trip) == [Book.id(9)])
    }

    /// Both cut a trip while it is measured, and trackers know a trip by its own id.
    @Test func `splits and exclusions of a trip that has gone are to be decided again`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        let start = EventTime(Book.at(0))
        func exclude(_ number: UInt64, _ minutes: ClosedRange<Int64>) -> EventBody {
            .stretchExcluded(
                StretchExcluded(
                    trip: Book.id(number),
                    tripStartedAt: start,
                    from: EventTime(Book.at(minutes.lowerBound)),
                    to: EventTime(Book.at(minutes.upperBound)),
                    why: "the ferry"
                )
            )
        }
        try book.decide(exclude(1, 3...5), at: 100)
        let split = TripSplit(
            trip: Book.id(1),
            tripStartedAt: start,
            splitAt: EventTime(Book.at(6), utcOffset: nil)
        )
        try book.decide(.tripSplit(split), at: 110)
        try book.withdraw(1)
        try book.measure(Book.trip(2, -5...10))

        let lost = try book.withoutEffect
        #expect(lost.map(\.trip) == [Book.id(2), Book.id(2)])
        #expect(lost.allSatisfy { $0.obstacle == .hasTakenPlace(of: Book.id(1)) })
        let short = Book.id(2).description.prefix(8)
        let (from, to, at) = (Book.at(3), Book.at(5), Book.at(6))
        #expect(
            Set(lost.map(\.command)) == [
                "ledger exclude \(short) --from \(RFC3339.text(from)) --to \(RFC3339.text(to))"
                    + " --why 'the ferry'",
                "ledger split \(short) --at \(RFC3339.text(at))",
            ]
        )
        // What was taken back is not asked for again.
        var restored = book
        try restored.decide(
            .tripRestored(TripRestored(trip: Book.id(1), tripStartedAt: start)),
            at: 115
        )
        #expect(try restored.withoutEffect.isEmpty)
        // A shorter stretch is not the same again, a longer one is.
        func isFirstListed() throws -> Bool {
            try book.withoutEffect.contains { $0.decision.order.occurredAt == Book.at(100) }
        }
        try book.decide(exclude(2, 3...4), at: 120)
        #expect(try isFirstListed())
        try book.decide(exclude(2, 2...5), at: 130)
        #expect(try !isFirstListed())
    }

    @Test func `a merge of a trip that has gone is an orphan and waits for it`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.decide(.tripsMerged(TripsMerged(trips: [Book.id(1), Book.id(2)])), at: 100)
        #expect(book.trip(1)?.parts == [])
        #expect(try book.orphans.map(\.trip) == [Book.id(2)])
        try book.measure(Book.trip(2, 20...50))
        #expect(book.trip(1)?.shownTrips == [Book.id(1), Book.id(2)])
        #expect(try book.orphans == [])
    }
}
