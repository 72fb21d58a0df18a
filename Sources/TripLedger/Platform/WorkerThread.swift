import Glibc

/// A thread with one job, for work beside that of the thread that started it.
///
/// Whoever starts one MUST wait for it with ``join()``.
struct WorkerThread {
    private let thread: pthread_t

    /// Starts a thread, or returns `nil` if the system has none left.
    ///
    /// The corresponding C function is `pthread_create`.
    init?(_ job: @escaping @Sendable () -> Void) {
        // The thread takes this reference over if it starts; it does so once.
        let job = unsafe Unmanaged.passRetained(Job(job))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            job.toOpaque()
        )
        guard status == 0 else {
            unsafe job.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until the job is done.
    ///
    /// The corresponding C function is `pthread_join`.
    func join() {
        // Nobody asks for the result of the thread, which is always the same.
        _ = pthread_join(thread, nil)
    }

    /// What the thread does.
    private final class Job: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
