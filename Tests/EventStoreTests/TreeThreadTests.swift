import DriveSimulation
import EventStore
import LedgerTestSupport
import Testing

/// A large batch is hashed on a thread of its own, which nobody may notice.
@Suite struct TreeThreadTests {
    @Test(arguments: Seeds.fresh(6), [1, 255, 511, 513, 3_000])
    func `a log is the same whether a thread hashes it or not`(seed: UInt64, count: Int) throws {
        var random = SplitMix64(seed: seed)
        let alone = try TemporaryLog(seed: seed)
        let helped = try TemporaryLog(seed: seed)
        for _ in 0..<3 {
            let events = EventSample.events(count: count, random: &random)
            let result = try alone.append(events, recordedAt: 5_000, mayUseThread: false)
            #expect(
                try helped.append(events, recordedAt: 5_000, mayUseThread: true).head
                    == result.head,
                "seed \(seed)"
            )
            #expect(try helped.log.head() == result.head, "seed \(seed)")
        }
        #expect(try helped.findings() == [], "seed \(seed)")
    }

    @Test func `what fails halfway leaves no trace, and the next batch goes on`() throws {
        struct Failure: Error {}
        var random = SplitMix64(seed: 1)
        let log = try TemporaryLog(seed: 1)
        let head = try log.log.head()
        let events = EventSample.events(count: 2_000, random: &random)
        #expect(throws: Failure.self) {
            try log.append(events, recordedAt: 5_000, mayUseThread: true) { throw Failure() }
        }
        #expect(try log.log.head() == head)
        _ = try log.append(events, recordedAt: 5_000, mayUseThread: true)
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
        let result = try log.append(events, recordedAt: 5_000, mayUseThread: true)
        #expect(result.outcomes == (0..<1_200).map { .appended(position: $0 + 2) })
        #expect(try log.findings() == [])
    }
}
