internal import Glibc

/// Lets the threads of this process into one environment so that LMDB's rules hold among them.
///
/// One thread writes at a time, and the map moves or goes away only while nobody uses it: LMDB
/// checks neither. A thread inside MUST leave on its own; nothing here times out.
// @unchecked because the monitor guards every variable.
final class TransactionGate: @unchecked Sendable {
    private let monitor = Monitor()

    // Guarded by `monitor`.
    private var readers: [pthread_t] = []
    private var writer: pthread_t?
    private var isClaimed = false
    private var isOpen = true

    /// Lets this thread in to read, or returns `false` if the environment is closed.
    func enterReading() -> Bool {
        monitor.locked {
            let thread = pthread_self()
            // A thread that is inside already must not wait for somebody who waits for it.
            while isClaimed && writer != thread && !readers.contains(thread) { monitor.wait() }
            guard isOpen else { return false }
            readers.append(thread)
            return true
        }
    }

    /// Ends one reading of this thread.
    func leaveReading() {
        monitor.locked {
            let thread = pthread_self()
            guard let index = readers.lastIndex(of: thread) else {
                preconditionFailure("A reading must end on the thread on which it began.")
            }
            readers.remove(at: index)
            if isClaimed { monitor.notify() }
        }
    }

    /// Lets this thread in to write, or returns `false` if the environment is closed.
    func enterWriting() -> Bool {
        monitor.locked {
            let thread = pthread_self()
            precondition(writer != thread, "A write must not contain another one.")
            precondition(
                !readers.contains(thread),
                "A read must not contain a write of the same environment: the map could not grow."
            )
            while isClaimed || writer != nil { monitor.wait() }
            guard isOpen else { return false }
            writer = thread
            return true
        }
    }

    /// Ends the writing of this thread.
    func leaveWriting() {
        monitor.locked {
            writer = nil
            monitor.notify()
        }
    }

    /// Whether this thread is inside to write.
    var isWriting: Bool {
        monitor.locked { writer == pthread_self() }
    }

    /// Runs `body` while no other thread is inside, or returns `nil` if this thread reads.
    ///
    /// `body` says whether the environment is usable afterwards. It does not run if it was closed.
    func exclusively(_ body: () -> (status: CInt, isOpen: Bool)) -> CInt? {
        let hasEntered = monitor.locked {
            let thread = pthread_self()
            guard !readers.contains(thread) else { return false }
            while isClaimed || (writer != nil && writer != thread) { monitor.wait() }
            isClaimed = true
            while !readers.isEmpty { monitor.wait() }
            return true
        }
        guard hasEntered else { return nil }
        let outcome = monitor.locked { isOpen } ? body() : (status: 0, isOpen: false)
        monitor.locked {
            isOpen = outcome.isOpen
            isClaimed = false
            monitor.notify()
        }
        return outcome.status
    }
}
