import Glibc
import Synchronization

/// The last words of a process that is interrupted by Ctrl-C (SIGINT): what it has done is stored,
/// and how to go on.
package enum InterruptWords {
    /// Prints a text on standard error when the process is interrupted; the signal then has its
    /// usual effect.
    ///
    /// A process that was started with the signal ignored (`nohup`, a job in the background of a
    /// script) goes on. Only a process's last call counts.
    ///
    /// The corresponding C function is `signal`.
    package static func say(_ text: String) {
        // A handler may not allocate: the copy stays in memory until the process ends.
        guard let copy = unsafe strdup(text) else { return }
        // The text is complete before the handler is set, and is never changed.
        words.store(UInt(bitPattern: copy), ordering: .releasing)
        let earlier = signal(SIGINT) { InterruptWords.carryOut(after: $0) }
        // A signal that the process was told to ignore stays ignored. Handlers are compared by
        // their bits: C functions have no equality in Swift.
        if unsafe unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            _ = signal(SIGINT, SIG_IGN)
        }
    }

    /// Calls only functions that a handler may call (signal-safety(7)).
    private static func carryOut(after number: Int32) {
        // The copy of `say` is never freed, so the pointer holds as long as the process.
        let text = unsafe UnsafePointer<CChar>(bitPattern: words.load(ordering: .acquiring))
        // The same.
        if let text = unsafe text { _ = unsafe write(STDERR_FILENO, text, strlen(text)) }
        _ = signal(number, SIG_DFL)
        raise(number)
    }
}

/// The address of the last words, or 0.
private let words = Atomic<UInt>(0)
