import DriveSimulation
import EventStore
import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing

/// Erased entries are gone, and everything that was proven before still is.
@Suite struct ErasureTests {
    private func log(
        seed: UInt64,
        count: Int = 600
    ) throws -> (log: TemporaryLog, events: [EventSample], random: SplitMix64) {
        var random = SplitMix64(seed: seed)
        let log = try TemporaryLog(seed: seed)
        let events = EventSample.events(count: count, random: &random)
        _ = try log.append(events, recordedAt: 5_000)
        return (log, events, random)
    }

    @Test(arguments: Seeds.fresh(20))
    func `every older root holds, and so does the audit`(seed: UInt64) throws {
        var (log, events, random) = try log(seed: seed)
        for round in 0..<3 {
            let before = try log.newest.head()
            let leaves = try log.leaves()
            let candidates = try log.erasablePositions()
            var part = RangeSet<UInt64>()
            for position in candidates where Int.random(in: 0..<4, using: &random) == 0 {
                part.insert(contentsOf: position..<position + 1)
            }
            guard !part.isEmpty else { continue }
            let head = try log.erase([part], recordedAt: 6_000 + Int64(round))
            #expect(head.size == before.size + 1, "seed \(seed)")
            #expect(try Array(log.leaves().prefix(leaves.count)) == leaves, "seed \(seed)")
            #expect(try log.findings() == [], "seed \(seed)")
            let again = try log.append(events, recordedAt: 7_000)
            #expect(again.head == head, "what was erased came back, seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(5))
    func `a source that lost everything can go on`(seed: UInt64) throws {
        let (log, _, _) = try log(seed: seed)
        let all = RangeSet(try log.erasablePositions().map { $0..<$0 + 1 })
        _ = try log.erase([all], recordedAt: 6_000)
        #expect(try log.findings() == [], "seed \(seed)")
        let event = EventSample(source: "phone", occurredAt: 1, payload: [9, 9])
        let result = try log.append([event], recordedAt: 7_000)
        #expect(result.outcomes == [.appended(position: result.head.size - 1)])
        #expect(try log.findings() == [], "seed \(seed)")
    }

    @Test func `a full block of the shortest entries grows into two`() throws {
        let log = try TemporaryLog(seed: 1)
        let events = (0..<400)
            .map { EventSample(source: "phone", occurredAt: Int64($0), payload: []) }
        _ = try log.append(events, recordedAt: 5_000)
        let before = try log.leaves()
        let all = RangeSet(try log.erasablePositions().map { $0..<$0 + 1 })
        _ = try log.erase([all], recordedAt: 6_000)
        #expect(try Array(log.leaves().dropLast()) == before)
        #expect(try log.findings() == [])
        _ = try log.append(
            [EventSample(source: "phone", occurredAt: 7, payload: [1])],
            recordedAt: 7_000
        )
        #expect(try log.findings() == [])
    }

    @Test func `no byte of what was erased is left in the file`() throws {
        let log = try TemporaryLog(seed: 2)
        let secret = Array("a secret nobody may read again".utf8)
        let events = (0..<300)
            .map { index in
                let late: Int64 = index % 7 == 0 ? 5_000 : 0
                return EventSample(
                    source: "phone",
                    occurredAt: Int64(index) * 1_000 - late,
                    id: index % 3 == 0 ? "secret-name-\(index)" : nil,
                    payload: secret + [UInt8(index % 256)]
                )
            }
        for chunk in stride(from: 0, to: events.count, by: 30) {
            _ = try log.append(Array(events[chunk..<chunk + 30]), recordedAt: 5_000)
        }
        let all = RangeSet(try log.erasablePositions().map { $0..<$0 + 1 })
        let head = try log.erase([all], recordedAt: 6_000)
        #expect(try log.log.needsSweep())
        #expect(try log.log.sweep())
        let file = try Data(contentsOf: URL(fileURLWithPath: log.path.string + "/data.mdb"))
        #expect(file.range(of: Data("secret".utf8)) == nil)
        try log.open()
        #expect(try log.newest.head() == head)
        #expect(try !log.log.needsSweep())
        #expect(try log.findings() == [])
        let again = try log.append(events, recordedAt: 7_000)
        #expect(again.head == head)
    }

    @Test func `a sweep that was cut off when the old file was to be deleted is finished`() throws {
        let (log, _, _) = try log(seed: 4)
        let position = try #require(log.erasablePositions().first)
        _ = try log.erase([RangeSet([position..<position + 1])], recordedAt: 6_000)
        #expect(try log.log.sweep())
        let old = log.path.string + ".rewritten"
        try FileManager.default.copyItem(atPath: log.path.string, toPath: old)
        try log.open()
        #expect(try log.log.needsSweep())
        #expect(try log.log.sweep())
        #expect(!FileManager.default.fileExists(atPath: old))
        try log.open()
        #expect(try !log.log.needsSweep())
        #expect(try log.log.snapshotFindings() == [])
    }

    @Test func `the ledger's own entries, missing ones and erased ones cannot be erased`() throws {
        let (log, _, _) = try log(seed: 3)
        let head = try log.newest.head()
        let position = try #require(log.erasablePositions().first)
        for bad in [0, 1, head.size] {
            #expect(throws: EventLogError.notErasable(position: bad)) {
                try log.erase([RangeSet([bad..<bad + 1])], recordedAt: 6_000)
            }
        }
        #expect(try log.newest.head() == head)
        _ = try log.erase([RangeSet([position..<position + 1])], recordedAt: 6_000)
        #expect(throws: EventLogError.notErasable(position: position)) {
            try log.erase([RangeSet([position..<position + 1])], recordedAt: 6_000)
        }
    }
}

/// A tombstone is as well guarded as an entry.
@Suite struct TombstoneAuditTests {
    private func erasedLog() throws -> TemporaryLog {
        let log = try TemporaryLog(seed: 4)
        let events = (0..<20)
            .map { EventSample(source: "phone", occurredAt: Int64($0), payload: [7, 7]) }
        _ = try log.append(events, recordedAt: 5_000)
        _ = try log.erase([RangeSet([2..<3])], recordedAt: 6_000)
        #expect(try log.findings() == [])
        return log
    }

    /// The offset of the tombstone at position 2 in its block: after the header, the founding entry
    /// and the registration of the source.
    private let start = 32 + 29 + 32

    @Test(arguments: 2..<44)
    func `a changed byte of a tombstone is found`(offset: Int) throws {
        let log = try erasedLog()
        try log.alter("blocks") { block in
            #expect(block[start] == 44 && block[start + 1] == 0)
            block[start + offset] ^= 1
            block.seal()
        }
        #expect(try !log.findings().isEmpty)
    }

    @Test func `an entry that goes without a word is found, though its hash is right`() throws {
        let log = try erasedLog()
        let tombstone = try #require(log.newest.withEntry(at: 3) { Tombstone(of: $0).bytes })
        let length = try #require(log.newest.withEntry(at: 3) { $0.bytes.count })
        try log.alter("blocks") { block in
            block.replaceSubrange(start + 44..<start + 44 + length, with: tombstone)
            let count = block.count
            block[8] = UInt8(truncatingIfNeeded: count)
            block[9] = UInt8(truncatingIfNeeded: count >> 8)
            block.seal()
        }
        let findings = try log.findings().map { "\($0)" }
        #expect(findings.contains { $0.contains("no event says that it was erased") })
    }
}
