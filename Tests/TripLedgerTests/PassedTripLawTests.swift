import DriveSimulation
import EventStore
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// A trip that is computed without decoding its events says of them what an explanation says, and
/// what is kept of it is what comes out.
@Suite struct PassedTripLawTests {
    @Test(arguments: Seeds.fresh(8))
    func `a trip says of its events what its explanation says`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        try book.ledger.reading { snapshot in
            for row in try snapshot.trips(TripFilter(includesUncounted: true))
            where row.booked.parts.isEmpty && row.trip.startedBy != .report {
                let comment: Comment = "seed \(seed), trip \(row.trip.id)"
                var explainer = TripExplainer(snapshot.trackers(), upTo: snapshot.head.size)
                let explained = try #require(try explainer.explain(row.trip), comment)
                let passed = try #require(try explainer.pass(row.trip), comment)
                #expect(passed.trip == explained.trip, comment)
                #expect(passed.movedOnAt == explained.movedOnAt, comment)
                let events = explained.events
                let positions = events.map(\.stored.position)
                #expect(passed.events.map(\.position) == positions, comment)
                #expect(passed.events.map(\.happenedAt) == events.map(\.stored.happenedAt), comment)
                #expect(passed.events.map(\.verdict) == events.map(\.verdict), comment)
                #expect(passed.events.map(\.adds) == events.map { $0.added > .zero }, comment)
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `a trip is made of the fixes of its source while it lasted`(seed: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        try book.ledger.reading { snapshot in
            for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                guard row.booked.parts.isEmpty, row.trip.startedBy != .report,
                    let end = row.trip.endedAt?.timestamp
                else { continue }
                let comment: Comment = "seed \(seed), trip \(row.trip.id)"
                var explainer = TripExplainer(snapshot.trackers(), upTo: snapshot.head.size)
                let number = try snapshot.log.number(ofSource: row.trip.source)
                let fixes = try explainer.fixes(
                    of: try #require(number, comment),
                    in: row.trip.startedAt.timestamp...end
                )
                var found: [UInt64] = []
                try explainer.forEachEvidence(of: row.trip) { position, _ in
                    found.append(position)
                }
                #expect(found == fixes.map(\.stored.position), comment)
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `whether a trip can be split is the same from every tracker on its way`(
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        try book.ledger.reading { snapshot in
            for row in try snapshot.trips(TripFilter(includesUncounted: true))
            where row.booked.parts.isEmpty && row.trip.startedBy != .report {
                var explainer = TripExplainer(snapshot.trackers(), upTo: snapshot.head.size)
                let whole = try #require(try explainer.course(of: row.trip))
                explainer.trackerInterval = 3
                let passed = try #require(try explainer.pass(row.trip))
                for index in stride(from: 0, to: passed.events.count, by: 5) {
                    let event = passed.events[index]
                    let expected = try explainer.canDivide(whole, at: event.happenedAt)
                    let found = try explainer.canDivide(passed.course, at: event.happenedAt)
                    #expect(found == expected, "seed \(seed), position \(event.position)")
                }
            }
        }
    }

    /// What is told by looking at every fix of a trip.
    private struct Told: Hashable {
        /// A point of its way.
        struct Point: Hashable {
            var position: UInt64
            var happenedAt: Timestamp
            var isAfterBreak: Bool
        }

        var points: [Point]
        var spans: [EventTime?] = []

        init(_ row: TripRow, in snapshot: borrowing Snapshot) throws {
            points = try snapshot.way(of: row.trip.id).points
                .map { point in
                    Point(
                        position: point.position,
                        happenedAt: point.happenedAt,
                        isAfterBreak: point.isAfterBreak
                    )
                }
            guard row.booked.parts.isEmpty, row.trip.startedBy != .report else { return }
            let told = try snapshot.spans(of: row.trip.id)
            spans = [told.split?.after, told.split?.until]
            spans += [told.exclusion?.after, told.exclusion?.until]
        }
    }

    /// What was told of trips, with what that follows from.
    private struct Kept {
        private var known: [TripID: (basis: TripBasis, told: Told)] = [:]

        /// Compares what is confirmed with what comes out now, and keeps that.
        mutating func check(_ book: TemporaryLedger, _ comment: Comment) throws {
            var known = known
            try book.ledger.reading { snapshot in
                for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                    let trip = row.trip.id
                    if let earlier = known[trip],
                        let basis = try snapshot.confirming(earlier.basis, of: trip)
                    {
                        let told = try Told(row, in: snapshot)
                        #expect(told == earlier.told, comment)
                        known[trip] = (basis, told)
                    } else if let basis = try snapshot.basis(of: trip, fewestFixes: 0) {
                        known[trip] = (basis, try Told(row, in: snapshot))
                    } else {
                        known[trip] = nil
                    }
                }
            }
            self.known = known
        }
    }

    @Test(arguments: Seeds.fresh(6))
    func `what is confirmed of a trip is what comes out, however events arrive`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        let arrival = Arrival.allCases.randomElement(using: &random) ?? .inOrder
        let events = arrival.order(try Arrival.events(seed: seed), using: &random)
        var rest = events[...]
        var kept = Kept()
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(2, events.count / 5), using: &random)
            try book.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            try kept.check(book, "seed \(seed), \(arrival), \(rest.count) events to come")
        }
        try book.eraseSome(using: &random)
        try kept.check(book, "seed \(seed), \(arrival), after an erasure")
    }

