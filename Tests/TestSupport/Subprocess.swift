public import Foundation
import Platform
import SystemPackage

/// A program that a test starts, feeds and ends.
///
/// Foundation has `Process` for that, and it is no good for hundreds of processes from several
/// threads (Swift 6.3 on Linux). Its run loop sometimes never learns of an end, so that
/// `waitUntilExit()` waits for ever and sockets stay open (swift-corelibs-foundation, issue 4795);
/// and once some 1,360 files are open, `run()` may read beyond a buffer and crash (pull request
/// 5472).
///
/// One thread at a time uses an object. A program that still goes on when its object is released is
/// killed.
public final class Subprocess {
    /// The other end of a standard stream of the program.
    public enum Stream {
        /// To `/dev/null`.
        case null

        /// To the same place as the stream of the tests.
        case inherited

        /// To a file that is open.
        case file(FileHandle)

        /// To the test, through a pipe whose other end it keeps.
        case pipe(Pipe)
    }

    /// How a program ended.
    public struct End: Sendable {
        /// Its exit status, or the signal that killed it.
        public let status: Int32

        /// Whether a signal killed it.
        public let wasKilled: Bool

        /// The exit code as a shell tells it.
        public var exitCode: Int32 { status + (wasKilled ? 128 : 0) }
    }

    /// The file of the program.
    public var executableURL: URL

    /// Its arguments, without its name.
    public var arguments: [String]

    /// Its environment; `nil` is that of the tests.
    public var environment: [String: String]?

    /// The directory in which it starts; `nil` is that of the tests.
    public var currentDirectoryURL: URL?

    /// A directory that stays until the program has ended, though all others forget it.
    public var keptDirectory: TemporaryDirectory?

    /// Its input.
    public var standardInput = Stream.null

    /// The destination of its output.
    public var standardOutput = Stream.inherited

    /// The destination of its error messages.
    public var standardError = Stream.inherited

    /// The number of the process; 0 before it is started.
    public private(set) var processIdentifier: Int32 = 0

    private var end: End?

    /// Creates a program that is yet to be started.
    public init(_ executableURL: URL, arguments: [String]) {
        self.executableURL = executableURL
        self.arguments = arguments
    }

    deinit {
        if isRunning {
            kill(processIdentifier, SIGKILL)
            waitForEnd()
        }
    }

    /// Whether it was started and goes on.
    public var isRunning: Bool {
        if processIdentifier == 0 || end != nil { return false }
        lookForEnd(.ofEnded(processIdentifier))
        return end == nil
    }

    /// Waits for the end of the program, which MUST have been started.
    @discardableResult
    public func waitForEnd() -> End {
        while true {
            if let end { return end }
            lookForEnd(.waiting(for: processIdentifier))
        }
    }

    private func lookForEnd(_ ending: ProcessEnding?) {
        switch ending {
        case .exit(let code): end = End(status: code, wasKilled: false)
        case .signal(let signal): end = End(status: signal, wasKilled: true)
        case .unknown: preconditionFailure("process \(processIdentifier) is none of this one's")
        case nil: break
        }
    }

    /// Starts the program, with no open file of the tests but its three streams.
    ///
    /// - Throws: `Errno`.
    public func start() throws {
        var start = ProcessStart(
            FilePath(executableURL.path),
            arguments: arguments,
            streams: (
                standardInput.end(\.fileHandleForReading),
                standardOutput.end(\.fileHandleForWriting),
                standardError.end(\.fileHandleForWriting)
            )
        )
        start.environment = environment?.map { "\($0)=\($1)" }
        start.directory = currentDirectoryURL.map { FilePath($0.path) }
        start.hasDefaultSignals = true
        processIdentifier = try start.launch()
        // The program has its ends of the pipes for itself now.
        if case .pipe(let pipe) = standardInput { try pipe.fileHandleForReading.close() }
        for case .pipe(let pipe) in [standardOutput, standardError] {
            try pipe.fileHandleForWriting.close()
        }
    }
}

extension Subprocess.Stream {
    /// The program's end of it.
    fileprivate func end(_ end: KeyPath<Pipe, FileHandle>) -> ProcessStart.Stream {
        switch self {
        case .null: .null
        case .inherited: .inherited
        case .file(let file): .file(FileDescriptor(rawValue: file.fileDescriptor))
        case .pipe(let pipe): .file(FileDescriptor(rawValue: pipe[keyPath: end].fileDescriptor))
        }
    }
}

// MARK: - From start to end

extension Subprocess {
    /// The outcome of a run.
    public struct Outcome: Sendable {
        /// Its exit code; a signal's number + 128 if one ended it, as the shell counts.
        public var exitCode: Int32

        /// Standard output.
        public var output: Data

        /// Standard error, as text.
        public var errors: String

        /// Standard output, as text.
        public var text: String { String(decoding: output, as: UTF8.self) }

        /// Standard output, line by line.
        public var lines: [String] { text.split(separator: "\n").map(String.init) }

        /// Creates what a run came to.
        public init(exitCode: Int32, output: Data, errors: String) {
            self.exitCode = exitCode
            self.output = output
            self.errors = errors
        }
    }

    /// Runs the program to its end, with files instead of pipes, so that no amount of output can
    /// block either side.
    ///
    /// - Parameter input: Its input.
    /// - Returns: The outcome.
    /// - Throws: The errors of `start()`, and of files.
    public func outcome(input: Data = Data()) throws -> Outcome {
        let scratch = try TemporaryDirectory()
        let names = ["input", "output", "errors"].map { scratch.url.appendingPathComponent($0) }
        for (name, content) in zip(names, [input, Data(), Data()]) { try content.write(to: name) }
        standardInput = .file(try FileHandle(forReadingFrom: names[0]))
        standardOutput = .file(try FileHandle(forWritingTo: names[1]))
        standardError = .file(try FileHandle(forWritingTo: names[2]))
        try start()
        let end = waitForEnd()
        return Outcome(
            exitCode: end.exitCode,
            output: try Data(contentsOf: names[1]),
            errors: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self)
        )
    }
}
