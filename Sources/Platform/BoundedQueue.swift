/// A queue with which one thread hands batches to another, in order, and gets them back to be
/// filled again.
///
/// There are never more batches than it was created with, so neither thread gets far ahead.
// @unchecked because the lock guards every variable.
package final class BoundedQueue<Batch: Sendable>: @unchecked Sendable {
    private let lock = ConditionLock()

    // Guarded by `lock`.
    private var empty: [Batch]
    private var filled: [Batch] = []
    private var isFinished = false
    private var isCancelled = false
    private var failure: (any Error)?

    /// Creates a queue with empty batches.
    package init(empty: [Batch]) {
        self.empty = empty
    }

    // MARK: - The producer

    /// Waits for an empty batch, or returns `nil` if the consumer has cancelled.
    package func nextEmpty() -> Batch? {
        lock.withLock {
            while !isCancelled, empty.isEmpty { lock.wait() }
            return isCancelled ? nil : empty.popLast()
        }
    }

    /// Hands a filled batch to the consumer.
    package func enqueue(_ batch: consuming Batch) {
        lock.lock()
        filled.append(batch)
        lock.broadcast()
        lock.unlock()
    }

    /// Says that no more batches follow.
    ///
    /// - Parameter failure: What the consumer's `dequeue()` throws after the last batch.
    package func finish(throwing failure: (any Error)? = nil) {
        lock.withLock {
            self.failure = failure
            isFinished = true
            lock.broadcast()
        }
    }

    // MARK: - The consumer

    /// Waits for the next filled batch, or returns `nil` after the last.
    ///
    /// - Throws: What the producer has finished with, after the batches before it.
    package func dequeue() throws -> Batch? {
        try lock.withLock {
            while filled.isEmpty, !isFinished { lock.wait() }
            if !filled.isEmpty { return filled.removeFirst() }
            if let failure { throw failure }
            return nil
        }
    }

    /// Gives a batch back to the producer, which fills it again.
    // Consumed, so that the producer has the only reference to its storage and copies nothing.
    package func recycle(_ batch: consuming Batch) {
        lock.lock()
        empty.append(batch)
        lock.broadcast()
        lock.unlock()
    }

    /// Says that the consumer wants no more batches.
    package func cancel() {
        lock.withLock {
            isCancelled = true
            lock.broadcast()
        }
    }
}
