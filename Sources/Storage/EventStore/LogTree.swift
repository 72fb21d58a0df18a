import LMDB
import Platform
package import Proofs

/// The tree over a log's entries at one moment: older roots and proofs are read from it.
///
/// It keeps the stored roots of all full 256-leaf subtrees and what follows from them: 64 bytes for
/// 256 entries. Hashes of single entries are computed from the entries when they are needed.
package struct LogTree: Sendable {
    /// The size and root that the log had.
    package let head: TreeHead

    private static let subtreeWidth = MerkleFrontier.subtreeWidth

    private let log: ReadableLog

    /// Roots of full subtrees: of 256 leaves, of 512, and so on.
    private let levels: [[Digest]]

    /// Reads the tree of a log as it is now, also where a snapshot shows only its first entries.
    ///
    /// - Throws: `EventLogError.damaged` if subtrees are missing, `.notALog`, `LMDBError`.
    package init(_ log: ReadableLog) throws {
        self.log = log
        let (head, roots) = try log.read { transaction in
            guard let value = try transaction.get(log.tables.state, LogState.key) else {
                throw EventLogError.notALog("it has no state")
            }
            let frontier = try LogState(value).frontier
            let head = TreeHead(size: frontier.size, root: frontier.root)
            var roots: [Digest] = []
            var cursor = try transaction.cursor(log.tables.tree)
            var isFound = try cursor.first()
            while isFound {
                let number = UInt64(roots.count)
                guard cursor.key.hasSameBytes(as: LogKey.number(number).span),
                    let root = Digest(cursor.value)
                else {
                    throw EventLogError.damaged(
                        position: number * Self.subtreeWidth,
                        "the root of subtree \(number) is missing"
                    )
                }
                roots.append(root)
                isFound = try cursor.next()
            }
            return (head, roots)
        }
        guard UInt64(roots.count) == head.size / Self.subtreeWidth else {
            throw EventLogError.damaged(
                position: UInt64(roots.count) * Self.subtreeWidth,
                "there are \(roots.count) roots of subtrees for \(head.size) entries"
            )
        }
        self.head = head
        var levels = [roots]
        while let last = levels.last, last.count > 1 {
            levels.append(
                (0..<last.count / 2).map { SHA256.node(last[2 * $0], last[2 * $0 + 1]) }
            )
        }
        self.levels = levels
    }

    /// Returns the root that the log had when it held `size` entries; it MUST hold as many.
    package func root(atSize size: UInt64) throws -> Digest {
        try size == 0 ? MerkleFrontier.emptyRoot : tree(ofSize: size).root(0..<size)
    }

    /// Returns the proof that the entry at `position` is in the log's first `size` entries.
    package func inclusionProof(of position: UInt64, inSize size: UInt64) throws -> [Digest] {
        try tree(ofSize: size).inclusionProof(of: position)
    }

    /// Returns the proof that the log of `size` entries begins with the one of `older` entries.
    package func consistencyProof(from older: UInt64, toSize size: UInt64) throws -> [Digest] {
        try tree(ofSize: size).consistencyProof(from: older)
    }

    /// Returns hashes over 256^level entries each; those of level 0 are the entries' own.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - range: The numbers of the hashes, all of which the log MUST have.
    /// - Returns: The hashes in their order.
    /// - Throws: `EventLogError.damaged` if entries are missing, or if 256 of them are not those
    ///   that were hashed; `LMDBError`.
    package func hashes(ofLevel level: Int, _ range: Range<UInt64>) throws -> [Digest] {
        let indexes = Int(range.lowerBound)..<Int(range.upperBound)
        guard level == 0 else {
            return Array(levels[Self.subtreeWidth.trailingZeroBitCount * (level - 1)][indexes])
        }
        var hashes: [Digest] = []
        try log.eachEntry(in: range) { entry, _ in hashes.append(entry.leafHash) }
        guard hashes.count == range.count else {
            throw EventLogError.damaged(
                position: range.lowerBound + UInt64(hashes.count),
                "it is missing"
            )
        }
        var frontier = MerkleFrontier()
        for hash in hashes { _ = frontier.append(hash) }
        let isSubtree = frontier.size == Self.subtreeWidth
        if isSubtree, range.lowerBound.isMultiple(of: Self.subtreeWidth),
            frontier.root != levels[0][Int(range.lowerBound / Self.subtreeWidth)]
        {
            throw EventLogError.damaged(
                position: range.lowerBound,
                "the 256 entries from here on are not those that were hashed"
            )
        }
        return hashes
    }

    /// Reads back and hashes every entry from `size` on, and compares all roots that they give with
    /// the stored ones.
    ///
    /// - Throws: `EventLogError.damaged` at the first that differs, `LMDBError`.
    package func rehash(from size: UInt64) throws {
        var frontier = try frontier(atSize: size)
        let end = head.size
        try log.scan(from: size) { block in
            var entries = block.entries
            while entries.position < end, let entry = try entries.next() {
                let position = entries.position - 1
                guard position >= size else { continue }
                guard let root = frontier.append(entry.leafHash) else { continue }
                let number = position / Self.subtreeWidth
                guard root == levels[0][Int(number)] else {
                    throw EventLogError.damaged(
                        position: number * Self.subtreeWidth,
                        "the 256 entries from here on are not those that were hashed"
                    )
                }
            }
            return block.endPosition < end
        }
        guard frontier.size == end, frontier.root == head.root else {
            throw EventLogError.damaged(
                position: size,
                "the entries from here on are not those that were hashed"
            )
        }
    }

    /// Returns the frontier that the log had when it held `size` entries; it MUST hold as many.
    package func frontier(atSize size: UInt64) throws -> MerkleFrontier {
        let tree = try tree(ofSize: size)
        var roots: [Digest] = []
        var start: UInt64 = 0
        for level in (0..<UInt64.bitWidth).reversed() where size >> UInt64(level) & 1 == 1 {
            let end = start + 1 << UInt64(level)
            roots.append(try tree.root(start..<end))
            start = end
        }
        guard let frontier = MerkleFrontier(size: size, roots: roots) else {
            preconditionFailure("a size has one root for each bit")
        }
        return frontier
    }

    private func tree(ofSize size: UInt64) throws -> MerkleTree<any Error> {
        precondition(size <= head.size, "the log must have as many entries")
        return MerkleTree(size: size) { (range) throws(any Error) -> Digest? in
            try root(ofFullSubtree: range)
        }
    }

    /// Returns the root over a range, or `nil` if the range is not a full subtree.
    private func root(ofFullSubtree range: Range<UInt64>) throws -> Digest? {
        let width = range.upperBound - range.lowerBound
        guard width.nonzeroBitCount == 1, range.lowerBound % width == 0 else { return nil }
        guard width < Self.subtreeWidth else {
            let level = width.trailingZeroBitCount - Self.subtreeWidth.trailingZeroBitCount
            return levels[level][Int(range.lowerBound / width)]
        }
        var frontier = MerkleFrontier()
        try log.scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                if entries.position > range.lowerBound { _ = frontier.append(entry.leafHash) }
            }
            return block.endPosition < range.upperBound
        }
        guard frontier.size == width else {
            throw EventLogError.damaged(
                position: range.lowerBound + frontier.size,
                "it is missing"
            )
        }
        return frontier.root
    }
}

