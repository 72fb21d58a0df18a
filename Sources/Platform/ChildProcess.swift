import Glibc
package import SystemPackage

/// A program that runs beside this one and says what it does in lines.
///
/// It gets no input, and its standard error is discarded. When this object ends, so does the
/// program.
package final class ChildProcess {
    /// What there is to hear.
    package enum Answer {
        /// A line without its line feed.
        case line([UInt8])

        /// The program has closed its output, or says more in one line than a line may hold.
        case end

        /// It has said nothing for too long.
        case silence
    }

    /// How a program ended.
    package enum Ending: Hashable {
        /// By itself, with a code.
        case exit(Int32)

        /// By a signal.
        case signal(Int32)
    }

    private static let longestLineByteCount = 1 << 20
    private static let chunkByteCount = 1 << 16

    private let identifier: pid_t
    private let output: FileDescriptor
    private var bytes: [UInt8] = []
    private var start = 0
    private var ending: Ending?

    private init(identifier: pid_t, output: FileDescriptor) {
        self.identifier = identifier
        self.output = output
    }

    /// Starts a program.
    ///
    /// The corresponding C function is `posix_spawn`.
    ///
    /// - Throws: `Errno`.
    package static func start(_ program: FilePath, arguments: [String]) throws -> ChildProcess {
        let ends = try FileDescriptor.pipe()
        defer { try? ends.writeEnd.close() }
        do {
            for end in [ends.readEnd, ends.writeEnd] {
                guard fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
                    throw Errno(rawValue: errno)
                }
            }
            let identifier = try spawn(program, arguments, writingTo: ends.writeEnd.rawValue)
            return ChildProcess(identifier: identifier, output: ends.readEnd)
        } catch {
            try? ends.readEnd.close()
            throw error
        }
    }

    deinit {
        interrupt()
        _ = end()
        // Nothing was written through it.
        try? output.close()
    }

    private static func spawn(
        _ program: FilePath,
        _ arguments: [String],
        writingTo pipeEnd: CInt
    ) throws -> pid_t {
        // The actions are destroyed on the way out, and the texts live as long as the call.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipeEnd, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Whatever this process does with signals, a crash there has to be one.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var identifier = pid_t()
        let status = unsafe try withTexts([program.string] + arguments) { arguments in
            unsafe try withTexts(environment()) { environment in
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

    /// The environment of this process, with one addition: a crash of the other one is expected,
    /// and its backtrace is not needed.
    private static func environment() throws -> [String] {
        let path: FilePath = "/proc/self/environ"
        let own = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? own.close() }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkByteCount)
        while true {
            // The system writes at most as many bytes as the buffer has.
            let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try own.read(into: $0) }
            if count == 0 { break }
            text += chunk[..<count]
        }
        let variables = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return variables.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") } + [
            "SWIFT_BACKTRACE=enable=no"
        ]
    }

    /// Lends texts as C wants them, a list that ends with null.
    private static func withTexts<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
    ) throws -> Result {
        // Each copy is freed when `body` has returned.
        var copies = unsafe texts.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe try copies.withUnsafeBufferPointer { buffer in
            guard let list = buffer.baseAddress else { throw Errno.noMemory }
            return unsafe try body(list)
        }
    }
}

// MARK: - Crashes

extension ChildProcess {
    /// Returns the name of a signal that a crash ends with, or `nil` for any other signal.
    package static func crashName(of signal: Int32) -> String? {
        switch signal {
        case SIGBUS: "SIGBUS"
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGFPE: "SIGFPE"
        case SIGILL: "SIGILL"
        case SIGTRAP: "SIGTRAP"
        default: nil
        }
    }
}

// MARK: - Listening

extension ChildProcess {
    /// Waits for the next line.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    /// - Returns: What came.
    /// - Throws: `Errno`.
    package func next(withinMilliseconds milliseconds: CInt) throws -> Answer {
        var searched = start
        while true {
            if let lineFeed = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = lineFeed + 1 }
                return .line(Array(bytes[start..<lineFeed]))
            }
            bytes.removeSubrange(..<start)
            start = 0
            searched = bytes.count
            guard bytes.count <= Self.longestLineByteCount else { return .end }
            var request = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
            // One request, which lives as long as the call.
            let ready = unsafe poll(&request, 1, milliseconds)
            if ready == 0 { return .silence }
            guard ready > 0 || errno == EINTR else { throw Errno(rawValue: errno) }
            if ready > 0, try !readChunk() { return .end }
        }
    }

    private func readChunk() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        // The system writes at most as many bytes as the buffer has.
        let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try output.read(into: $0) }
        bytes += chunk[..<count]
        return count > 0
    }

    /// Ends the program at once if it has not ended by itself.
    package func interrupt() {
        if ending == nil { kill(identifier, SIGKILL) }
    }

    /// Waits for the end of the program.
    ///
    /// The corresponding C function is `waitpid`.
    package func end() -> Ending {
        if let ending { return ending }
        let ending = Self.wait(for: identifier)
        self.ending = ending
        return ending
    }

    private static func wait(for identifier: pid_t) -> Ending {
        var status: CInt = 0
        // The number lives as long as the call.
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// A command of the shell that runs as a process of its own.
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
    /// It has a process group of its own: what interrupts this process does not interrupt it. It
    /// inherits standard output and error and the environment; everything else that is open here
    /// is closed there, for it was opened to be.
    /// The corresponding C function is `posix_spawn`.
    ///
    /// - Throws: `Errno`.
    package init(_ command: String, input: [UInt8]) throws {
        let descriptor = try Self.file(holding: input)
        // The child has its own descriptor of the file by then.
        defer { try? descriptor.close() }
        try self.init(command, standardInput: descriptor, isApart: true)
    }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: What the shell runs.
    ///   - descriptor: What becomes its standard input.
    ///   - isApart: Whether it gets a process group of its own, so that what interrupts this
    ///     process does not interrupt it; such a process cannot read from the terminal.
    /// - Throws: `Errno`.
    init(_ command: String, standardInput descriptor: FileDescriptor, isApart: Bool) throws {
        processID = try Self.spawn(command, standardInput: descriptor, isApart: isApart)
    }

    /// Waits for the end of the process.
    ///
    /// The corresponding C function is `waitpid`.
    func waitForEnd() {
        // Nothing is asked about how it ended.
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
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
    /// once, whether or not the command reads them.
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
        standardInput descriptor: FileDescriptor,
        isApart: Bool
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
        let flags = POSIX_SPAWN_SETSIGMASK | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
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

/// A word of a command that a person is to type.
package enum ShellWord {
    /// Returns a word as the shell reads it: in quotes unless it is plain.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if isPlain, !word.isEmpty { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
