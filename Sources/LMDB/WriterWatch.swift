internal import Glibc
internal import SystemPackage

/// Waits beside a thread that LMDB keeps waiting, and tells who holds the lock if it takes long.
///
/// LMDB waits for the writer lock without a time-out, and nothing can call it back from there.
struct WriterWatch {
    private static let longestMilliseconds = 86_400_000.0

    private let work: ThreadedWork<Void>
    private let stopEnd: FileDescriptor

    /// Starts to watch, or returns `nil` if the system has no thread or descriptor left for it.
    init?(_ lockFile: LockFile, _ report: Environment.WaitReport) {
        guard let pipe = try? FileDescriptor.pipe() else { return nil }
        guard let work = ThreadedWork({ Self.watch(pipe.readEnd, lockFile, report) }) else {
            try? pipe.readEnd.close()
            try? pipe.writeEnd.close()
            return nil
        }
        self.work = work
        stopEnd = pipe.writeEnd
    }

    /// Ends the watch, and waits for a report that is being made.
    func stop() {
        try? stopEnd.close()
        work.end()
    }

    /// What the watching thread does.
    private static func watch(
        _ stopEnd: FileDescriptor,
        _ lockFile: LockFile,
        _ report: Environment.WaitReport
    ) {
        defer { try? stopEnd.close() }
        let milliseconds = CInt(
            min(max(report.delay / .milliseconds(1), 0), longestMilliseconds)
        )
        var stopped = pollfd(fd: stopEnd.rawValue, events: Int16(POLLIN), revents: 0)
        // The other end is closed when the wait is over.
        guard unsafe poll(&stopped, 1, milliseconds) == 0,
            let holder = lockFile.writerThread()
        else { return }
        report.report(WriterProcess(thread: holder))
    }
}
