public import Foundation

extension Process {
    /// How a process ended.
    public struct End: Sendable {
        /// What it returned, or the signal that killed it.
        public let status: Int32

        /// Whether a signal killed it.
        public let wasKilled: Bool

        /// The exit code as a shell tells it.
        public var exitCode: Int32 { status + (wasKilled ? 128 : 0) }
    }

    /// Waits for the end of the process by asking the system.
    ///
    /// Foundation's `waitUntilExit()` waits until its run loop is told. With several threads that
    /// start processes at once it sometimes never is (Swift 6.3 on Linux).
    @discardableResult
    public func waitForEnd() -> End {
        var information = siginfo_t()
        while true {
            // The child is left as it is, for Foundation to take note of it.
            let identifier = id_t(processIdentifier)
            if waitid(P_PID, identifier, &information, WEXITED | WNOWAIT) == 0 {
                let status = information._sifields._sigchld.si_status
                return End(status: status, wasKilled: information.si_code != Int32(CLD_EXITED))
            }
            if errno != EINTR { break }
        }
        // Foundation has taken note of it.
        while isRunning { sched_yield() }
        return End(status: terminationStatus, wasKilled: terminationReason == .uncaughtSignal)
    }
}
