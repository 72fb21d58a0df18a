import DriveSimulation
import Importers
import TestSupport
import Testing

/// Laws that hold for every way to compress or pack something.
@Suite struct ArchiveLawTests {
    @Test(arguments: Seeds.fresh(12), Packing.Means.allCases)
    func `what was packed comes out, however it is cut`(
        seed: UInt64,
        means: Packing.Means
    ) throws {
        let packing = Packing(seed: seed)
        let bytes = try packing.packed(means)
        var random = SplitMix64(seed: seed)
        for longest in [Int.max, 1, 100, 1 << 16] {
            let unpacked = Archived(bytes) { Int.random(in: 1...longest, using: &random) }
            #expect(unpacked.files == packing.expected(means), "seed \(seed)")
            #expect(unpacked.problem == nil, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(12), Packing.Means.allCases)
    func `what is cut off is missed`(seed: UInt64, means: Packing.Means) throws {
        let packing = Packing(seed: seed)
        let bytes = try packing.packed(means)
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            let count = Int.random(in: 1..<bytes.count, using: &random)
            guard ContainerForm(bytes.span.extracting(first: count)) != nil else { continue }
            let unpacked = Archived(Array(bytes.prefix(count)))
            #expect(
                unpacked.problem == .truncated || packing.mayEnd(unpacked, means),
                "seed \(seed), \(count) bytes"
            )
        }
    }

    @Test(arguments: Seeds.fresh(12), [Packing.Means.gzip, .zip, .streamedZip, .storedZip])
    func `what was changed is seen`(seed: UInt64, means: Packing.Means) throws {
        let packing = Packing(seed: seed)
        let bytes = try packing.packed(means)
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var changed = bytes
            let position = Int.random(in: changed.indices, using: &random)
            changed[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let unpacked = Archived(changed)
            // A changed name or date is no loss.
            let isWhole = unpacked.files.map(\.bytes) == packing.expected(means).map(\.bytes)
            #expect(unpacked.problem != nil || isWhole, "seed \(seed), byte \(position)")
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `no input makes a reader fail`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for means in Packing.Means.allCases {
            var bytes = try Packing(seed: seed).packed(means)
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...20, using: &random))
                let noise = (0..<Int.random(in: 0...20, using: &random))
                    .map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes.replaceSubrange(start..<end, with: noise)
                if bytes.isEmpty { break }
            }
            let unpacked = Archived(bytes)
            #expect(unpacked == Archived(bytes, atOnce: { 7 }), "seed \(seed)")
        }
    }
}
