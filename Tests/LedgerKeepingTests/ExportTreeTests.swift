import DriveSimulation
import Proofs
import TestSupport
import Testing

@testable import LedgerKeeping

/// The tree of an export is the same on a thread of its own as without one.
@Suite struct ExportTreeTests {
    @Test(arguments: Seeds.fresh(4), [0, 1, 500, 4_095, 4_096, 9_000])
    func `the tree over an export has the roots of its entries`(seed: UInt64, count: Int) throws {
        var random = SplitMix64(seed: seed)
        var expected = MerkleFrontier()
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            _ = expected.append(SHA256.leaf([1, 2, 3].span))
        }
        let end = expected.size + UInt64(count)
        let sizes = [expected.size, end, UInt64.random(in: expected.size...end, using: &random)]
        let tree = ExportTree(expected, upTo: end, noting: sizes)
        var roots = [expected.size: expected.root]
        for index in 0..<count {
            let length = index % 100 == 0 ? 60_000 : Int.random(in: 26...300, using: &random)
            let entry = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let leaf = SHA256.leaf(entry.span)
            if Bool.random(using: &random) { tree.append(entry.span) } else { tree.append(leaf) }
            _ = expected.append(leaf)
            if sizes.contains(expected.size) { roots[expected.size] = expected.root }
        }
        for _ in 0..<2 {
            let grown = tree.finish()
            #expect(grown.frontier == expected, "seed \(seed)")
            #expect(grown.roots == roots, "seed \(seed)")
        }
    }

    @Test func `a tree that is left alone ends its thread`() {
        let tree = ExportTree(MerkleFrontier(), upTo: 1_000_000, noting: [])
        for _ in 0..<2_000 { tree.append([0, 1, 2].span) }
    }
}
