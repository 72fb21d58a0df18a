import Geodesy
import LedgerRows
import Platform
import Projections
import TripEvents
import TripLedger
import TripTracking

/// Hands notifications to a command of the shell, one after the other: each is a JSON object on
/// the standard input of a process of its own.
struct NotificationRunner {
    /// A process at work.
    private struct Running {
        let process: ShellProcess
        let what: String
        let startedAt: Timestamp
        var isKilled = false
    }

    private let command: String
    private let timeoutMilliseconds: Int64
    private var waiting: [NotificationMessage] = []
    private var running: Running?

    /// Whether the command failed for a notification.
    private(set) var hasFailed = false

    init(_ command: String, timeoutSeconds: Int64) {
        self.command = command
        timeoutMilliseconds = timeoutSeconds * 1_000
    }

    /// Whether nothing runs and nothing waits.
    var isIdle: Bool { running == nil && waiting.isEmpty }

    /// Takes a notification; it waits until the command has ended for those before it.
    mutating func add(_ notification: NotificationMessage) {
        waiting.append(notification)
    }

    /// Drops the notifications for which no process was started yet, and returns them.
    mutating func dropWaiting() -> [NotificationMessage] {
        defer { waiting = [] }
        return waiting
    }

    /// Looks after the process that runs, and starts the next one when it has ended.
    mutating func advance(now: Timestamp) {
        if let running, let ending = running.process.ending() {
            if !running.isKilled { report(ending, of: running.what) }
            self.running = nil
        }
        if let running, !running.isKilled,
            now.milliseconds(since: running.startedAt) >= timeoutMilliseconds
        {
            complain("took too long and was killed", of: running.what)
            kill()
        }
        while running == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            let line = next.json + [UInt8(ascii: "\n")]
            do {
                let process = try ShellProcess(command, input: line)
                running = Running(process: process, what: next.message, startedAt: now)
            } catch {
                complain("could not be started: \(error)", of: next.message)
            }
        }
    }

    /// Kills the process that runs.
    mutating func kill() {
        running?.process.kill()
        running?.isKilled = true
    }

    private mutating func report(_ ending: ProcessEnding, of what: String) {
        switch ending {
        case .exit(0), .unknown: break
        case .exit(let code): complain("exited with \(code)", of: what)
        case .signal(let number): complain("was ended by signal \(number)", of: what)
        }
    }

    private mutating func complain(_ how: String, of what: String) {
        hasFailed = true
        Diagnostic.write("ledger: warning: the command \(how), for: \(Excerpt.escaped(what))\n")
    }
}
