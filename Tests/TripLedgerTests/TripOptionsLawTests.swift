import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// The options of a trip are exactly the decisions that succeed.
@Suite struct TripOptionsLawTests {
    @Test(arguments: Seeds.fresh(8))
    func `what is offered is accepted, and what is refused is refused in the same words`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        try book.append(try Arrival.events(seed: seed))
        for _ in 0..<(Seeds.isThorough ? 60 : 15) {
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let trips = try book.ledger.reading(asOf: book.now) {
                try $0.trips(TripFilter(includesUncounted: true))
            }
            guard let row = trips.randomElement(using: &random) else { return }
            let (options, decision, refusal) = try Self.pick(row.trip.id, book, &random)
            guard let decision else { continue }
            let comment: Comment = "seed \(seed), \(decision) of \(options.booked)"
            do {
                let outcome = try book.ledger.decide(decision, now: EventTime(book.now))
                #expect(refusal == nil, comment)
                #expect(outcome.receipt.isStored, comment)
                let identity = try Self.identity(outcome, in: book)
                #expect(
                    try !book.ledger.decisionsWithoutEffect()
                        .contains { $0.decision.order.identity == identity },
                    comment
                )
            } catch let error as LedgerError {
                #expect(error == refusal, comment)
            }
        }
        try expectSound(book.ledger, "seed \(seed)")
    }

    /// Asks what can be decided about a trip, and takes one thing of that, with why it would be
    /// refused.
    private static func pick(
        _ trip: TripID,
        _ book: TemporaryLedger,
        _ random: inout SplitMix64
    ) throws -> (options: TripOptions, decision: LedgerDecision?, refusal: LedgerError?) {
        let reference = TripReference.named(trip)
        let options = try book.ledger.reading(asOf: book.now) {
            try $0.options(of: reference, now: book.now, for: nil)
        }
        let decision: LedgerDecision?
        var refusal: LedgerError?
        switch Int.random(in: 0..<7, using: &random) {
        case 0: decision = .void(reference, why: "no trip")
        case 1: decision = options.booked.isRestorable ? .restore(reference) : nil
        case 2, 3:
            let isLater = Bool.random(using: &random)
            let neighbour = isLater ? options.next : options.previous
            refusal = neighbour?.refusal
            decision = neighbour.map { .merge([.named($0.booked.id), reference]) }
        case 4, 5:
            refusal = options.split.refusal
            // If it can be split at no time, the words name the requested time.
            let asked = options.booked.trip.startedAt.told(by: book.ledger.clock)
            let time = options.split.times.map { Self.time(in: $0, &random) }
            decision = .split(reference, at: .instant(time ?? asked))
        default:
            refusal = options.exclusion.refusal
            let start = options.booked.trip.startedAt
            let later = EventTime(
                start.timestamp.advanced(byMilliseconds: 172_800_000),
                utcOffset: start.utcOffset
            )
            let times = options.exclusion.times ?? (after: start, until: later)
            decision = .exclude(
                reference,
                from: .instant(times.after),
                to: .instant(times.until),
                why: "ferry"
            )
        }
        return (options, decision, refusal)
    }

    /// Returns a time of a span, often one of its ends.
    private static func time(
        in span: (after: EventTime, until: EventTime),
        _ random: inout SplitMix64
    ) -> EventTime {
        let (after, until) = (span.after.timestamp, span.until.timestamp)
        let length = until.milliseconds(since: after)
        let offset = [1, length, Int64.random(in: 1...length, using: &random)]
            .randomElement(using: &random)
        return EventTime(
            after.advanced(byMilliseconds: offset ?? length),
            utcOffset: span.until.utcOffset
        )
    }

    private static func identity(
        _ outcome: DecisionOutcome,
        in book: TemporaryLedger
    ) throws -> IdentityDigest? {
        guard let position = outcome.receipt.storedPosition else { return nil }
        return try book.ledger.log.storedEvent(at: position)?.identity
    }
}
