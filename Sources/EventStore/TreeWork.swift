internal import LMDB

/// Grows a log's tree on a thread of its own, while the one that appends fills more blocks.
///
/// When this object ends, so has the thread.
final class TreeWork {
    /// What goes to the thread and comes back from it.
    private struct Handover {
        /// Blocks that the tree does not have yet.
        var blocks: [[UInt8]] = []

        /// What the thread came to; it takes no more then.
        var outcome: Result<TreeGrower, any Error>?
    }

    /// As many as take longer to hash than to hand over.
    private static let blocksOfHandover = 2

    /// How many handovers the appending thread may be ahead.
    private static let mostHandovers = 16

    /// About a tenth of a millisecond, which is longer than blocks take to fill or to hash.
    private static let looksAwake = 200

    private let exchange: BatchExchange<Handover>
    private let work: ThreadedWork<Void>

    /// Blocks that are not handed over yet.
    private var blocks: [[UInt8]] = []

    private var outcome: Result<TreeGrower, any Error>?

    /// Starts to grow a tree, or returns `nil` if the system has no thread left for it.
    init?(_ grower: TreeGrower) {
        let exchange = BatchExchange(
            empty: Array(repeating: Handover(), count: Self.mostHandovers),
            looksAwake: Self.looksAwake
        )
        guard let work = ThreadedWork({ Self.grow(grower, from: exchange) }) else { return nil }
        self.exchange = exchange
        self.work = work
    }

    deinit {
        exchange.finish(nil)
    }

    /// Adds a block, as `TreeGrower.add(_:)` does, but later.
    func add(_ block: [UInt8]) {
        blocks.append(block)
        if blocks.count == Self.blocksOfHandover { handOver() }
    }

    /// Waits until all blocks are in the tree and returns it; nothing can be added after that.
    ///
    /// - Throws: What adding one threw.
    func end() throws -> TreeGrower {
        if !blocks.isEmpty { handOver() }
        exchange.finish(nil)
        while true {
            if let outcome { return try outcome.get() }
            outcome = exchange.takeEmpty()?.outcome
        }
    }

    private func handOver() {
        guard outcome == nil, var handover = exchange.takeEmpty() else { return }
        outcome = handover.outcome
        guard outcome == nil else { return }
        swap(&handover.blocks, &blocks)
        exchange.put(handover)
    }

    private static func grow(_ start: TreeGrower, from exchange: BatchExchange<Handover>) {
        var grower = start
        let outcome = Result {
            while var handover = try exchange.takeFilled() {
                for block in handover.blocks { try grower.add(block) }
                handover.blocks.removeAll(keepingCapacity: true)
                exchange.giveBack(handover)
            }
            return grower
        }
        exchange.giveBack(Handover(outcome: outcome))
    }
}
