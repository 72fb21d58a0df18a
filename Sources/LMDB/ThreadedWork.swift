internal import Glibc

/// Work that a thread of its own does, while this one goes on.
///
/// When this object ends, so has the work: nothing goes on unseen.
package final class ThreadedWork<Output: Sendable> {
    private let thread: pthread_t
    private let result: Result
    private var hasEnded = false

    /// Starts the work, or returns `nil` if the system has no thread left for it.
    ///
    /// The corresponding C function is `pthread_create`.
    package init?(_ work: @escaping @Sendable () -> Output) {
        let result = Result()
        guard let thread = ThreadedTask({ result.value = work() }).start() else { return nil }
        self.thread = thread
        self.result = result
    }

    deinit {
        wait()
    }

    /// Waits for the end of the work and hands over what it came to, once.
    package func end() -> Output {
        wait()
        guard let output = result.value else { preconditionFailure("work comes to an end once") }
        result.value = nil
        return output
    }

    private func wait() {
        // A thread that was started can be joined, once.
        if !hasEnded { _ = pthread_join(thread, nil) }
        hasEnded = true
    }

    // @unchecked because only the thread touches it until it has been joined, and after that only
    // the one that joined it.
    private final class Result: @unchecked Sendable {
        var value: Output?
    }
}

/// What a thread is given to do.
private final class ThreadedTask: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Starts a thread that does it, or returns `nil`.
    func start() -> pthread_t? {
        // The thread takes this reference over if it starts; it does so once.
        let reference = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<ThreadedTask>.fromOpaque(argument).takeRetainedValue().work()
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
