internal import LMDB

/// Where one thread hands batches to another, in order, and gets them back to be filled again.
///
/// There are no more batches than it was made with, so that neither thread gets far ahead.
// @unchecked because the monitor guards every variable.
package final class BatchExchange<Batch: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()

    /// How often a thread looks, and lets others run in between, before it sleeps.
    private let looksAwake: Int

    // Guarded by `monitor`.
    private var empty: [Batch]
    private var filled: [Batch] = []
    private var isFilled = false
    private var isWanted = true
    private var failure: (any Error)?

    /// Begins with batches to fill.
    ///
    /// - Parameters:
    ///   - empty: The batches.
    ///   - looksAwake: How often a thread looks for what it waits for before it sleeps. Where
    ///     batches take no more than some ten microseconds, it should look often: one that sleeps
    ///     costs the other more to wake than the batch does.
    package init(empty: [Batch], looksAwake: Int = 0) {
        self.empty = empty
        self.looksAwake = looksAwake
    }

    // MARK: - The thread that fills

    /// Waits for a batch to fill, or returns `nil` when nobody wants more.
    package func takeEmpty() -> Batch? {
        monitor.locked {
            var looks = 0
            while isWanted, empty.isEmpty { wait(&looks) }
            return isWanted ? empty.popLast() : nil
        }
    }

    /// Hands over a batch.
    package func put(_ batch: consuming Batch) {
        monitor.lock()
        filled.append(batch)
        monitor.notify()
        monitor.unlock()
    }

    /// Says that there are no more batches, and why if it is too early.
    package func finish(_ failure: (any Error)?) {
        monitor.locked {
            self.failure = failure
            isFilled = true
            monitor.notify()
        }
    }

    // MARK: - The thread that empties

    /// Waits for the next batch, or returns `nil` after the last.
    ///
    /// - Throws: Why there are no more, once those before are taken.
    package func takeFilled() throws -> Batch? {
        try monitor.locked {
            var looks = 0
            while filled.isEmpty, !isFilled { wait(&looks) }
            if !filled.isEmpty { return filled.removeFirst() }
            if let failure { throw failure }
            return nil
        }
    }

    /// Gives a batch back.
    // Consumed, so that who fills it again finds nobody else with it, and nothing is copied.
    package func giveBack(_ batch: consuming Batch) {
        monitor.lock()
        empty.append(batch)
        monitor.notify()
        monitor.unlock()
    }

    /// Says that no more batches are wanted.
    package func cancel() {
        monitor.locked {
            isWanted = false
            monitor.notify()
        }
    }

    // MARK: - Waiting

    /// Waits until the other thread may have changed something, which is to be looked at then.
    private func wait(_ looks: inout Int) {
        if looks < looksAwake {
            looks += 1
            monitor.yield()
        } else {
            monitor.wait()
        }
    }
}
