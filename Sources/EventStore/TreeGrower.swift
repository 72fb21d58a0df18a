import Proofs

/// Grows a log's tree over blocks as they are completed.
struct TreeGrower: Sendable {
    /// The tree over all entries so far.
    private(set) var frontier: MerkleFrontier

    /// The roots of the 256-leaf subtrees that were completed, in order.
    private(set) var subtreeRoots: [Digest] = []

    /// The number of the first of those subtrees.
    let firstSubtree: UInt64

    /// Takes up a tree.
    init(_ frontier: MerkleFrontier) {
        self.frontier = frontier
        firstSubtree = frontier.size / MerkleFrontier.subtreeWidth
    }

    /// Adds the entries of a plain block that the tree does not have yet; they MUST follow the last
    /// one that it has.
    ///
    /// - Throws: `EventLogError.damaged` if it is no block.
    mutating func add(_ block: [UInt8]) throws(EventLogError) {
        let bytes = block.span
        guard let header = BlockHeader(bytes) else {
            throw .damaged(position: frontier.size, "the block is shorter than its header")
        }
        var entries = EntryIterator(
            bytes.extracting(droppingFirst: BlockHeader.byteCount),
            firstPosition: header.firstPosition,
            count: header.count
        )
        // A local one, which the loop need not look for in memory.
        var frontier = frontier
        defer { self.frontier = frontier }
        while true {
            let position = entries.position
            guard let entry = try entries.next() else { return }
            guard position >= frontier.size else { continue }
            precondition(position == frontier.size, "positions are gapless")
            if let root = frontier.append(entry.leafHash) { subtreeRoots.append(root) }
        }
    }
}
