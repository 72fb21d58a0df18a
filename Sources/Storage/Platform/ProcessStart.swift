internal import CPlatform
import Glibc
package import SystemPackage

/// How a program is started as a process of its own.
///
/// It has its three streams and, unless told otherwise, no other file that is open here, whatever
/// another thread opens meanwhile. No signal is blocked in it.
package struct ProcessStart: Sendable {
    /// Where a standard stream leads.
    package enum Stream: Sendable {
        /// To `/dev/null`.
        case null

        /// To the same place as the stream of this process.
        case inherited

        /// To an open file, which this process may close after the start.
        case file(FileDescriptor)
    }

    /// The file of the program.
    package var program: FilePath

    /// Its arguments, without its name.
    package var arguments: [String]

    /// Its environment, `NAME=VALUE` each; `nil` is that of this process.
    package var environment: [String]?

    /// The directory in which it starts; `nil` is that of this process.
    package var directory: FilePath?

    /// The streams for its input, its output and its error messages.
    package var streams: (input: Stream, output: Stream, errors: Stream)

    /// Whether it also has what this process was given by a shell (`3> file`) or opened to be
    /// inherited.
    package var inheritsFiles = false

    /// Whether it gets a process group of its own, so that what interrupts this process does not
    /// interrupt it; such a process cannot read from the terminal.
    package var isApart = false

    /// Whether signals have their default effect on it, even those that this process ignores.
    package var hasDefaultSignals = false

    /// Describes a start, without launching the program.
    package init(
        _ program: FilePath,
        arguments: [String],
        streams: (input: Stream, output: Stream, errors: Stream)
    ) {
        self.program = program
        self.arguments = arguments
        self.streams = streams
    }

    /// Starts the program and returns the number of its process.
    ///
    /// The corresponding C function is `posix_spawn`.
    ///
    /// - Throws: `Errno`.
    package func launch() throws(Errno) -> Int32 {
        // Actions and attributes live until the end of this function, and are destroyed by it.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let numbered = [
            (STDIN_FILENO, streams.input), (STDOUT_FILENO, streams.output),
            (STDERR_FILENO, streams.errors),
        ]
        for (number, stream) in numbered {
            switch stream {
            case .null:
                unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .inherited: break
            case .file(let file):
                unsafe posix_spawn_file_actions_adddup2(&actions, file.rawValue, number)
            }
        }
        if !inheritsFiles {
            unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        }
        if let directory {
            unsafe posix_spawn_file_actions_addchdir_np(&actions, directory.string)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        setSignalsAndGroup(of: &attributes)
        var identifier = pid_t()
        // The texts live as long as the call.
        let status = unsafe Self.withTexts([program.string] + arguments) { arguments in
            guard let environment else {
                return unsafe posix_spawn(
                    &identifier,
                    program.string,
                    &actions,
                    &attributes,
                    arguments,
                    environ
                )
            }
            return unsafe Self.withTexts(environment) { environment in
                unsafe posix_spawn(
                    &identifier,
                    program.string,
                    &actions,
                    &attributes,
                    arguments,
                    environment
                )
            }
        }
        guard status == 0 else { throw Errno(rawValue: status) }
        return identifier
    }

    /// Runs the program in place of this one, with the same process, streams, environment and
    /// directory; returns only if that fails.
    ///
    /// The corresponding C function is `execv`.
    ///
    /// - Returns: Why it failed.
    package func replaceThisProgram() -> Errno {
        // The texts live until the program has been replaced.
        _ = unsafe Self.withTexts([program.string] + arguments) { arguments in
            unsafe execv(program.string, arguments)
        }
        return Errno(rawValue: errno)
    }

    private func setSignalsAndGroup(of attributes: inout posix_spawnattr_t) {
        var flags = POSIX_SPAWN_SETSIGMASK
        var signals = sigset_t()
        // Both are copied from variables that live as long as the calls.
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        if hasDefaultSignals {
            unsafe sigfillset(&signals)
            unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
            flags |= POSIX_SPAWN_SETSIGDEF
        }
        if isApart {
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// Lends texts as C wants them, a list that ends with null.
    private static func withTexts(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> CInt
    ) -> CInt {
        // Each copy is freed when `body` has returned.
        let copies = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe body(copies)
    }
}

/// How a process ended.
package enum ProcessEnding: Hashable, Sendable {
    /// By itself, with a code.
    case exit(Int32)

    /// By a signal.
    case signal(Int32)

    /// Unknown, because another part of this process has already been told.
    case unknown

    /// Waits for the end of a process that this one has started.
    ///
    /// The corresponding C function is `waitpid`.
    package static func waiting(for identifier: Int32) -> ProcessEnding {
        while true {
            if let ending = find(identifier, options: 0) { return ending }
        }
    }

    /// Returns how a process that this one has started ended; `nil` if it has not.
    ///
    /// The corresponding C function is `waitpid`.
    package static func ofEnded(_ identifier: Int32) -> ProcessEnding? {
        find(identifier, options: WNOHANG)
    }

    private static func find(_ identifier: Int32, options: CInt) -> ProcessEnding? {
        var status: CInt = 0
        // The number lives as long as the call.
        let found = unsafe waitpid(identifier, &status, options)
        if found == 0 || (found < 0 && errno == EINTR) { return nil }
        guard found == identifier else { return .unknown }
        // As <sys/wait.h> says: seven bits for the signal, eight above them for the code.
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
}
