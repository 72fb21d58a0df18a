internal import Glibc
internal import Platform

/// The lock of an environment within this process, which enforces two rules that LMDB does not
/// check: one thread writes at a time, and the map is moved or closed only while no transaction is
/// open.
///
/// A thread that has entered MUST leave; no call times out.
// @unchecked because the lock guards every variable.
final class TransactionGate: @unchecked Sendable {
    private let lock = ConditionLock()

    // Guarded by `lock`.
    private var readers: [pthread_t] = []
    private var writer: pthread_t?
    private var isClaimed = false
    private var isOpen = true

    /// Lets this thread in to read, or returns `false` if the environment is closed.
    func enterReading() -> Bool {
        lock.withLock {
            let thread = pthread_self()
            // A thread that is inside already must not wait, because others wait for it.
            while isClaimed && writer != thread && !readers.contains(thread) { lock.wait() }
            guard isOpen else { return false }
            readers.append(thread)
            return true
        }
    }

    /// Ends one reading of this thread.
    func leaveReading() {
        lock.withLock {
            let thread = pthread_self()
            guard let index = readers.lastIndex(of: thread) else {
                preconditionFailure("A reading must end on the thread on which it began.")
            }
            readers.remove(at: index)
            if isClaimed { lock.broadcast() }
        }
    }

    /// Lets this thread in to write, or returns `false` if the environment is closed.
    func enterWriting() -> Bool {
        lock.withLock {
            let thread = pthread_self()
            precondition(writer != thread, "A write must not contain another one.")
            precondition(
                !readers.contains(thread),
                "A read must not contain a write of the same environment: the map could not grow."
            )
            while isClaimed || writer != nil { lock.wait() }
            guard isOpen else { return false }
            writer = thread
            return true
        }
    }

    /// Ends the writing of this thread.
    func leaveWriting() {
        lock.withLock {
            writer = nil
            lock.broadcast()
        }
    }

    /// Whether this thread is inside to write.
    var isWriting: Bool {
        lock.withLock { writer == pthread_self() }
    }

    /// Runs `body` while no other thread is inside, or returns `nil` if this thread reads.
    ///
    /// `body` says whether the environment is usable afterwards. It does not run if it was closed.
    func exclusively(_ body: () -> (status: CInt, isOpen: Bool)) -> CInt? {
        let hasEntered = lock.withLock {
            let thread = pthread_self()
            guard !readers.contains(thread) else { return false }
            while isClaimed || (writer != nil && writer != thread) { lock.wait() }
            isClaimed = true
            while !readers.isEmpty { lock.wait() }
            return true
        }
        guard hasEntered else { return nil }
        let outcome = lock.withLock { isOpen } ? body() : (status: 0, isOpen: false)
        lock.withLock {
            isOpen = outcome.isOpen
            isClaimed = false
            lock.broadcast()
        }
        return outcome.status
    }
}
