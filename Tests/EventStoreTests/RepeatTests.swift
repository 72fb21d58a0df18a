import DriveSimulation
import EventStore
import Proofs
import TestSupport
import Testing

/// Events that come again are recognised, and the effort grows with their number, no faster.
///
/// The large cases take seconds of the processor then, and minutes if it grows with the square.
@Suite struct RepeatTests {
    /// Expects that a batch is stored whole and, when it comes again, recognised whole.
    private func expectOneCopy(_ events: [EventSample], after first: [EventSample] = []) throws {
        let time = try ThreadTime.spent {
            let log = try TemporaryLog(seed: 31)
            _ = try log.append(first, recordedAt: 9_000)
            let result = try log.append(events, recordedAt: 9_000)
            let positions = result.outcomes.compactMap { outcome in
                if case .appended(let position) = outcome { position } else { nil }
            }
            #expect(positions.count == events.count)
            let again = try log.append(events, recordedAt: 9_000)
            #expect(again.outcomes == positions.map { .duplicate(of: $0) })
            #expect(again.head == result.head)
            #expect(try log.findings() == [])
        }
        #expect(time < .seconds(60))
    }

    private func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    @Test func `forty thousand events may share an instant`() throws {
        try expectOneCopy(
            (0..<40_000).map { EventSample(source: "phone", occurredAt: 5, payload: bytes($0)) }
        )
    }

    @Test func `twenty thousand late events may say the same under different ids`() throws {
        try expectOneCopy(
            (0..<20_000)
                .map { EventSample(source: "phone", occurredAt: 5, id: "i\($0)", payload: [1]) },
            after: [EventSample(source: "phone", occurredAt: 9, payload: [1])]
        )
    }

    private func fleet(of sourceCount: Int, count: Int) -> [EventSample] {
        (0..<count)
            .map { index in
                EventSample(
                    source: "vehicle \(index % sourceCount)",
                    occurredAt: Int64(index / sourceCount),
                    payload: bytes(index)
                )
            }
    }

    @Test(arguments: [250, 2_000])
    func `a fleet's events may come again in turns`(sourceCount: Int) throws {
        try expectOneCopy(fleet(of: sourceCount, count: 20 * sourceCount + 15_000))
    }

    @Test func `a fleet's events may come again source by source, or latest first`() throws {
        let events = fleet(of: 1_000, count: 40_000)
        let time = try ThreadTime.spent {
            let log = try TemporaryLog(seed: 32)
            let stored = try log.append(events, recordedAt: 9_000)
            let known = zip(events, stored.outcomes)
                .map { event, outcome in
                    if case .appended(let position) = outcome {
                        (event, AppendOutcome.duplicate(of: position))
                    } else {
                        (event, outcome)
                    }
                }
            let bySource = (0..<1_000)
                .flatMap { first in
                    stride(from: first, to: known.count, by: 1_000).map { known[$0] }
                }
            for order in [bySource, known.reversed()] {
                let again = try log.append(order.map(\.0), recordedAt: 9_000)
                #expect(again.outcomes == order.map(\.1))
                #expect(again.head == stored.head)
            }
        }
        #expect(time < .seconds(60))
    }

    @Test(arguments: Seeds.fresh(12))
    func `any part of a log that comes again in any order is recognised`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let log = try TemporaryLog(seed: seed)
        var model = LogModel(size: 1)
        var sent: [EventSample] = []
        for _ in 0..<6 {
            var events = EventSample.events(count: 250, random: &random)
            for _ in 0..<250 {
                guard let known = sent.randomElement(using: &random) else { break }
                events.insert(known, at: .random(in: 0...events.count, using: &random))
            }
            let result = try log.append(events, recordedAt: 9_000)
            #expect(result.outcomes == events.map { model.append($0) }, "seed \(seed)")
            sent += events
        }
        #expect(try log.findings() == [], "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(8))
    func `a source's events between two moments are each found once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let log = try TemporaryLog(seed: seed)
        let events = EventSample.events(count: 1_500, random: &random)
        let result = try log.append(events, recordedAt: 9_000)
        let number = try #require(try log.newest.number(ofSource: "watch"))
        for _ in 0..<40 {
            let moment = try #require(events.randomElement(using: &random)).occurredAt
            let isOpen = Bool.random(using: &random)
            let last =
                isOpen ? .max : try #require(events.randomElement(using: &random)).occurredAt
            let end = UInt64.random(in: 0...result.head.size + 2, using: &random)
            var expected: [UInt64] = []
            for (event, outcome) in zip(events, result.outcomes) {
                if case .appended(let position) = outcome, event.source == "watch",
                    event.occurredAt >= moment, event.occurredAt <= last, position < end
                {
                    expected.append(position)
                }
            }
            var found: [UInt64] = []
            try log.newest.scan(source: number, from: moment, until: last, upTo: end) {
                found.append($1)
            }
            #expect(found.sorted() == expected, "seed \(seed)")
        }
    }
}
