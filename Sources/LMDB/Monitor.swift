internal import Glibc

/// Lets one thread at a time at what it guards, and lets it wait there until others have changed
/// that.
///
/// Hoare's monitor (*Communications of the ACM* 17, 1974), where who has waited MUST look again: it
/// is woken by every change.
// @unchecked because the system's mutex and condition are made for many threads.
@safe package final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    /// Creates a monitor that nobody is in.
    package init() {
        // Ours as long as this object lives; initialised before anybody sees it.
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        // Neither can fail with default attributes.
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        // Nobody is inside or waits, for who does holds a reference.
        _ = unsafe pthread_cond_destroy(changed)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` while no other thread is inside.
    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Enters; the same thread MUST leave.
    package func lock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_lock(mutex)
    }

    /// Leaves.
    package func unlock() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_unlock(mutex)
    }

    /// Leaves until another thread notifies, and enters again; only for a thread inside.
    package func wait() {
        // Called with the mutex locked, which the system asks for.
        _ = unsafe pthread_cond_wait(changed, mutex)
    }

    /// Leaves for a moment, so that another thread can run; only for a thread inside.
    package func yield() {
        unlock()
        sched_yield()
        lock()
    }

    /// Wakes all threads that wait.
    package func notify() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_cond_broadcast(changed)
    }
}
