internal import Glibc

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

/// What `pthread_create` gives the new thread.
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
