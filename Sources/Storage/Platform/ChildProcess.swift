import Glibc
package import SystemPackage

/// A program that runs beside this one and says what it does in lines.
///
/// It gets no input, and its standard error is discarded. When this object ends, so does the
/// program.
package final class ChildProcess {
    /// The result of waiting for a line of the program.
    package enum Answer {
        /// A line without its line feed.
        case line([UInt8])

        /// The program has closed its output, or says more in one line than a line may hold.
        case end

        /// It has said nothing for too long.
        case silence
    }

    private static let longestLineByteCount = 8 << 20
    private static let chunkByteCount = 1 << 16

    private let identifier: pid_t
    private let output: FileDescriptor
    private var bytes: [UInt8] = []
    private var start = 0
    private var ending: ProcessEnding?

    private init(identifier: pid_t, output: FileDescriptor) {
        self.identifier = identifier
        self.output = output
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its file.
    ///   - arguments: Its arguments, without its name.
    ///   - directory: The directory in which it starts; `nil` for that of this process.
    ///   - folder: Where its temporary files go (`TMPDIR`); `nil` for where those of this process
    ///     go.
    /// - Returns: The running program.
    /// - Throws: `Errno`.
    package static func start(
        _ program: FilePath,
        arguments: [String],
        in directory: FilePath? = nil,
        temporaryFilesIn folder: FilePath? = nil
    ) throws -> ChildProcess {
        let ends = try FileDescriptor.pipe()
        defer { try? ends.writeEnd.close() }
        do {
            for end in [ends.readEnd, ends.writeEnd] {
                guard fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
                    throw Errno(rawValue: errno)
                }
            }
            var start = ProcessStart(
                program,
                arguments: arguments,
                streams: (.null, .file(ends.writeEnd), .null)
            )
            start.directory = directory
            start.environment = try environment(temporaryFilesIn: folder)
            // A crash must end the program, whatever this process does with signals.
            start.hasDefaultSignals = true
            return ChildProcess(identifier: try start.launch(), output: ends.readEnd)
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

    /// Returns the environment of this process, with the folder for temporary files if there is
    /// one, and without backtraces: a crash of the other one is expected.
    private static func environment(temporaryFilesIn folder: FilePath?) throws -> [String] {
        let path: FilePath = "/proc/self/environ"
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? file.close() }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkByteCount)
        while true {
            // The system writes at most as many bytes as the buffer has.
            let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
            if count == 0 { break }
            text += chunk[..<count]
        }
        let variables = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let own = ["SWIFT_BACKTRACE=enable=no"] + (folder.map { ["TMPDIR=\($0.string)"] } ?? [])
        let names = own.map { $0.prefix { $0 != "=" } + "=" }
        return variables.filter { variable in !names.contains { variable.hasPrefix($0) } } + own
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
    package func end() -> ProcessEnding {
        let ending = ending ?? .waiting(for: identifier)
        self.ending = ending
        return ending
    }
}

/// A command of the shell that runs as a process of its own.
package struct ShellProcess: Sendable {
    private let processID: pid_t

    /// Starts a command that reads some bytes from its standard input.
    ///
    /// It has a process group of its own: what interrupts this process does not interrupt it. It
    /// inherits standard output and error and the environment; everything else that is open here
    /// is closed there, because it was opened with close-on-exec.
    ///
    /// - Throws: `Errno`.
    package init(_ command: String, input: [UInt8]) throws {
        // The child has a descriptor of its own of the file by the end of this.
        let file = try NamelessFile(holding: input)
        try self.init(command, standardInput: file.descriptor, isApart: true)
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
        var start = ProcessStart(
            "/bin/sh",
            arguments: ["-c", command],
            streams: (.file(descriptor), .inherited, .inherited)
        )
        start.inheritsFiles = true
        start.isApart = isApart
        processID = try start.launch()
    }

    /// Waits for the end of the process.
    func waitForEnd() {
        _ = ProcessEnding.waiting(for: processID)
    }

    /// Returns how the process ended, or `nil` if it has not; asked again after that, `.unknown`.
    package func ending() -> ProcessEnding? {
        .ofEnded(processID)
    }

    /// Kills the process and what it has started.
    ///
    /// The corresponding C function is `kill`, for the process group.
    package func kill() {
        Glibc.kill(-processID, SIGKILL)
    }
}
