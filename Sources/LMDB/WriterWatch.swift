internal import Glibc
internal import SystemPackage

/// Waits beside a thread that LMDB keeps waiting, and tells who holds the lock if it takes long.
///
/// LMDB waits for the writer lock without a time-out, and nothing can call it back from there.
struct WriterWatch {
    private let thread: pthread_t
    private let stopEnd: FileDescriptor

    /// Starts to watch, or returns `nil` if the system has no thread or descriptor left for it.
    init?(_ lockFile: LockFile, _ report: Environment.WaitReport) {
        guard let pipe = try? FileDescriptor.pipe() else { return nil }
        stopEnd = pipe.writeEnd
        // The thread takes this reference over if it starts; it does so once.
        let job = unsafe Unmanaged.passRetained(Job(pipe.readEnd, lockFile, report))
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
            try? pipe.readEnd.close()
            try? pipe.writeEnd.close()
            return nil
        }
        self.thread = thread
    }

    /// Ends the watch, and waits for a report that is being made.
    func stop() {
        try? stopEnd.close()
        _ = pthread_join(thread, nil)
    }

    /// What the watching thread does.
    private final class Job: Sendable {
        private static let longestMilliseconds = 86_400_000.0

        private let stopEnd: FileDescriptor
        private let lockFile: LockFile
        private let report: Environment.WaitReport

        init(_ stopEnd: FileDescriptor, _ lockFile: LockFile, _ report: Environment.WaitReport) {
            self.stopEnd = stopEnd
            self.lockFile = lockFile
            self.report = report
        }

        func run() {
            defer { try? stopEnd.close() }
            let milliseconds = CInt(
                min(max(report.delay / .milliseconds(1), 0), Self.longestMilliseconds)
            )
            var stopped = pollfd(fd: stopEnd.rawValue, events: Int16(POLLIN), revents: 0)
            // The other end is closed when the wait is over.
            guard unsafe poll(&stopped, 1, milliseconds) == 0,
                let holder = lockFile.writerThread()
            else { return }
            report.report(WriterProcess(thread: holder))
        }
    }
}
