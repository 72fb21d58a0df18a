package import Proofs

extension MerkleTree where Failure == Never {
    /// Returns the tree over these leaf hashes, nothing else stored.
    package static func overLeaves(_ leaves: [Digest]) -> MerkleTree {
        MerkleTree(size: UInt64(leaves.count)) { (range) throws(Never) -> Digest? in
            range.count == 1 ? leaves[Int(range.lowerBound)] : nil
        }
    }
}
