import EventStore
import Platform
import Proofs

/// The tree over the entries of an export, hashed on a thread of its own if there are many: hashing
/// takes a third of the processor time of their check.
final class ExportTree {
    /// Fewer entries than this are hashed sooner than a thread starts.
    private static let fewestForThread: UInt64 = 1 << 12

    /// The number of leaves that go to the thread at once: enough that hashing them takes longer
    /// than handing them over.
    private static let leavesPerBatch = 512
    private static let bytesPerBatch = 1 << 16

    /// How many batches the checking thread may be ahead.
    private static let batchCount = 4

    private let queue: BoundedQueue<LeafBatch>?
    private let thread: WorkerThread<GrownTree>?
    private var tree: GrownTree
    private var batch = LeafBatch()
    private var isFinished = false

    /// Begins after the entries of a frontier.
    ///
    /// - Parameters:
    ///   - frontier: The tree over the entries before.
    ///   - size: How many entries there will be, as far as that is known.
    ///   - sizes: Sizes at which the root is noted.
    init(_ frontier: MerkleFrontier, upTo size: UInt64, noting sizes: [UInt64]) {
        let start = GrownTree(frontier, noting: sizes)
        tree = start
        let isWorthThread = size - min(size, frontier.size) >= Self.fewestForThread
        let queue = BoundedQueue(
            empty: Array(repeating: LeafBatch(), count: isWorthThread ? Self.batchCount : 0)
        )
        thread = isWorthThread ? WorkerThread { Self.grow(start, by: queue) } : nil
        self.queue = thread == nil ? nil : queue
    }

    deinit {
        // The thread is waited for when it is destroyed, after this.
        queue?.finish()
    }

    /// Adds an entry that is here.
    func append(_ entry: Span<UInt8>) {
        precondition(!isFinished, "nothing is added to a finished tree")
        batch.append(entry)
        handOverIfFull()
    }

    /// Adds an entry by its hash alone.
    func append(_ leaf: Digest) {
        precondition(!isFinished, "nothing is added to a finished tree")
        batch.append(leaf)
        handOverIfFull()
    }

    /// Waits until all entries are in the tree and returns it; nothing can be added after that.
    func finish() -> GrownTree {
        guard !isFinished else { return tree }
        isFinished = true
        if let queue, let thread {
            handOver(to: queue)
            queue.finish()
            tree = thread.join()
        } else {
            tree.append(batch)
        }
        return tree
    }

    private func handOverIfFull() {
        guard batch.leaves.count >= Self.leavesPerBatch || batch.bytes.count >= Self.bytesPerBatch
        else { return }
        if let queue { return handOver(to: queue) }
        tree.append(batch)
        batch.removeAll()
    }

    private func handOver(to queue: BoundedQueue<LeafBatch>) {
        guard var next = queue.nextEmpty() else { return }
        swap(&next, &batch)
        queue.enqueue(next)
    }

    private static func grow(_ start: GrownTree, by queue: BoundedQueue<LeafBatch>) -> GrownTree {
        var tree = start
        // Only the other side can fail, and it does not report that through the queue.
        while var batch = try? queue.dequeue() {
            tree.append(batch)
            batch.removeAll()
            queue.recycle(batch)
        }
        return tree
    }
}

/// A tree with the roots that it had at some sizes.
struct GrownTree: Sendable {
    /// The frontier of the tree.
    private(set) var frontier: MerkleFrontier

    /// The roots that it had, by the sizes that were to be noted.
    private(set) var roots: [UInt64: Digest] = [:]

    /// The sizes that were not met yet, the next one last.
    private var sizes: [UInt64]

    init(_ frontier: MerkleFrontier, noting sizes: [UInt64]) {
        self.frontier = frontier
        self.sizes = Set(sizes).filter { $0 >= frontier.size }.sorted(by: >)
        noteRoot()
    }

    mutating func append(_ batch: LeafBatch) {
        var start = 0
        for leaf in batch.leaves {
            switch leaf {
            case .bytes(let end):
                _ = frontier.append(SHA256.leaf(batch.bytes.span.extracting(start..<end)))
                start = end
            case .hash(let hash):
                _ = frontier.append(hash)
            }
            noteRoot()
        }
    }

    private mutating func noteRoot() {
        guard sizes.last == frontier.size else { return }
        roots[frontier.size] = frontier.root
        sizes.removeLast()
    }
}

/// Entries that are to become leaves of a tree, one after the other.
struct LeafBatch: Sendable {
    /// The part of an entry from which its leaf is made.
    enum Leaf {
        /// Its bytes, which end there and begin where those before them end.
        case bytes(end: Int)

        /// Its hash.
        case hash(Digest)
    }

    /// The entries, in order of position.
    private(set) var leaves: [Leaf] = []

    /// The bytes of the entries that are here.
    private(set) var bytes: [UInt8] = []

    mutating func append(_ entry: Span<UInt8>) {
        bytes.append(contentsOf: entry)
        leaves.append(.bytes(end: bytes.count))
    }

    mutating func append(_ leaf: Digest) {
        leaves.append(.hash(leaf))
    }

    mutating func removeAll() {
        leaves.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
