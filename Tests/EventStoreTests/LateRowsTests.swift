import DriveSimulation
import EventStore
import TestSupport
import Testing

/// Rows of late events do not depend on the transactions that their events come in.
@Suite struct LateRowsTests {
    private static let sources = ["phone", "watch", "logger"]

    /// Returns events that are older than others, each source's mostly in their own order, some of
    /// them at the same instant, out of order or repeated.
    private func lateEvents(using random: inout SplitMix64) -> [EventSample] {
        var events: [EventSample] = []
        var clock: Int64 = 0
        var source = "phone"
        for _ in 0..<4_000 {
            if Int.random(in: 0..<100, using: &random) == 0 {
                source = Self.sources.randomElement(using: &random) ?? source
            }
            if Int.random(in: 0..<50, using: &random) == 0, let known = events.last {
                events.append(known)
            }
            if Int.random(in: 0..<50, using: &random) > 0 { clock += 10 }
            let isBehind = Int.random(in: 0..<50, using: &random) == 0
            events.append(
                EventSample(
                    source: source,
                    occurredAt: isBehind ? clock - .random(in: 0...3_000, using: &random) : clock,
                    payload: [.random(in: 0...3, using: &random)]
                )
            )
        }
        return events
    }

    @Test(arguments: Seeds.fresh(8))
    func `late events have the same rows in however many batches they come`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let first = Self.sources.map { EventSample(source: $0, occurredAt: 100_000, payload: [9]) }
        let late = lateEvents(using: &random)
        let together = try TemporaryLog(seed: seed)
        let divided = try TemporaryLog(seed: seed)
        var model = LogModel(size: 1)
        for event in first { _ = model.append(event) }
        let expected = late.map { model.append($0) }
        _ = try together.append(first, recordedAt: 9_000)
        _ = try divided.append(first, recordedAt: 9_000)
        #expect(
            try together.append(late, recordedAt: 9_000).outcomes == expected,
            "seed \(seed)"
        )
        var outcomes: [AppendOutcome] = []
        var rest = late[...]
        while !rest.isEmpty {
            let batch = rest.prefix(.random(in: 1...80, using: &random))
            rest = rest.dropFirst(batch.count)
            outcomes += try divided.append(Array(batch), recordedAt: 9_000).outcomes
        }
        #expect(outcomes == expected, "seed \(seed)")
        #expect(try together.findings() == [], "seed \(seed)")
        #expect(try divided.findings() == [], "seed \(seed)")
        together.log.close()
        divided.log.close()
        for table in ["late", "times", "sources"] {
            #expect(try together.rows(table) == divided.rows(table), "seed \(seed), \(table)")
        }
    }
}
