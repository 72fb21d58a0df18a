import Glibc

/// Signals that a loop waits for, instead of being ended by them in the middle of something.
package struct SignalWait: ~Copyable {
    /// Why a wait is over.
    package enum Reason: Sendable {
        /// The time has passed.
        case timeout

        /// The process shall end: Ctrl-C (SIGINT) or SIGTERM.
        case interruption

        /// A child process has ended.
        case childEnd
    }

    private var signals = sigset_t()

    /// Holds back SIGINT, SIGTERM and SIGCHLD from now on, until the process ends.
    ///
    /// The corresponding C function is `pthread_sigmask`.
    package init() {
        // The set lives as long as each call.
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGCHLD] {
            unsafe sigaddset(&signals, signal)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for one of the signals, at most for some time.
    ///
    /// The corresponding C function is `sigtimedwait`.
    package mutating func wait(milliseconds: Int64) -> Reason {
        var limit = timespec(
            tv_sec: Int(milliseconds / 1_000),
            tv_nsec: Int(milliseconds % 1_000 * 1_000_000)
        )
        // Set and limit live as long as the call; nothing is asked about the signal's origin.
        switch unsafe sigtimedwait(&signals, nil, &limit) {
        case SIGINT, SIGTERM: return .interruption
        case SIGCHLD: return .childEnd
        default: return .timeout
        }
    }
}
