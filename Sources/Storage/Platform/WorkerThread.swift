import Glibc

/// A thread that computes one value while the thread that started it goes on.
///
/// It is joined when this object is destroyed, so that no work outlives its owner.
package final class WorkerThread<Output: Sendable> {
    private let thread: pthread_t
    private let result: Result
    private var isJoined = false

    /// Starts the thread, or returns `nil` if the system has none left.
    ///
    /// The corresponding C function is `pthread_create`.
    package init?(_ work: @escaping @Sendable () -> Output) {
        let result = Result()
        guard let thread = Start({ result.value = work() }).thread() else { return nil }
        self.thread = thread
        self.result = result
    }

    deinit {
        wait()
    }

    /// Waits until the thread has ended and returns what it computed; MUST be called at most once.
    ///
    /// The corresponding C function is `pthread_join`.
    package func join() -> Output {
        wait()
        guard let output = result.value else { preconditionFailure("A thread is joined once.") }
        result.value = nil
        return output
    }

    private func wait() {
        // A thread that was started can be joined, once.
        if !isJoined { _ = pthread_join(thread, nil) }
        isJoined = true
    }

    // @unchecked because only the thread touches it until it has been joined, and after that only
    // the thread that joined it.
    private final class Result: @unchecked Sendable {
        var value: Output?
    }
}

/// The argument that `pthread_create` gives the new thread.
private final class Start: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Starts a thread that does the work, or returns `nil`.
    func thread() -> pthread_t? {
        // The new thread takes this reference over if it starts; it does so once.
        let reference = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            },
            reference.toOpaque()
        )
        guard status == 0 else {
            unsafe reference.release()
            return nil
        }
        return thread
    }
}

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
    /// - Parameter failure: The error that the consumer's `dequeue()` throws after the last batch.
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
    /// - Throws: The error with which the producer finished, after the batches before it.
    package func dequeue() throws -> Batch? {
        try lock.withLock {
            while filled.isEmpty, !isFinished { lock.wait() }
            if !filled.isEmpty { return filled.removeFirst() }
            if let failure { throw failure }
            return nil
        }
    }

    /// Returns the next filled batch, or `nil` if there is none now; does not wait.
    package func dequeueIfReady() -> Batch? {
        lock.withLock { filled.isEmpty ? nil : filled.removeFirst() }
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

/// A lock with a condition: one thread at a time holds the lock, and may wait until another one
/// has changed what it guards.
///
/// A waiting thread is woken by every change and MUST check its condition again, in a loop.
// @unchecked because the system's mutex and condition variable are made for many threads.
@safe package final class ConditionLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Creates a lock that no thread holds.
    package init() {
        // Owned by this object, and initialised before another thread can see them.
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        // Neither can fail with default attributes.
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        // A thread that holds the lock or waits has a reference, so there is none.
        _ = unsafe pthread_cond_destroy(condition)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` while this thread holds the lock.
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Takes the lock; the same thread MUST unlock it.
    ///
    /// The corresponding C function is `pthread_mutex_lock`.
    package func lock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_lock(mutex)
    }

    /// Gives the lock back.
    ///
    /// The corresponding C function is `pthread_mutex_unlock`.
    package func unlock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_unlock(mutex)
    }

    /// Unlocks until another thread broadcasts, then locks again; this thread MUST hold the lock.
    ///
    /// The corresponding C function is `pthread_cond_wait`.
    package func wait() {
        // Called with the mutex locked, which the system asks for.
        _ = unsafe pthread_cond_wait(condition, mutex)
    }

    /// Wakes all threads that wait.
    ///
    /// The corresponding C function is `pthread_cond_broadcast`.
    package func broadcast() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_cond_broadcast(condition)
    }
}
