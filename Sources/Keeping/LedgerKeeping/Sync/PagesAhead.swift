import Platform
import TripLedger

/// The pages of a log for another ledger, each of which is read while the one before is on its way.
struct PagesAhead: Sendable {
    /// Fewer entries than this are read sooner than a thread starts.
    private static let fewestForThread: UInt64 = 1 << 12

    /// One page is being sent while the next one is read.
    private static let pagesOfThread = 2

    private let ledger: Ledger
    private let start: UInt64
    private let head: LedgerHead
    private let peer: String
    private let isComplete: Bool

    /// Prepares to read the entries from a position on.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - start: The position.
    ///   - head: A head of its log, up to which they go.
    ///   - peer: The ledger that they are for; what came from there is left out.
    ///   - isComplete: Whether entries that came from there are included.
    init(
        of ledger: Ledger,
        from start: UInt64,
        upTo head: LedgerHead,
        for peer: String,
        isComplete: Bool
    ) {
        self.ledger = ledger
        self.start = start
        self.head = head
        self.peer = peer
        self.isComplete = isComplete
    }

    /// Hands over all pages in order, each with the position that it begins at.
    ///
    /// - Throws: `LedgerError`, and what `body` throws.
    func visit(_ body: (_ from: UInt64, _ page: SyncPage) throws -> Void) throws {
        let isWorthThread = head.size - min(start, head.size) >= Self.fewestForThread
        let queue = BoundedQueue(
            empty: Array(repeating: SyncPage(next: start, of: head), count: Self.pagesOfThread)
        )
        guard isWorthThread, let reading = WorkerThread({ fill(queue) }) else {
            var from = start
            while from < head.size {
                let page = try page(from: from)
                try body(from, page)
                from = page.next
            }
            return
        }
        defer {
            queue.cancel()
            reading.join()
        }
        var from = start
        while let page = try queue.dequeue() {
            try body(from, page)
            from = page.next
            queue.recycle(page)
        }
    }

    private func page(from position: UInt64) throws(LedgerError) -> SyncPage {
        try ledger.syncPage(from: position, upTo: head, for: peer, isComplete: isComplete)
    }

    /// Reads pages for another thread until it wants no more.
    private func fill(_ queue: BoundedQueue<SyncPage>) {
        var from = start
        do {
            while from < head.size, queue.nextEmpty() != nil {
                let page = try page(from: from)
                from = page.next
                queue.enqueue(page)
            }
            queue.finish()
        } catch {
            queue.finish(throwing: error)
        }
    }
}