/// The tree over the entries that an audit has read, one 256-leaf subtree at a time.
///
/// Where entries are missing or damaged, the stored root is used for their subtree, so that the
/// rest can still be compared with the root of the whole.
struct SubtreeHasher {
    private static let width = MerkleFrontier.subtreeWidth

    /// The roots of the full subtrees so far, each as one leaf.
    private(set) var subtrees = MerkleFrontier()

    /// The leaves of the subtree that is being filled.
    private(set) var leaves: [Digest] = []

    /// The position after the last leaf.
    private(set) var size: UInt64 = 0

    /// Whether a leaf of the subtree that is being filled is missing.
    private(set) var hasHole = false

    /// Whether the root of a subtree is unknown, so that the root of the whole is unknown too.
    private(set) var hasLostRoot = false

    init() {
        leaves.reserveCapacity(Int(Self.width))
    }

    /// Continues a tree of which all leaves are known.
    init(subtrees: MerkleFrontier, leaves: [Digest]) {
        self.subtrees = subtrees
        self.leaves = leaves
        size = subtrees.size * Self.width + UInt64(leaves.count)
    }

    /// Whether the last leaf completed a subtree.
    var isAtSubtreeEnd: Bool { size % Self.width == 0 }

    /// Adds the next leaf; the caller closes a full subtree before the one after it.
    mutating func append(_ leaf: Digest) {
        leaves.append(leaf)
        size += 1
    }

    /// Closes a full subtree.
    ///
    /// - Parameter stored: The stored root of the subtree, if there is one.
    /// - Returns: The root that its leaves have, or `nil` if not all of them are known.
    mutating func closeSubtree(stored: Digest?) -> Digest? {
        let root = hasHole ? nil : Self.root(&leaves)
        leaves.removeAll(keepingCapacity: true)
        hasHole = false
        if let known = root ?? stored {
            _ = subtrees.append(known)
        } else {
            hasLostRoot = true
        }
        return root
    }

    /// Skips the leaves up to `position`, which MUST be in the same subtree or at its end.
    mutating func skip(to position: UInt64) {
        hasHole = true
        size = position
    }

    /// Gives up the root of the whole and continues at the start of another subtree.
    mutating func abandonRoot(at position: UInt64) {
        leaves.removeAll(keepingCapacity: true)
        hasLostRoot = true
        hasHole = false
        size = position
    }

