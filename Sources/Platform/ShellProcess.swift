import Glibc
import SystemPackage

/// A command of the shell that runs as a process of its own, in a process group of its own: what
/// interrupts this process does not interrupt it.
package struct ShellProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        /// It exited with a code.
        case exit(Int32)

        /// A signal ended it.
        case signal(Int32)

        /// Another part of the process was told how it ended.
        case unknown
    }

    private let processID: pid_t

    /// Starts a command that reads some bytes from its standard input.
    ///
    /// It inherits standard output and error and the environment; everything else that is open here
    /// is closed there, for it was opened to be.
    /// The corresponding C function is `posix_spawn`.
    ///
    /// - Throws: `Errno`.
    package init(_ command: String, input: [UInt8]) throws {
        let descriptor = try Self.file(holding: input)
        // The child has its own descriptor of the file by then.
        defer { try? descriptor.close() }
        processID = try Self.spawn(command, standardInput: descriptor)
    }

    /// Returns how the process ended, or `nil` if it has not; asked again after that, `.unknown`.
    ///
    /// The corresponding C function is `waitpid`.
    package func ending() -> Ending? {
        var status: Int32 = 0
        // The number lives as long as the call.
        let found = unsafe waitpid(processID, &status, WNOHANG)
        if found == 0 { return nil }
        guard found == processID else { return .unknown }
        // As <sys/wait.h> says: seven bits for the signal, eight above them for the code.
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }

    /// Kills the process and what it has started.
    ///
    /// The corresponding C function is `kill`, for the process group.
    package func kill() {
        Glibc.kill(-processID, SIGKILL)
    }

    /// Returns a nameless file, to be read from its beginning: unlike a pipe, it takes all bytes at
    /// once, whether or not anybody reads them.
    private static func file(holding bytes: [UInt8]) throws -> FileDescriptor {
        let name = "ledger-input-\(UInt64.random(in: 0 ... .max))"
        let path = Directory.temporary.appending(name)
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
            permissions: [.ownerRead, .ownerWrite]
        )
        do {
            try Directory.remove(path)
            try descriptor.writeAll(bytes)
            try descriptor.seek(offset: 0, from: .start)
        } catch {
            try? descriptor.close()
            throw error
        }
        return descriptor
    }

    private static func spawn(
        _ command: String,
        standardInput descriptor: FileDescriptor
    ) throws -> pid_t {
        // Actions, attributes and signals live until the end of this function, and are destroyed
        // by it; the words live as long as the call that reads them, and end with a null.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, STDIN_FILENO)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A loop that waits for signals holds them back; its children are not to inherit that.
        var noSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        let arguments: [String] = ["sh", "-c", command]
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var processID: pid_t = 0
        let error = unsafe posix_spawn(
            &processID,
            "/bin/sh",
            &actions,
            &attributes,
            &words,
            environ
        )
        guard error == 0 else { throw Errno(rawValue: error) }
        return processID
    }
}
