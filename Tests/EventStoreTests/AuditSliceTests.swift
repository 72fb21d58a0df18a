import DriveSimulation
import EventStore
import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing

/// An audit can be paused anywhere, goes on after damage, and holds the log against known heads.
@Suite struct AuditSliceTests {
    /// A log of several blocks and sources, with late and named events.
    private func log(seed: UInt64, _ count: Int = 1_500) throws -> TemporaryLog {
        let log = try TemporaryLog(seed: seed)
        var random = SplitMix64(seed: seed)
        var events: [EventSample] = []
        for index in 0..<count {
            let isLate = Int.random(in: 0..<20, using: &random) == 0
            events.append(
                EventSample(
                    source: ["phone", "watch", "car"].randomElement(using: &random) ?? "phone",
                    occurredAt: Int64(1_000 * (isLate ? index / 2 : index)),
                    id: Int.random(in: 0..<9, using: &random) == 0 ? "n\(index)" : nil,
                    payload: [UInt8.random(in: 0...255, using: &random), 7]
                )
            )
        }
        _ = try log.append(events, recordedAt: 9_000)
        return log
    }

    @Test(arguments: Seeds.fresh(4))
    func `an audit that is paused after every block comes to the same end`(seed: UInt64) throws {
        let log = try log(seed: seed)
        var tally = AuditTally()
        var slices = 0
        while true {
            var audit = LogAudit(
                log.newest,
                from: tally,
                registration: TemporaryLog.registration,
                erasure: TemporaryLog.erasure
            ) {
                Issue.record("seed \(seed): \($0)")
            }
            let isOver = try audit.advance(byteCount: 1)
            slices += 1
            let position = audit.position
            if isOver {
                #expect(audit.head == (try log.newest.head()), "seed \(seed)")
                break
            }
            let leaf = try #require(try log.newest.withEntry(at: position - 1) { $0.leafHash })
            let bytes = try #require(audit.tally.encoded(lastLeaf: leaf))
            var readLeaf = leaf
            tally = try #require(AuditTally(decoding: bytes, lastLeaf: &readLeaf), "seed \(seed)")
            #expect(readLeaf == leaf)
            #expect(tally.position == position)
        }
        #expect(slices > 10)
    }

