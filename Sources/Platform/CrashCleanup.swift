import Glibc
import Synchronization
package import SystemPackage

/// Removes a file whose damage may crash the process, so that the next process does not crash too.
///
/// A page of a memory-mapped file that is damaged, or that the file has no more, ends a process by
/// a signal wherever it reads the page. A file that can be made again is then better gone.
package enum CrashCleanup {
    /// Removes a file if the process crashes, says so on standard error, and exits.
    ///
    /// If the file is not there, the crash takes its course. Only a process's last call counts.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - message: What is said once the file is removed.
    ///   - status: What the process exits with then.
    package static func remove(_ path: FilePath, saying message: String, status: Int32) {
        // A handler may not allocate: what it needs stays in memory until the process ends.
        let file = unsafe path.withPlatformString { unsafe strdup($0) }
        let text = unsafe strdup(message + "\n")
        guard let file = unsafe file, let text = unsafe text else { return }
        let order = UnsafeMutablePointer<Order>.allocate(capacity: 1)
        unsafe order.initialize(to: Order(file: file, text: text, status: status))
        address.store(UInt(bitPattern: order), ordering: .releasing)
        for signal in [SIGBUS, SIGSEGV, SIGABRT] {
            Glibc.signal(signal) { CrashCleanup.carryOut(after: $0) }
        }
    }

    /// Calls only functions that a handler may call (signal-safety(7)).
    private static func carryOut(after signal: Int32) {
        // The order was complete before the handler was set, and is never changed.
        guard
            let order = unsafe UnsafePointer<Order>(
                bitPattern: address.load(ordering: .acquiring)
            ),
            unsafe unlink(order.pointee.file) == 0
        else {
            Glibc.signal(signal, SIG_DFL)
            raise(signal)
            return
        }
        unsafe write(STDERR_FILENO, order.pointee.text, strlen(order.pointee.text))
        unsafe _exit(order.pointee.status)
    }
}

/// What to do after a crash.
// @safe because what it points to is never changed or freed.
@safe private struct Order {
    let file: UnsafeMutablePointer<CChar>
    let text: UnsafeMutablePointer<CChar>
    let status: Int32
}

/// Where the last order is, or 0.
private let address = Atomic<UInt>(0)