    /// The drives of the van, and what was told of the first one, which is over.
    private static func drives() throws -> (TemporaryLedger, events: [TripEvent], TripID) {
        let book = try TemporaryLedger()
        let events = Array(
            DriveSimulator.drives(seed: 7, count: 3, fixesPerDrive: 60...60, source: "van")
        )
        try book.append(events)
        let first = try #require(try book.ledger.trips(TripFilter(isOldestFirst: true)).first)
        return (book, events, first.trip.id)
    }

    /// Returns whether what was told of a trip is confirmed after something was appended.
    private static func isConfirmed(
        _ trip: TripID,
        _ book: TemporaryLedger,
        after append: () throws -> Void
    ) throws -> Bool {
        let basis = try book.ledger.reading { try $0.basis(of: trip, fewestFixes: 0) }
        let kept = try #require(basis)
        try append()
        return try book.ledger.reading { try $0.confirming(kept, of: trip) != nil }
    }

    @Test func `what happens after a trip, or elsewhere, or in its details leaves it confirmed`()
        throws
    {
        let (book, events, trip) = try Self.drives()
        let others = DriveSimulator.drives(seed: 8, count: 2, fixesPerDrive: 30...30, source: "bus")
        let later = try #require(events.last).occurredAt.advanced(byMilliseconds: 3_600_000)
        let goOn = DriveSimulator.drives(
            seed: 9,
            count: 1,
            fixesPerDrive: 30...30,
            source: "van",
            startingAt: later
        )
        for part in [Array(others), Array(goOn)] {
            #expect(try Self.isConfirmed(trip, book) { try book.append(part) })
        }
        let edit = LedgerDecision.void(.named(trip), why: "no trip")
        let isConfirmed = try Self.isConfirmed(trip, book) {
            _ = try book.ledger.decide(edit, now: EventTime(book.now))
        }
        #expect(isConfirmed)
    }

    @Test func `a late fix and a split are looked at again`() throws {
        let (book, events, trip) = try Self.drives()
        var late = events[30]
        late.occurredAt = late.occurredAt.advanced(byMilliseconds: 1)
        #expect(try !Self.isConfirmed(trip, book) { try book.append([late]) })
        let times = try book.ledger.reading { try $0.spans(of: trip) }.split
        let split = LedgerDecision.split(.named(trip), at: .instant(try #require(times).until))
        let isConfirmed = try Self.isConfirmed(trip, book) {
            _ = try book.ledger.decide(split, now: EventTime(book.now))
        }
        #expect(!isConfirmed)
    }

    @Test func `an erasure is looked at again`() throws {
        let (book, _, trip) = try Self.drives()
        var random = SplitMix64(seed: 1)
        #expect(try !Self.isConfirmed(trip, book) { try book.eraseSome(using: &random) })
    }
}
