internal import Glibc

/// Lets the threads of this process into one environment so that LMDB's rules hold among them.
///
/// One thread writes at a time, and the map moves or goes away only while nobody uses it: LMDB
/// checks neither. A thread inside MUST leave on its own; nothing here times out.
// @unchecked because the mutex below guards every variable.
@safe final class TransactionGate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    // Guarded by `mutex`.
    private var readers: [pthread_t] = []
    private var writer: pthread_t?
    private var isClaimed = false
    private var isOpen = true

    init() {
        // Ours as long as this object lives; initialised before anybody sees it.
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        // Neither can fail with default attributes.
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        // Nobody is inside, for who is holds a reference.
        _ = unsafe pthread_cond_destroy(changed)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Lets this thread in to read, or returns `false` if the environment is closed.
    func enterReading() -> Bool {
        locked {
            let thread = pthread_self()
            // A thread that is inside already must not wait for somebody who waits for it.
            while isClaimed && writer != thread && !readers.contains(thread) { wait() }
            guard isOpen else { return false }
            readers.append(thread)
            return true
        }
    }

    /// Ends one reading of this thread.
    func leaveReading() {
        locked {
            let thread = pthread_self()
            guard let index = readers.lastIndex(of: thread) else {
                preconditionFailure("A reading must end on the thread on which it began.")
            }
            readers.remove(at: index)
            if isClaimed { notify() }
        }
    }

    /// Lets this thread in to write, or returns `false` if the environment is closed.
    func enterWriting() -> Bool {
        locked {
            let thread = pthread_self()
            precondition(writer != thread, "A write must not contain another one.")
            precondition(
                !readers.contains(thread),
                "A read must not contain a write of the same environment: the map could not grow."
            )
            while isClaimed || writer != nil { wait() }
            guard isOpen else { return false }
            writer = thread
            return true
        }
    }

    /// Ends the writing of this thread.
    func leaveWriting() {
        locked {
            writer = nil
            notify()
        }
    }

    /// Whether this thread is inside to write.
    var isWriting: Bool {
        locked { writer == pthread_self() }
    }

    /// Runs `body` while no other thread is inside, or returns `nil` if this thread reads.
    ///
    /// `body` says whether the environment is usable afterwards. It does not run if it was closed.
    func exclusively(_ body: () -> (status: CInt, isOpen: Bool)) -> CInt? {
        let hasEntered = locked {
            let thread = pthread_self()
            guard !readers.contains(thread) else { return false }
            while isClaimed || (writer != nil && writer != thread) { wait() }
            isClaimed = true
            while !readers.isEmpty { wait() }
            return true
        }
        guard hasEntered else { return nil }
        let outcome = locked { isOpen } ? body() : (status: 0, isOpen: false)
        locked {
            isOpen = outcome.isOpen
            isClaimed = false
            notify()
        }
        return outcome.status
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        // Initialised as long as this object lives.
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    private func wait() {
        // Called with the mutex locked, which the system asks for.
        _ = unsafe pthread_cond_wait(changed, mutex)
    }

    private func notify() {
        // Initialised as long as this object lives.
        _ = unsafe pthread_cond_broadcast(changed)
    }
}
