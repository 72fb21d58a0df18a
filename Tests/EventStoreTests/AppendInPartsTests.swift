import DriveSimulation
import EventStore
import TestSupport
import Testing

/// A batch may come in parts, all of them in one transaction.
@Suite struct AppendInPartsTests {
    @Test(arguments: Seeds.fresh(6), [2, 255, 513, 3_000])
    func `a log is the same whether its events come in parts or not`(
        seed: UInt64,
        count: Int
    ) throws {
        var random = SplitMix64(seed: seed)
        let whole = try TemporaryLog(seed: seed)
        let divided = try TemporaryLog(seed: seed)
        for _ in 0..<3 {
            let events = EventSample.events(count: count, random: &random)
            let result = try whole.append(events, recordedAt: 5_000)
            let middle = Int.random(in: 1..<count, using: &random)
            let inParts = try divided.append(
                parts: [Array(events[..<middle]), Array(events[middle...])],
                recordedAt: 5_000
            )
            #expect(inParts.outcomes == result.outcomes, "seed \(seed)")
            #expect(inParts.head == result.head, "seed \(seed)")
        }
        #expect(try divided.findings() == [], "seed \(seed)")
    }

    @Test func `what fails halfway leaves no trace, and the next batch goes on`() throws {
        struct Failure: Error {}
        var random = SplitMix64(seed: 1)
        let log = try TemporaryLog(seed: 1)
        let head = try log.newest.head()
        let events = EventSample.events(count: 2_000, random: &random)
        #expect(throws: Failure.self) {
            try log.append(parts: [events], recordedAt: 5_000) { throw Failure() }
        }
        #expect(try log.newest.head() == head)
        _ = try log.append(parts: [events], recordedAt: 5_000)
        #expect(try log.findings() == [])
    }

    @Test func `events are handed over again when the map has to grow`() throws {
        let log = try TemporaryLog(seed: 1)
        let events = (0..<1_200)
            .map { index in
                EventSample(
                    source: "phone",
                    occurredAt: Int64(index),
                    payload: Array(repeating: 7, count: 60_000)
                )
            }
        // 72 MB, and the map begins with 64 MiB.
        let result = try log.append(parts: [events], recordedAt: 5_000)
        #expect(result.outcomes == (0..<1_200).map { .appended(position: $0 + 2) })
        #expect(try log.findings() == [])
    }
}
