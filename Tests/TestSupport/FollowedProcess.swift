import Foundation
import Testing

/// A command that goes on until the test ends it, read line by line while it runs.
package final class FollowedProcess {
    private let process: Subprocess
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var rest = Data()

    package init(_ process: Subprocess) throws {
        self.process = process
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        process.standardError = .pipe(errors)
        try process.start()
    }

    /// The number of the process.
    package var processIdentifier: Int32 { process.processIdentifier }

    /// Waits for the next line of standard output; `nil` at its end.
    package func nextLine() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// Types something.
    package func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Sends a signal, waits for the end and returns the exit code, what was still printed, and
    /// what was said on standard error.
    ///
    /// A program that has ended gets none: another one may have its number by then.
    package func end(with signal: Int32?) -> LedgerProcess.Outcome {
        if let signal, process.isRunning { kill(process.processIdentifier, signal) }
        var left = rest
        while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
            left += more
        }
        let end = process.waitForEnd()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        return LedgerProcess.Outcome(
            exitCode: end.exitCode,
            output: left,
            errors: String(decoding: said, as: UTF8.self)
        )
    }
}
