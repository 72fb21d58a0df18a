import Foundation
import LMDB
import Platform
import Synchronization
import SystemPackage
import Testing

@Suite struct WriterWaitTests {
    let playground: Playground

    init() throws {
        playground = try Playground()
    }

    @Test func `a write that waits for a stopped process is told which`() async throws {
        try playground.newEnvironment().store([1], [1])
        let marker = playground.path("holder").string
        let permit = playground.path("permit").string
        let child = Task { [path = playground.pathText] in
            await #expect(processExitsWith: .success) {
                [path = path as String, marker = marker as String, permit = permit as String] in
                let environment = try Playground.environment(at: path)
                try environment.write { _ in
                    try String(getpid())
                        .write(
                            toFile: marker,
                            atomically: true,
                            encoding: .utf8
                        )
                    while !FileManager.default.fileExists(atPath: permit) { usleep(10_000) }
                }
            }
        }
        let report = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.writeBehind(marker, permit) })
            }
        }
        _ = await child.value
        #expect(report.identifier > 1)
        #expect(report.identifier != Int(getpid()))
        #expect(report.isStopped)
        #expect(!report.name.isEmpty)
    }

    /// Stops the process that holds the lock, writes, and lets it go on when its name is reported.
    private func writeBehind(_ marker: String, _ permit: String) throws -> LockHolder {
        // It rests between two looks: other tests may go before the process is started.
        var holder: pid_t?
        while holder == nil {
            holder = (try? String(contentsOfFile: marker, encoding: .utf8)).flatMap { pid_t($0) }
            usleep(10_000)
        }
        guard let holder else { throw Errno.noSuchProcess }
        kill(holder, SIGSTOP)
        while try !String(contentsOfFile: "/proc/\(holder)/status", encoding: .utf8)
            .contains("T (stopped)")
        { usleep(10_000) }
        let seen = Mutex<LockHolder?>(nil)
        var options = Environment.Options.small
        options.waitNotice = WaitNotice(after: .milliseconds(20)) { process in
            seen.withLock { $0 = process }
            _ = FileManager.default.createFile(atPath: permit, contents: nil)
            kill(holder, SIGCONT)
        }
        let environment = try Environment(at: playground.path, options: options)
        try environment.store([2], [2])
        guard let report = seen.withLock({ $0 }) else { throw Errno.timedOut }
        return report
    }

    @Test func `a write that does not wait reports nothing`() throws {
        let reports = Atomic(0)
        var options = Environment.Options.small
        options.waitNotice = WaitNotice(after: .zero) { _ in reports.add(1, ordering: .relaxed) }
        let environment = try playground.newEnvironment(options)
        for key: UInt8 in 0..<20 { try environment.store([key], [key]) }
        #expect(reports.load(ordering: .relaxed) == 0)
    }
}
