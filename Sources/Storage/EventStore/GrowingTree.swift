import Platform
import Proofs

/// The tree of a log that is appended to: extended on a thread of its own if many events come.
struct GrowingTree {
    /// Fewer events are hashed before a thread would have started.
    private static let fewestForThread = 512

    private var tree: TreeBuilder
    private var thread: TreeThread?
    private var isWorthThread: Bool

    /// Continues a tree, to which so many events may come that another thread may hash.
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
