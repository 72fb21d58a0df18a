import Glibc
import Synchronization
package import SystemPackage

/// Says why a process crashes that reads a damaged file, and removes the file if it can be made
/// again, so that the next process does not crash too.
///
/// A page of a memory-mapped file that is damaged, or that the file no longer has, ends a process
/// by a signal wherever it reads the page. Without this it ends without a word.
package enum CrashCleanup {
    /// Prepares for a crash: then the process removes a file and says so on standard error, or
    /// prints another message if that file is not there, and exits.
    ///
    /// Only a process's last call counts.
    ///
    /// - Parameters:
    ///   - path: The file that can be made again; `nil` if none is read.
    ///   - removed: What is said, and exited with, once the file is removed.
    ///   - other: What is said, and exited with, if there is no such file.
    ///   - witnesses: Files that explain the crash if they are short, or if it is one of their
    ///     pages that could not be read; then nothing is removed. With a short one the process
    ///     exits as if the file had been removed.
    package static func prepare(
        removing path: FilePath?,
        thenSaying removed: CrashWords,
        otherwiseSaying other: CrashWords,
        unlessDueTo witnesses: [MappedFile] = []
    ) {
        // A handler may not allocate: what it needs stays in memory until the process ends. No file
        // has the name of an empty path.
        guard let file = CText(path?.string ?? ""), let text = CText(removed.text + "\n"),
            let otherText = CText(other.text + "\n")
        else { return }
        let shortFiles = UnsafeMutableBufferPointer<Witness>.allocate(capacity: witnesses.count)
        for (index, witness) in witnesses.enumerated() {
            guard let path = CText(witness.path.string),
                let text = CText(witness.ifShort + "\n"),
                let damage = CText((witness.ifDamaged?.text ?? "") + "\n")
            else { return }
            unsafe shortFiles.initializeElement(
                at: index,
                to: Witness(
                    file: path,
                    truePath: path.resolved ?? path,
                    byteCount: witness.byteCount,
                    text: text,
                    damage: damage,
                    damageStatus: witness.ifDamaged?.status
                )
            )
        }
        let order = UnsafeMutablePointer<Order>.allocate(capacity: 1)
        unsafe order.initialize(
            to: Order(
                file: file,
                text: text,
                status: removed.status,
                otherText: otherText,
                otherStatus: other.status,
                witnesses: UnsafeBufferPointer(shortFiles)
            )
        )
        address.store(UInt(bitPattern: order), ordering: .releasing)
        for signal in [SIGBUS, SIGSEGV, SIGABRT] {
            var action = sigaction()
            // The handler is a function without a context.
            unsafe action.__sigaction_handler = .init(
                sa_sigaction: { signal, information, _ in
                    unsafe CrashCleanup.carryOut(after: signal, information)
                }
            )
            action.sa_flags = SA_SIGINFO
            // Safe: it reads the structure.
            unsafe sigaction(signal, &action, nil)
        }
    }

    /// Calls only functions that a handler may call (signal-safety(7)).
    private static func carryOut(
        after signal: Int32,
        _ information: UnsafeMutablePointer<siginfo_t>?
    ) {
        // The order was complete before the handler was set, and is never changed.
        let order = unsafe UnsafePointer<Order>(bitPattern: address.load(ordering: .acquiring))
        if let order = unsafe order {
            for index in unsafe order.pointee.witnesses.indices {
                let witness = unsafe order.pointee.witnesses[index]
                if witness.isShort { end(saying: witness.text, unsafe order.pointee.status) }
            }
            // An abort is at no address.
            if signal != SIGABRT,
                let page = unsafe information?.pointee._sifields._sigfault.si_addr
            {
                let address = UInt(bitPattern: page)
                for index in unsafe order.pointee.witnesses.indices {
                    let witness = unsafe order.pointee.witnesses[index]
                    guard let status = witness.damageStatus,
                        unsafe MappedPage.isAddress(address, of: witness.truePath.bytes)
                    else { continue }
                    end(saying: witness.damage, status)
                }
            }
            if unsafe unlink(order.pointee.file.bytes) == 0 {
                unsafe end(saying: order.pointee.text, order.pointee.status)
            }
            unsafe end(saying: order.pointee.otherText, order.pointee.otherStatus)
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

/// The message about a crash, and the exit status of the process.
package struct CrashWords: Sendable {
    /// The sentences, without the end of the line.
    package var text: String

    /// The exit status.
    package var status: Int32

    /// Creates the words.
    package init(_ text: String, status: Int32) {
        self.text = text
        self.status = status
    }
}

/// A file that is mapped: reading what someone has cut off, or a page that is damaged, ends the
/// process.
package struct MappedFile: Sendable {
    /// The file.
    package var path: FilePath

    /// How many bytes it has if it was not cut.
    package var byteCount: Int

    /// What to say if it has fewer.
    package var ifShort: String

    /// What to say, and to exit with, if a page of it could not be read; `nil` to say what is said
    /// of any crash.
    package var ifDamaged: CrashWords?

    /// Names a file.
    package init(
        _ path: FilePath,
        byteCount: Int,
        ifShort: String,
        ifDamaged: CrashWords? = nil
    ) {
        self.path = path
        self.byteCount = byteCount
        self.ifShort = ifShort
        self.ifDamaged = ifDamaged
    }
}

/// What to do after a crash.
// @safe because what it points to is never changed or freed.
@safe private struct Order {
    let file: CText
    let text: CText
    let status: Int32
    let otherText: CText
    let otherStatus: Int32
    let witnesses: UnsafeBufferPointer<Witness>
}

/// A file whose length is looked at after a crash.
private struct Witness {
    let file: CText

    /// Its path as the system shows it: absolute, and without symbolic links.
    let truePath: CText
    let byteCount: Int
    let text: CText
    let damage: CText
    let damageStatus: Int32?

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

    /// Takes a text that is never freed.
    private init(_ bytes: UnsafeMutablePointer<CChar>) {
        // The caller has promised that.
        unsafe self.bytes = bytes
    }

    /// The path that it is, absolute and without symbolic links; `nil` if there is nothing.
    var resolved: CText? {
        // The text is made for the caller, who never frees it.
        unsafe realpath(bytes, nil).map { unsafe CText($0) }
    }
}

/// The address of the last order, or 0.
private let address = Atomic<UInt>(0)
