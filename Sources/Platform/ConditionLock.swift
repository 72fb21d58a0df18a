internal import Glibc

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
