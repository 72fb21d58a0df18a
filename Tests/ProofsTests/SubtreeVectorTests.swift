import Foundation
import Proofs
import TestSupport
import Testing

/// The vectors for subtrees `[start, end)` of Merkle Tree Certificates, as far as our tree has
/// to do with them; which subtrees are valid and what links two of them is said here.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct SubtreeVectorTests {
    private struct Case: Decodable {
        var leafIdx: UInt64?
        var start: UInt64
        var end: UInt64
        var size: UInt64?
        var root: String?
        var leafHash: String?
        var root1: String?
        var root2: String?
        var proof: [String]?
        var wantErr: Bool
    }

    @Test func `a proof of inclusion in a subtree is one in a tree of its leaves`() throws {
        var tally = VectorTally(.subtreeInclusion)
        for file in try VectorGroup.subtreeInclusion.files() {
            let vector = try decoded(Case.self, file)
            tally.expect(isIncluded(vector) != vector.wantErr, "\(file)")
        }
        try tally.finish()
    }

    @Test func `a subtree from the first leaf on is an older tree`() throws {
        var tally = VectorTally(.subtreeConsistency)
        let origin = try #require(KeyName("example.com/log"))
        for file in try VectorGroup.subtreeConsistency.files() {
            let vector = try decoded(Case.self, file)
            guard vector.start == 0 else {
                tally.leaveOut(because: "we prove only that a log begins with an older one")
                continue
            }
            let path = (vector.proof ?? []).compactMap(digest)
            var isAccepted = false
            if path.count == vector.proof?.count ?? 0, let older = root(vector.root1),
                let newer = root(vector.root2), let size = vector.size
            {
                let head = HeadNote(origin: origin, head: TreeHead(size: size, root: newer))
                let proof = ConsistencyProof(
                    olderSize: vector.end,
                    path: path,
                    head: SignedHead(head, signatures: [])
                )
                isAccepted = proof.isValid(since: TreeHead(size: vector.end, root: older))
            }
            tally.expect(isAccepted != vector.wantErr, "\(file)")
        }
        try tally.finish()
    }

    @Test func `roots and proofs of every subtree of 130 leaves add up`() throws {
        let json = try JSONSerialization.jsonObject(
            with: SharedData.data("tlog/\(VectorGroup.subtreeHashes.path)")
        )
        let sums = try #require(json as? [String: Any])
        let leaves = MerkleVectorTests.singleByteLeaves(130)
        let tree = MerkleTree.overLeaves(leaves)
        var roots = ""
        var inclusions = ""
        for end in UInt64(0)...130 {
            for start in 0...end where isValidSubtree(start, end) {
                roots += "[\(start), \(end)) \(tree.root(start..<end))\n"
                let subtree = MerkleTree.overLeaves(Array(leaves[Int(start)..<Int(end)]))
                for index in start..<end {
                    let path = subtree.inclusionProof(of: index - start)
                    inclusions += "\(index) [\(start), \(end))\(text(path))\n"
                }
            }
        }
        var consistencies = ""
        for size in UInt64(0)...130 {
            for end in 0...size {
                for start in 0...end where isValidSubtree(start, end) {
                    let path = start == end ? [] : link(start..<end, to: 0..<size, true, tree)
                    consistencies += "[\(start), \(end)) \(size)\(text(path))\n"
                }
            }
        }
        for (group, lines) in [
            (VectorGroup.subtreeHashes, roots), (.subtreeInclusions, inclusions),
            (.subtreeConsistencies, consistencies),
        ] {
            var tally = VectorTally(group)
            let sum = sums[String(group.rawValue.dropFirst(group.path.utf8.count + 1))] as? String
            tally.expect(SHA256.digest(Array(lines.utf8).span).description == sum)
            try tally.finish()
        }
    }

    /// Returns the hashes that link a subtree to a tree, by the definition of the draft.
    private func link(
        _ subtree: Range<UInt64>,
        to range: Range<UInt64>,
        _ isWhole: Bool,
        _ tree: MerkleTree<Never>
    ) -> [Digest] {
        if subtree == range { return isWhole ? [] : [tree.root(range)] }
        var width: UInt64 = 1
        while width * 2 < UInt64(range.count) { width *= 2 }
        let left = range.lowerBound..<range.lowerBound + width
        let right = left.upperBound..<range.upperBound
        if subtree.upperBound <= left.upperBound {
            return link(subtree, to: left, isWhole, tree) + [tree.root(right)]
        }
        let isRight = subtree.lowerBound >= right.lowerBound
        let rest = isRight ? subtree : right.lowerBound..<subtree.upperBound
        return link(rest, to: right, isRight && isWhole, tree) + [tree.root(left)]
    }

    private func isIncluded(_ vector: Case) -> Bool {
        guard let index = vector.leafIdx, vector.start <= index, vector.start < vector.end,
            isValidSubtree(vector.start, vector.end), let root = digest(vector.root),
            let leaf = digest(vector.leafHash)
        else { return false }
        let path = (vector.proof ?? []).compactMap(digest)
        guard path.count == vector.proof?.count ?? 0 else { return false }
        let head = TreeHead(size: vector.end - vector.start, root: root)
        return MerkleProof.isIncluded(leaf, at: index - vector.start, in: head, path: path)
    }

    private func isValidSubtree(_ start: UInt64, _ end: UInt64) -> Bool {
        guard start < end else { return true }
        // The smallest power of two that the subtree fits in; 2^64 itself is too large for these
        // numbers.
        let bits = UInt64.bitWidth - (end - start - 1).leadingZeroBitCount
        return bits == UInt64.bitWidth ? start == 0 : start % (1 << UInt64(bits)) == 0
    }

    private func text(_ path: [Digest]) -> String {
        path.map { " \($0)" }.joined()
    }

    /// Returns a root; a word that stands where it does not matter counts as its digest.
    private func root(_ base64: String?) -> Digest? {
        let bytes = base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        return bytes.flatMap { $0.isEmpty ? nil : Digest($0) ?? SHA256.digest($0.span) }
    }

    private func digest(_ base64: String?) -> Digest? {
        base64.flatMap { Data(base64Encoded: $0) }.flatMap { Digest(Array($0)) }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ file: String) throws -> Value {
        try JSONDecoder().decode(type, from: SharedData.data("tlog/\(file)"))
    }
}