    /// The frontier over all leaves, or `nil` if it cannot be known.
    var frontier: MerkleFrontier? {
        guard !hasHole, !hasLostRoot else { return nil }
        var partial = MerkleFrontier()
        for leaf in leaves { _ = partial.append(leaf) }
        return MerkleFrontier(size: size, roots: subtrees.roots + partial.roots)
    }

    /// Returns the root over a full subtree's leaves, level by level, in their place.
    private static func root(_ leaves: inout [Digest]) -> Digest {
        var count = leaves.count
        while count > 1 {
            count /= 2
            for index in 0..<count {
                leaves[index] = SHA256.node(leaves[2 * index], leaves[2 * index + 1])
            }
        }
        return leaves[0]
    }
}

/// Extends a log's tree by blocks as they are completed.
struct TreeBuilder: Sendable {
    /// The tree over all entries so far.
    private(set) var frontier: MerkleFrontier

    /// The roots of the 256-leaf subtrees that were completed, in order.
    private(set) var subtreeRoots: [Digest] = []

    /// The number of the first of those subtrees.
    let firstSubtree: UInt64

    /// Continues a tree.
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
        // A local copy, which the optimizer can keep in registers.
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

/// The tree of a log that is appended to: extended on a thread of its own if many events come.
struct GrowingTree {
    /// Fewer events are hashed before a thread would have started.
    private static let fewestForThread = 512

    private var tree: TreeBuilder
    private var thread: TreeThread?
    private var isWorthThread: Bool

    /// Continues a tree; if enough events may come, another thread hashes them.
    init(_ frontier: MerkleFrontier, eventsForThread: Int) {
        tree = TreeBuilder(frontier)
        isWorthThread = eventsForThread >= Self.fewestForThread
    }

    /// Adds the entries of a completed block, as `TreeBuilder.add(_:)` does, maybe later.
    ///
    /// - Throws: `EventLogError.damaged` if it is no block.
    mutating func add(_ block: [UInt8]) throws(EventLogError) {
        if isWorthThread {
            thread = TreeThread(continuing: tree)
            isWorthThread = false
        }
        if let thread { thread.add(block) } else { try tree.add(block) }
    }

    /// Returns the tree over all blocks; nothing can be added after that.
    ///
    /// - Throws: `EventLogError.damaged` if one was no block.
    func finish() throws -> TreeBuilder {
        try thread?.finish() ?? tree
    }
}

/// Extends a log's tree on a thread of its own, while the thread that appends fills more blocks.
///
/// Hashing is half of what a large batch needs the processor for. The thread has ended when this
/// object has.
private final class TreeThread {
    /// How many completed blocks go to the thread at once: as many as take longer to hash than to
    /// hand over.
    private static let blocksPerBatch = 2

    /// How many batches the appending thread may be ahead.
    private static let batchCount = 16

    private let queue: BoundedQueue<[[UInt8]]>
    private let thread: WorkerThread<Result<TreeBuilder, any Error>>

    /// Completed blocks that the thread does not have yet.
    private var blocks: [[UInt8]] = []

    /// Continues a tree, or returns `nil` if the system has no thread left.
    init?(continuing tree: TreeBuilder) {
        let queue = BoundedQueue<[[UInt8]]>(empty: Array(repeating: [], count: Self.batchCount))
        let thread = WorkerThread { Self.extend(tree, by: queue) }
        guard let thread else { return nil }
        self.queue = queue
        self.thread = thread
    }

    deinit {
        // The thread is waited for when it is destroyed, after this.
        queue.finish()
    }

    /// Adds a block, as `TreeBuilder.add(_:)` does, but later.
    func add(_ block: [UInt8]) {
        blocks.append(block)
        if blocks.count == Self.blocksPerBatch { handOver() }
    }

    /// Waits until all blocks are in the tree and returns it; MUST be called at most once, and
    /// nothing can be added after that.
    ///
    /// - Throws: What adding one threw.
    func finish() throws -> TreeBuilder {
        if !blocks.isEmpty { handOver() }
        queue.finish()
        return try thread.join().get()
    }

    private func handOver() {
        // No batch comes back from a thread that has found damage: `finish()` throws it.
        guard var batch = queue.nextEmpty() else { return }
        swap(&batch, &blocks)
        queue.enqueue(batch)
    }

    private static func extend(
        _ start: TreeBuilder,
        by queue: BoundedQueue<[[UInt8]]>
    ) -> Result<TreeBuilder, any Error> {
        var tree = start
        return Result {
            do {
                while var batch = try queue.dequeue() {
                    for block in batch { try tree.add(block) }
                    batch.removeAll(keepingCapacity: true)
                    queue.recycle(batch)
                }
                return tree
            } catch {
                queue.cancel()
                throw error
            }
        }
    }
}
