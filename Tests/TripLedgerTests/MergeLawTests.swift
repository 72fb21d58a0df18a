import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripLedger

/// Merging trips says that they are one drive, and nothing about others.
@Suite struct MergeLawTests {
    private static let vehicles: [String?] = ["van", "car", nil]

    /// Reports of drives of which no two were under way at the same time.
    private static func reports(_ random: inout SplitMix64) throws -> [TripEvent] {
        try (0..<Int.random(in: 3...9, using: &random))
            .map { number in
                let start = Timestamp(
                    milliseconds: 1_800_000_000_000 + Int64(number) * 3_600_000
                )
                let minutes = Int64.random(in: 5...60, using: &random)
                let kilometers = Int64.random(in: 1...40, using: &random)
                let report = TripReported(
                    startedAt: EventTime(start),
                    endedAt: EventTime(start.advanced(byMilliseconds: minutes * 60_000)),
                    distanceMeters: ExactDecimal(integerLiteral: kilometers * 1_000),
                    details: TripDetails(
                        vehicle: try #require(vehicles.randomElement(using: &random))
                    )
                )
                return TripEvent(source: "manual", occurredAt: start, body: .tripReported(report))
            }
    }

    private static func distance(_ book: TemporaryLedger) throws -> Distance {
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        return try book.ledger.totals(by: .day, in: period).total.distance
    }

    @Test(arguments: Seeds.fresh(40))
    func `merging and restoring drives that do not overlap leaves their sum`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.append(try Self.reports(&random))
        let sum = try Self.distance(book)
        var merges = 0
        for number in 0..<12 {
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let trips = try book.ledger.trips(TripFilter(includesUncounted: true))
            let named = trips.shuffled(using: &random).prefix(3).map(\.trip.id)
            let decision: LedgerDecision =
                Bool.random(using: &random)
                ? .merge(named.prefix(2).map { .named($0) })
                : .restore(.named(try #require(named.first)))
            let outcome = Result { try book.ledger.decide(decision, now: EventTime(book.now)) }
            switch outcome {
            case .success(let outcome):
                if case .tripsMerged = outcome.event.body { merges += 1 }
            case .failure(let error):
                // A trip of another vehicle, or one that is a part already.
                #expect((error as? LedgerError)?.code == .notMergeable, "seed \(seed), \(number)")
                continue
            }
            let comment: Comment = "seed \(seed), \(number), \(decision)"
            #expect(try Self.distance(book) == sum, comment)
            let overlaps = try book.ledger.read { snapshot in
                try snapshot.relateTrips(into: ()) { _, _ in }.1
            }
            #expect(overlaps.isEmpty, comment)
        }
        try expectSound(book.ledger, "seed \(seed), \(merges) merges")
    }

    private static func decision(
        about trips: [TripID],
        _ random: inout SplitMix64
    ) throws -> LedgerDecision {
        let named = trips.shuffled(using: &random).map { TripReference.named($0) }
        let trip = try #require(named.first)
        let meters = Int64.random(in: 1...50, using: &random) * 1_000
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: .void(trip, why: "Ferry")
        case 1:
            .adjust(trip, distanceMeters: ExactDecimal(integerLiteral: meters), why: "Odometer")
        case 2, 3: .restore(trip)
        default: .merge(Array(named.prefix(2)))
        }
    }

    @Test(arguments: Seeds.fresh(24))
    func `in the audit trail, each figure of a trip goes on from what it was`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.append(try Self.reports(&random))
        let trips = try book.ledger.trips(TripFilter(includesUncounted: true)).map(\.trip.id)
        for _ in 0..<24 {
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let decision = try Self.decision(about: trips, &random)
            // Some cannot be merged.
            _ = try? book.ledger.decide(decision, now: EventTime(book.now))
        }
        try book.ledger.read { snapshot in
            var last: [String: CustomValue] = [:]
            for line in try snapshot.auditTrail() where line.withoutEffect == nil {
                guard let trip = line.trip, ["status", "distance_m"].contains(line.change.field)
                else { continue }
                let figure = "\(trip) \(line.change.field)"
                let comment: Comment = "seed \(seed), \(figure) at \(line.occurredAt.timestamp)"
                if let before = last[figure] { #expect(before == line.change.old, comment) }
                last[figure] = line.change.new
            }
            // A part has its own distance; what counts is that of the whole.
            for row in try snapshot.trips(TripFilter(includesUncounted: true)) {
                guard let told = last["\(row.trip.id) status"] else { continue }
                #expect(told == .text(row.booked.status.rawValue), "seed \(seed), \(row.trip.id)")
            }
        }
    }
}
