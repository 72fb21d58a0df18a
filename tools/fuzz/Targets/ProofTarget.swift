@testable import Proofs

/// Proofs that an entry is in a log, and that a log has only grown.
///
/// A proof that can be read is written as the same bytes. A proof that holds for one hash holds for
/// no other.
enum ProofTarget {
    static func check(_ input: [UInt8]) {
        if let proof = try? InclusionProof(input) {
            expect(proof.bytes == input, "a proof is written as another")
            let leaves = proof.path.prefix(2) + [proof.head.head.root, SHA256.leaf(input.span)]
            let valid = Set(leaves.filter { proof.isValid(for: $0) })
            expect(valid.count <= 1, "a proof holds for two entries")
        }
        if let proof = try? ConsistencyProof(input) {
            expect(proof.bytes == input, "a proof is written as another")
            let roots = proof.path.prefix(2) + [proof.head.head.root, MerkleFrontier.emptyRoot]
            let valid = Set(
                roots.filter { proof.isValid(since: TreeHead(size: proof.olderSize, root: $0)) }
            )
            expect(valid.count <= 1, "a log has grown from two others")
        }
    }
}
