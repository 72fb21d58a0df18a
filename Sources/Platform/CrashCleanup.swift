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
    ///   - witnesses: Files that explain the crash if they are short; then nothing is removed.
    package static func remove(
        _ path: FilePath,
        saying message: String,
        status: Int32,
        unlessShort witnesses: [ShortFile] = []
    ) {
        // A handler may not allocate: what it needs stays in memory until the process ends.
        guard let file = CText(path.string), let text = CText(message + "\n") else { return }
        let shortFiles = UnsafeMutableBufferPointer<Witness>.allocate(capacity: witnesses.count)
        for (index, witness) in witnesses.enumerated() {
            guard let path = CText(witness.path.string), let text = CText(witness.message + "\n")
            else { return }
            unsafe shortFiles.initializeElement(
                at: index,
                to: Witness(file: path, byteCount: witness.byteCount, text: text)
            )
        }
        let order = UnsafeMutablePointer<Order>.allocate(capacity: 1)
        unsafe order.initialize(
            to: Order(
                file: file,
                text: text,
                status: status,
                witnesses: UnsafeBufferPointer(shortFiles)
            )
        )
        address.store(UInt(bitPattern: order), ordering: .releasing)
        for signal in [SIGBUS, SIGSEGV, SIGABRT] {
            Glibc.signal(signal) { CrashCleanup.carryOut(after: $0) }
        }
    }

    /// Calls only functions that a handler may call (signal-safety(7)).
    private static func carryOut(after signal: Int32) {
        // The order was complete before the handler was set, and is never changed.
        let order = unsafe UnsafePointer<Order>(bitPattern: address.load(ordering: .acquiring))
        if let order = unsafe order {
            for index in unsafe order.pointee.witnesses.indices {
                let witness = unsafe order.pointee.witnesses[index]
                if witness.isShort { end(saying: witness.text, unsafe order.pointee.status) }
            }
            if unsafe unlink(order.pointee.file.bytes) == 0 {
                unsafe end(saying: order.pointee.text, order.pointee.status)
            }
        }
        Glibc.signal(signal, SIG_DFL)
        raise(signal)
    }

    private static func end(saying text: CText, _ status: Int32) -> Never {
        // A text is never changed or freed.
        unsafe write(STDERR_FILENO, text.bytes, strlen(text.bytes))
        _exit(status)
    }
}

/// A file that someone may cut while it is mapped: reading what is gone ends the process.
package struct ShortFile: Sendable {
    /// The file.
    package var path: FilePath

    /// How many bytes it has if it was not cut.
    package var byteCount: Int

    /// What to say if it has fewer.
    package var message: String

    /// Names a file.
    package init(_ path: FilePath, byteCount: Int, message: String) {
        self.path = path
        self.byteCount = byteCount
        self.message = message
    }
}

/// What to do after a crash.
// @safe because what it points to is never changed or freed.
@safe private struct Order {
    let file: CText
    let text: CText
    let status: Int32
    let witnesses: UnsafeBufferPointer<Witness>
}

/// A file whose length is looked at after a crash.
private struct Witness {
    let file: CText
    let byteCount: Int
    let text: CText

    /// Whether the file is there with fewer bytes.
    var isShort: Bool {
        // The system fills in the status during the call only.
        var status = stat()
        guard unsafe stat(file.bytes, &status) == 0 else { return false }
        return Int(status.st_size) < byteCount
    }
}

/// A text that stays in memory until the process ends.
// @safe because what it points to is never changed or freed.
@safe private struct CText {
    let bytes: UnsafeMutablePointer<CChar>

    /// Copies a text, or returns `nil` if there is no memory.
    init?(_ text: String) {
        // The copy is never freed.
        guard let bytes = unsafe strdup(text) else { return nil }
        unsafe self.bytes = bytes
    }
}

/// Where the last order is, or 0.
private let address = Atomic<UInt>(0)
