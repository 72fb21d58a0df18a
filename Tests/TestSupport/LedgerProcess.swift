package import Foundation
import Testing

/// Runs the command as a user would: the real binary, in a temporary directory of its own, with
/// its ledger in `book` there.
package struct LedgerProcess {
    /// The outcome of a run.
    package typealias Outcome = Subprocess.Outcome

    /// The directory in which the test bundle and the command have been built.
    package static let binary: URL = {
        if let path = ProcessInfo.processInfo.environment["LEDGER_BINARY"] {
            return URL(fileURLWithPath: path)
        }
        return Bundle.main.bundleURL.appendingPathComponent("ledger")
    }()

    /// The directory in which commands run; it is gone when the last copy of this is.
    package let directory: TemporaryDirectory

    package init() throws {
        directory = try TemporaryDirectory()
    }

    /// Creates a copy of another one's directory, with all that is in it.
    private init(copying original: LedgerProcess) throws {
        try self.init()
        try FileManager.default.removeItem(at: directory.url)
        try FileManager.default.copyItem(at: original.directory.url, to: directory.url)
    }

    /// A directory that many tests begin with: it is made once, and each test gets a copy.
    package final class Fixture: Sendable {
        private let original: Result<LedgerProcess, any Error>

        /// Makes the directory by commands of the shell, which MUST succeed.
        ///
        /// A fixture MUST be kept in a static property: its directory is removed at exit.
        package convenience init(shell commands: String) {
            self.init { original in
                let outcome = try original.shell("set -e\n" + commands)
                try #require(outcome.exitCode == 0, "\(outcome.errors)")
            }
        }

        /// Makes the directory.
        package init(_ fill: (LedgerProcess) throws -> Void) {
            original = Result {
                let original = try LedgerProcess()
                original.directory.removeAtExit()
                try fill(original)
                return original
            }
        }

        /// Returns a copy that a test may change.
        package func copy() throws -> LedgerProcess {
            try LedgerProcess(copying: original.get())
        }
    }

    /// Runs `ledger` with arguments and waits for its end.
    package func run(_ arguments: String..., input: Data = Data()) throws -> Outcome {
        try run(arguments, input: input)
    }

    /// Runs `ledger` with arguments and waits for its end.
    package func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
        try process(arguments).outcome(input: input)
    }

    /// Runs a command of the shell, in which `ledger` is this one, and waits for its end.
    package func shell(_ command: String) throws -> Outcome {
        let process = process(["-c", command])
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        return try process.outcome()
    }

    /// The options of `tools/sanitize` for the sanitizers.
    private static let sanitizerOptions = ProcessInfo.processInfo.environment
        .filter { ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }

    /// Returns a process that is ready to start, for tests that feed or end it themselves.
    package func process(_ arguments: [String]) -> Subprocess {
        let process = Subprocess(Self.binary, arguments: arguments)
        process.currentDirectoryURL = directory.url
        process.keptDirectory = directory
        process.environment = [
            "PATH": Self.binary.deletingLastPathComponent().path + ":/usr/bin:/bin",
            "HOME": directory.path,
            "LEDGER_DIR": "book",
            "TZ": "Europe/Amsterdam",
            "LC_ALL": "C.UTF-8",
        ]
        .merging(Self.sanitizerOptions) { own, _ in own }
        return process
    }
}
