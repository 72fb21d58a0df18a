import DriveSimulation
import EventStore
import LedgerTestSupport
import Proofs
import Testing

/// A compacted log says what it said before, byte for byte.
@Suite struct CompactionTests {
    private func log(seed: UInt64, count: Int = 2_000) throws -> CompactedSample {
        try CompactedSample(seed: seed, count: count)
    }

    @Test(arguments: Seeds.fresh(2))
    func `entries, positions, roots and indexes stay`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        let head = try log.log.head()
        let entries = try log.entries()
        let figures = try log.compact()
        #expect(figures.newBlocks > 0, "seed \(seed)")
        #expect(try log.log.head() == head, "seed \(seed)")
        #expect(try log.entries() == entries, "seed \(seed)")
        #expect(try log.findings() == [], "seed \(seed)")
        #expect(try log.log.snapshotFindings() == [], "seed \(seed)")
        for _ in 0..<20 {
            let position = UInt64.random(in: 0..<head.size, using: &sample.random)
            let entry = try log.log.withEntry(at: position) { Array(copying: $0.bytes) }
            #expect(entry == entries[Int(position)], "seed \(seed)")
        }
        let tree = try LogTree(log.log)
        try tree.rehash(from: .random(in: 0...head.size, using: &sample.random))
    }

    @Test(arguments: Seeds.fresh(2))
    func `what was there is recognised, and what comes later is appended`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        _ = try log.compact()
        let head = try log.log.head()
        let again = try log.append(sample.events, recordedAt: 7_000)
        #expect(again.head == head, "seed \(seed)")
        let more = sample.moreEvents(500)
        let result = try log.append(more, recordedAt: 8_000)
        #expect(result.head.size > head.size, "seed \(seed)")
        let entries = try log.entries()
        _ = try log.compact()
        #expect(try log.entries() == entries, "seed \(seed)")
        #expect(try log.append(more, recordedAt: 9_000).head == result.head, "seed \(seed)")
        #expect(try log.findings() == [], "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `entries are erased before and after`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        let leaves = try log.leaves()
        for round in 0..<4 {
            var part = RangeSet<UInt64>()
            for position in try log.erasablePositions()
            where Int.random(in: 0..<40, using: &sample.random) == 0 {
                part.insert(contentsOf: position..<position + 1)
            }
            let head = try log.erase([part], recordedAt: 6_000 + Int64(round))
            #expect(try log.findings() == [], "seed \(seed)")
            if round % 2 == 0 { _ = try log.compact() }
            #expect(try log.log.head() == head, "seed \(seed)")
            #expect(try Array(log.leaves().prefix(leaves.count)) == leaves, "seed \(seed)")
            #expect(try log.findings() == [], "seed \(seed)")
            let again = try log.append(sample.events, recordedAt: 7_000)
            #expect(again.head == head, "what was erased came back, seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `compacting twice changes nothing`(seed: UInt64) throws {
        let log = try log(seed: seed).log
        _ = try log.compact()
        log.log.close()
        let blocks = try log.rows("blocks")
        try log.open()
        #expect(try log.compact().newBlocks == 0, "seed \(seed)")
        log.log.close()
        #expect(try log.rows("blocks") == blocks, "seed \(seed)")
    }

    @Test func `what would not become shorter stays as it is`() throws {
        var random = SplitMix64(seed: 5)
        let log = try TemporaryLog(seed: 5)
        // A large entry has a block of its own, and the small one between two of them, too.
        let events = (0..<100)
            .map { index in
                let byteCount = index % 2 == 0 ? 5_000 : 20
                return EventSample(
                    source: "phone",
                    occurredAt: Int64(index),
                    payload: (0..<byteCount).map { _ in .random(in: 0...255, using: &random) }
                )
            }
        _ = try log.append(events, recordedAt: 5_000)
        log.log.close()
        let blocks = try log.rows("blocks")
        try log.open()
        #expect(blocks.count > 100)
        #expect(try log.compact().newBlocks == 0)
        #expect(try log.findings() == [])
        log.log.close()
        #expect(try log.rows("blocks") == blocks)
    }

    @Test(arguments: Seeds.fresh(2))
    func `no bytes in a compact block end the program`(seed: UInt64) throws {
        var sample = try log(seed: seed, count: 1_500)
        _ = try sample.log.compact()
        sample.log.log.close()
        let compact = try #require(try sample.log.rows("blocks").values.first { $0[6] == 2 })
        let position = (24..<32).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(compact[$1]) }
        var buffer = BlockBuffer()
        for _ in 0..<300 {
            var block = compact
            switch Int.random(in: 0..<4, using: &sample.random) {
            case 0:
                block.removeLast(.random(in: 1..<block.count - 40, using: &sample.random))
            case 1:
                // The headers of the frame and of its first block, where a bit matters most.
                let place = Int.random(in: 32..<48, using: &sample.random)
                block[place] = .random(in: 0...255, using: &sample.random)
            default:
                for _ in 0..<Int.random(in: 1...8, using: &sample.random) {
                    let place = Int.random(in: 32..<block.count, using: &sample.random)
                    block[place] ^= 1 << UInt8.random(in: 0..<8, using: &sample.random)
                }
            }
            block.setNumber(UInt64(block.count), at: 8, width: 4)
            block.seal()
            do throws(EventLogError) {
                let view = try BlockView(block.span, at: position, decodedInto: &buffer)
                var entries = view.entries
                while try entries.next() != nil {}
            } catch {
                guard case .damaged = error else {
                    Issue.record("seed \(seed): \(error)")
                    continue
                }
            }
        }
    }

    @Test func `a compact block of a version with flags, or no entries, is refused`() throws {
        let log = try log(seed: 7).log
        _ = try log.compact()
        log.log.close()
        for (place, value) in [(6, 3), (7, 1)] as [(Int, UInt8)] {
            var buffer = BlockBuffer()
            var block = try #require(try log.rows("blocks")[Array(repeating: 0, count: 8)])
            #expect(block[6] == 2)
            block[place] = value
            block.seal()
            let isNewer: Bool
            do throws(EventLogError) {
                _ = try BlockView(block.span, at: 0, decodedInto: &buffer).count
                isNewer = false
            } catch {
                if case .newerFormat = error { isNewer = true } else { isNewer = false }
            }
            #expect(isNewer)
        }
        for count in [0, 2_521, 65_535] as [UInt64] {
            try log.alter("blocks") { block in
                block.setNumber(count, at: 4, width: 2)
                block.seal()
            }
            #expect(try !log.findings().isEmpty)
        }
    }
}
