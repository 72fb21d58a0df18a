import DriveSimulation
import Proofs
import TestSupport
import Testing

@testable import EventStore

/// A log that shows only its first entries answers as it did when it had no others.
@Suite struct LogPrefixTests {
    /// The answers of a log.
    private struct Answers: Equatable {
        var size: UInt64
        var root: String
        var entries: [[UInt8]] = []
        var backwards: [[UInt8]] = []
        var sources: [SourceState?] = []
        var numbers: [UInt32?] = []
        var ofSources: [Set<UInt64>] = []
        var late: [[UInt64]] = []
        var lastErasure: UInt64?
        var withheld: WithheldEntries?
        var next: [UInt8]?
    }

    private static func answers(_ log: ReadableLog) throws -> Answers {
        let head = try log.head()
        var answers = Answers(size: head.size, root: head.root.description)
        try log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() {
                answers.entries.append([UInt8](copying: entry.bytes))
            }
            return true
        }
        try log.scanBackwards(from: head.size) { block in
            try block.eachEntryReversed { entry, _ in
                answers.backwards.append([UInt8](copying: entry.bytes))
                return true
            }
        }
        for number in UInt32(1)...4 {
            answers.sources.append(try log.source(numbered: number))
            answers.late.append(
                try log.lateEntries(of: number, after: nil, limit: 1_000).map(\.position)
            )
            var positions: Set<UInt64> = []
            try log.scan(source: number, from: 2_000, until: 90_000, upTo: head.size) {
                positions.insert($1)
            }
            answers.ofSources.append(positions)
        }
        answers.numbers = try ["phone", "watch", "logger"].map { try log.number(ofSource: $0) }
        answers.lastErasure = try log.lastErasure()
        answers.withheld = try log.withheldEntries()
        answers.next = try log.withEntry(at: head.size) { [UInt8](copying: $0.bytes) }
        return answers
    }

    @Test(arguments: Seeds.fresh(16))
    func `what was appended later changes no answer`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let log = try TemporaryLog(seed: seed)
        var known: [Answers] = [try Self.answers(log.newest)]
        var recordedAt: Int64 = 2_000
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            let count = Int.random(in: 1...300, using: &random)
            recordedAt += 1_000
            _ = try log.append(
                EventSample.events(count: count, random: &random),
                recordedAt: recordedAt
            )
            known.append(try Self.answers(log.newest))
        }
        for answers in known {
            let prefix = try log.log.snapshot(upTo: answers.size)
            #expect(try Self.answers(prefix.log) == answers, "seed \(seed), size \(answers.size)")
        }
    }

    @Test func `a snapshot ends with its owner, or before`() throws {
        let log = try TemporaryLog(seed: 3)
        var random = SplitMix64(seed: 3)
        _ = try log.append(EventSample.events(count: 9, random: &random), recordedAt: 2_000)
        let size = try log.newest.head().size
        do {
            let first = try log.log.snapshot(upTo: 1)
            #expect(try first.log.head().size == 1)
            let all = try log.log.snapshot()
            #expect(try all.log.head().size == size)
            all.end()
        }
        // A log that is still read cannot be closed.
        try log.reopen()
        #expect(try log.newest.head().size == size)
    }
}
