import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripsProjection

/// Several decisions that are stored together.
@Suite struct BatchDecisionTests {
    private static let now = EventTime(Timestamp(milliseconds: 1_760_000_000_000))

    /// After all decisions of random books.
    private static let later = Timestamp(milliseconds: 1_900_000_000_000)

    private func book() throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        for number in 0..<6 {
            let scenario = Scenario.allCases[number % Scenario.allCases.count]
            try book.append(
                DriveSimulator.events(of: scenario, seed: 1, source: "phone \(number)")
            )
        }
        return book
    }

    /// Returns something to decide about each of some trips.
    private func decisions(
        about trips: [TripID],
        _ random: inout SplitMix64
    ) -> [LedgerDecision] {
        trips.map { trip in
            let reference = TripReference.prefix(trip.description)
            var edit = TripEdit()
            edit.purpose = .set("Purpose \(UInt8.random(in: 0...9, using: &random))")
            edit.tripClass = .set(TripClass.allCases.randomElement(using: &random) ?? .business)
            return switch Int.random(in: 0..<4, using: &random) {
            case 0: .void(reference, why: "Test")
            case 1: .restore(reference)
            default: .edit(reference, edit)
            }
        }
    }

    /// Returns the content of the trips, without the times of storing.
    private func figures(_ ledger: Ledger) throws -> [String] {
        try ledger.read { snapshot in
            try snapshot.trips(TripFilter(includesUncounted: true))
                .map { row in
                    let booked = row.booked
                    return
                        "\(booked.id) \(booked.status) \(booked.claimedDistance) \(booked.details)"
                }
        }
    }

    @Test(arguments: Seeds.fresh(12))
    func `decisions together do what they do one after the other`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (together, apart) = (try book(), try book())
        for round in 0..<3 {
            let trips = try together.ledger.read { snapshot in
                try snapshot.trips(TripFilter(includesUncounted: true)).map(\.booked.id)
            }
            let decisions = decisions(about: trips, &random)
            let now = Self.now.timestamp.advanced(byMilliseconds: Int64(round) * 60_000)
            let batch = try together.ledger.decide(decisions, by: "Eva", now: EventTime(now))
            let single = try decisions.enumerated()
                .map { number, decision in
                    try apart.ledger.decide(
                        decision,
                        by: "Eva",
                        now: EventTime(now.advanced(byMilliseconds: Int64(number)))
                    )
                }
            #expect(batch.map(\.changes) == single.map(\.changes), "seed \(seed)")
            #expect(batch.map(\.receipt) == single.map(\.receipt), "seed \(seed)")
            #expect(try figures(together.ledger) == figures(apart.ledger), "seed \(seed)")
        }
        try expectSound(together.ledger)
    }

    @Test func `of two about one trip the later one of the list counts`() throws {
        let book = try book()
        let classes: [TripClass] = [.personal, .business]
        for round in 0..<24 {
            var edits = classes.map { tripClass in
                var edit = TripEdit()
                edit.tripClass = .set(tripClass)
                return LedgerDecision.edit(.last, edit)
            }
            if !round.isMultiple(of: 2) { edits.reverse() }
            let (void, restore) = (
                LedgerDecision.void(.last, why: "Test"), LedgerDecision.restore(.last)
            )
            let now = Self.now.timestamp.advanced(byMilliseconds: Int64(round) * 1_000)
            _ = try book.ledger.decide(edits + [void, restore], now: EventTime(now))
            let trip = try book.ledger.read { try $0.trip(.last).booked }
            #expect(trip.tripClass == classes[round.isMultiple(of: 2) ? 1 : 0], "\(round)")
            #expect(trip.counts, "\(round)")
        }
        try expectSound(book.ledger)
    }

    @Test func `one that may not be decided holds the others back`() throws {
        let book = try book()
        let size = try book.ledger.read { $0.head.size }
        var edit = TripEdit()
        var fields = CustomFields()
        fields["nothing"] = .text("defines it")
        edit.fields = fields
        let outcomes = try book.ledger.decide(
            [.void(.last, why: "Test"), .edit(.last, edit)],
            now: Self.now
        )
        #expect(outcomes.count == 2)
        #expect(outcomes[0].receipt == .heldBack)
        guard case .rejected = outcomes[1].receipt else {
            Issue.record("\(outcomes[1].receipt) is no rejection")
            return
        }
        #expect(throws: LedgerError.self) {
            try book.ledger.decide(
                [.void(.last, why: "Test"), .void(.prefix("ffff"), why: "")],
                now: Self.now
            )
        }
        #expect(try book.ledger.read { $0.head.size } == size)
        try expectSound(book.ledger)
    }

    @Test(arguments: Seeds.fresh(4))
    func `what can be restored is what restoring changes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        let trips = try book.ledger.read { snapshot in
            try snapshot.trips(TripFilter(includesUncounted: true)).map(\.booked)
        }
        var changed = 0
        for (number, trip) in trips.shuffled(using: &random).prefix(16).enumerated() {
            let now = try book.ledger.read { snapshot in
                try? snapshot.trip(.prefix(trip.id.description)).booked
            }
            // It has gone with the restoring of another one, or stands in for none.
            guard let now, now.status != .merged, now.trip.startedBy != .split else { continue }
            // If two are at one instant, the second may come first in event order, and be the one
            // that undoes something.
            let outcome = try book.ledger.decide(
                .restore(.prefix(trip.id.description)),
                now: EventTime(Self.later.advanced(byMilliseconds: Int64(number)))
            )
            let undone = outcome.changes.filter { change in
                switch change.field {
                case "distance_m": now.adjusted != nil
                // A decision without effect is taken back too, and shows in the history alone.
                case "merged": now.flags.contains(.merged)
                case "excluded": now.flags.contains(.excluded)
                case "split_at": now.flags.contains(.split)
                default: true
                }
            }
            #expect(
                now.isRestorable == !undone.isEmpty,
                "seed \(seed), \(trip.id) \(now.status) \(now.flagNames): \(outcome.changes)"
            )
            if !undone.isEmpty { changed += 1 }
        }
        #expect(changed > 0, "seed \(seed)")
        try expectSound(book.ledger)
    }
}
