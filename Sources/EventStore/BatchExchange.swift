internal import Glibc

/// Where one thread hands batches to another, in order, and gets them back to be filled again.
///
/// There are no more batches than it was made with, so that neither thread gets far ahead.
// @unchecked because the mutex guards every variable.
@safe package final class BatchExchange<Batch: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    /// How often a thread looks, and lets others run in between, before it sleeps.
    private let looksAwake: Int

    // Guarded by `mutex`.
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
        // Ours as long as this object lives; initialised before anybody sees it.
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        // Neither can fail with default attributes.
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        // Nobody waits any more, for who does holds a reference.
        _ = unsafe pthread_cond_destroy(changed)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    // MARK: - The thread that fills

    /// Waits for a batch to fill, or returns `nil` when nobody wants more.
    package func takeEmpty() -> Batch? {
        locked {
            var looks = 0
            while isWanted, empty.isEmpty { wait(&looks) }
            return isWanted ? empty.popLast() : nil
        }
    }

    /// Hands over a batch.
    package func put(_ batch: consuming Batch) {
        lock()
        filled.append(batch)
        notify()
        unlock()
    }

    /// Says that there are no more batches, and why if it is too early.
    package func finish(_ failure: (any Error)?) {
        locked {
            self.failure = failure
            isFilled = true
            notify()
        }
    }

    // MARK: - The thread that empties

    /// Waits for the next batch, or returns `nil` after the last.
    ///
    /// - Throws: Why there are no more, once those before are taken.
    package func takeFilled() throws -> Batch? {
        try locked {
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
        lock()
        empty.append(batch)
        notify()
        unlock()
    }

    /// Says that no more batches are wanted.
    package func cancel() {
        locked {
            isWanted = false
            notify()
        }
    }

    // MARK: - Waiting

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    private func lock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_lock(mutex)
    }

    private func unlock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits until the other thread may have changed something, which is to be looked at then.
    private func wait(_ looks: inout Int) {
        if looks < looksAwake {
            looks += 1
            unlock()
            sched_yield()
            lock()
        } else {
            // Called with the mutex locked, which the system asks for.
            _ = unsafe pthread_cond_wait(changed, mutex)
        }
    }

    private func notify() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_cond_broadcast(changed)
    }
}
