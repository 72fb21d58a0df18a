import EventStore
import Proofs
import TestSupport
import Testing

/// The hashes from which tiles are made.
@Suite struct TreeHashesTests {
    private static func log(seed: UInt64, _ count: Int) throws -> TemporaryLog {
        let log = try TemporaryLog(seed: seed)
        let events = (0..<count)
            .map { index in
                EventSample(source: "phone", occurredAt: Int64(1_000 * index), payload: [7])
            }
        _ = try log.append(events, recordedAt: 9_000)
        return log
    }

    @Test(arguments: Seeds.fresh(2))
    func `hashes of a level are those of a tree over all leaves`(seed: UInt64) throws {
        let log = try Self.log(seed: seed, 66_000)
        let leaves = try log.leaves()
        let whole = MerkleTree.overLeaves(leaves)
        let tree = try LogTree(log.newest)
        for (level, range) in [
            (0, 0..<256), (0, 256..<300), (0, 65_900..<65_999), (1, 0..<256), (1, 256..<257),
            (2, 0..<1),
        ] as [(Int, Range<UInt64>)] {
            let width = UInt64(1) << UInt64(8 * level)
            #expect(
                try tree.hashes(ofLevel: level, range)
                    == range.map { whole.root($0 * width..<($0 + 1) * width) },
                "level \(level), \(range), seed \(seed)"
            )
        }
    }

    @Test func `hashes of entries that were changed since are damage`() throws {
        let log = try Self.log(seed: 11, 700)
        let first = try log.alterBlock(1) { block in
            block[32 + 18] ^= 1
            block.seal()
        }
        let tile = first / 256
        let tree = try LogTree(log.newest)
        #expect(throws: EventLogError.self) {
            try tree.hashes(ofLevel: 0, tile * 256..<(tile + 1) * 256)
        }
        let sound: UInt64 = tile == 0 ? 1 : 0
        #expect(try tree.hashes(ofLevel: 0, sound * 256..<(sound + 1) * 256).count == 256)
    }
}