    @Test(arguments: Seeds.fresh(3))
    func `what is erased while an audit is paused is no damage`(seed: UInt64) throws {
        let log = try log(seed: seed)
        _ = try log.erase([RangeSet([100..<180, 300..<301])], recordedAt: 9_100)
        var tally = AuditTally()
        for slice in 0..<100 {
            var audit = LogAudit(
                log.newest,
                from: tally,
                registration: TemporaryLog.registration,
                erasure: TemporaryLog.erasure
            ) {
                Issue.record("seed \(seed): \($0)")
            }
            if try audit.advance(byteCount: 1) {
                #expect(slice > 10)
                #expect(audit.head == (try log.newest.head()), "seed \(seed)")
                return
            }
            let leaf = try #require(
                try log.newest.withEntry(at: audit.position - 1) { $0.leafHash }
            )
            let bytes = try #require(audit.tally.encoded(lastLeaf: leaf))
            var readLeaf = leaf
            tally = try #require(AuditTally(decoding: bytes, lastLeaf: &readLeaf), "seed \(seed)")
            if slice == 4 {
                _ = try log.erase([RangeSet([200..<210, 700..<720])], recordedAt: 9_200)
            }
        }
        Issue.record("the audit does not end, seed \(seed)")
    }

    /// A bit in the header of a row of LMDB makes its key longer.
    @Test func `a block whose key is no position does not hold the audit up`() throws {
        let log = try log(seed: 3)
        let first = try log.removeBlock(1)
        var key: [UInt8] = []
        for shift in stride(from: 56, through: 0, by: -8) {
            key.append(UInt8(truncatingIfNeeded: first >> UInt64(shift)))
        }
        try log.put("blocks", key + [0], [1, 2, 3])
        var findings: [String] = []
        var audit = LogAudit(
            log.newest,
            registration: TemporaryLog.registration,
            erasure: TemporaryLog.erasure
        ) { findings.append($0.what) }
        var slices = 0
        while try !audit.advance(byteCount: 1), slices < 1_000 { slices += 1 }
        #expect(slices < 1_000)
        #expect(findings.contains("a block's key is not a position"))
    }

    @Test func `a tombstone that no event explains is damage`() throws {
        let log = try log(seed: 9)
        _ = try log.erase([RangeSet([100..<180])], recordedAt: 9_100)
        let findings = try log.newest.findings(registration: TemporaryLog.registration)
        #expect(!findings.isEmpty)
    }

    @Test(arguments: Seeds.fresh(2))
    func `a tally with any bit flipped, or cut anywhere, is none`(seed: UInt64) throws {
        let log = try log(seed: seed, 300)
        var audit = LogAudit(
            log.newest,
            registration: TemporaryLog.registration,
            erasure: TemporaryLog.erasure
        ) { _ in }
        #expect(try !audit.advance(byteCount: 5_000))
        var leaf = MerkleFrontier.emptyRoot
        let bytes = try #require(audit.tally.encoded(lastLeaf: leaf))
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << UInt8(index % 8)
            #expect(AuditTally(decoding: flipped, lastLeaf: &leaf) == nil, "byte \(index)")
            let cut = Array(bytes[..<index])
            #expect(AuditTally(decoding: cut, lastLeaf: &leaf) == nil, "byte \(index)")
        }
    }

    @Test func `every damaged block is found, not only the first`() throws {
        let log = try log(seed: 3)
        let first = try log.alterBlock(2) { $0[100] ^= 1 }
        let second = try log.alterBlock(9) { $0[100] ^= 1 }
        let positions = try log.findings()
            .map { error -> UInt64? in
                guard case .damaged(let position, let what) = error else { return nil }
                return what.contains("checksum") ? position : nil
            }
        #expect(positions.compactMap { $0 } == [first, second])
    }

    @Test func `a missing block is one finding, and what follows is still compared`() throws {
        let log = try log(seed: 4)
        let first = try log.removeBlock(3)
        let sealed = try log.alterBlock(6) { block in
            block[32 + 18] ^= 1
            block.seal()
        }
        let findings = try log.findings().map { "\($0)" }
        #expect(findings.count { $0.contains("the next block starts at") } == 1)
        #expect(findings.contains { $0.contains("position \(first) on") })
        #expect(findings.contains { $0.contains("subtree \(sealed / 256) is wrong") })
    }

    @Test func `the log is held against every head that it once had`() throws {
        let log = try TemporaryLog(seed: 5)
        var heads: [TreeHead] = [try log.newest.head()]
        for round in 0..<20 {
            let events = (0..<37)
                .map {
                    EventSample(source: "phone", occurredAt: Int64(round * 100 + $0), payload: [1])
                }
            _ = try log.append(events, recordedAt: 9_000)
            heads.append(try log.newest.head())
        }
        #expect(try findings(log, heads) == [])
        for index in heads.indices {
            var wrong = heads
            wrong[index].root = SHA256.node(wrong[index].root, wrong[index].root)
            #expect(try findings(log, wrong) == [heads[index].size])
        }
        let longer = TreeHead(size: 10_000, root: heads[0].root)
        #expect(try findings(log, heads + [longer]) == [heads[20].size])
    }

    private func findings(_ log: TemporaryLog, _ heads: [TreeHead]) throws -> [UInt64] {
        var positions: [UInt64] = []
        var audit = LogAudit(
            log.newest,
            expecting: heads,
            registration: TemporaryLog.registration,
            erasure: TemporaryLog.erasure
        ) { finding in
            #expect(finding.part == .head)
            positions.append(finding.position)
        }
        while try !audit.advance(byteCount: 3_000) {}
        return positions
    }

    @Test func `a bit that shows an older transaction is found`() throws {
        let log = try TemporaryLog(seed: 6)
        for round in 0..<7 {
            let event = EventSample(source: "phone", occurredAt: Int64(round), payload: [1])
            _ = try log.append([event], recordedAt: 9_000)
        }
        log.log.close()
        let file = URL(fileURLWithPath: log.path.appending("data.mdb").string)
        let sound = try Data(contentsOf: file)
        try log.reopen()
        #expect(try log.log.snapshotFindings() == [])
        for page in 0..<2 {
            for bit in 0..<16 {
                log.log.close()
                var flipped = sound
                // The transaction's number in MDB_meta, behind the page header.
                flipped[page * 4_096 + 144 + bit / 8] ^= 1 << UInt8(bit % 8)
                try flipped.write(to: file)
                try log.reopen()
                #expect(try !log.log.snapshotFindings().isEmpty, "page \(page), bit \(bit)")
            }
        }
    }
}
