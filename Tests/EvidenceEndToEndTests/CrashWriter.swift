import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// A sender that pipes lines into `ledger append --receipts` and, when that is killed, sends again
/// all lines that were not acknowledged.
final class CrashWriter {
    /// Lines that are sent in one go, before the sender waits for the answers to all of them.
    private static let linesPerBatch = 1_000

    /// Everything sent so far, in order.
    private(set) var lines: [String] = []

    /// The positions of the events of acknowledged lines, by the line's index.
    private(set) var acknowledged: [Int: UInt64] = [:]

    /// Acknowledged lines whose events were in the log when they were sent again: stored by a
    /// process that was killed before it could say so.
    private(set) var storedUnheard = 0

    private let book: LedgerProcess
    private let source: String
    private var drives: SimulatedDrives.Iterator

    /// The index of the first line that the process was sent.
    private var first = 0

    private var sender: Subprocess?
    private var process: Subprocess?

    /// The files with the input and the output of the process.
    private let files: (input: URL, output: URL)

    init(source: String, seed: UInt64, book: LedgerProcess) {
        self.book = book
        self.source = source
        files = (
            input: book.directory.url.appendingPathComponent("\(source).input"),
            output: book.directory.url.appendingPathComponent("\(source).output")
        )
        drives =
            DriveSimulator.drives(
                seed: seed,
                count: .max,
                fixesPerDrive: 10...400,
                source: source
            )
            .makeIterator()
    }

    /// Whether a process is at work.
    var isRunning: Bool { process?.isRunning == true }

    /// Prepares the next input: lines that were not acknowledged yet, or new ones.
    ///
    /// - Throws: The errors of writing a file.
    func prepare() throws {
        while acknowledged[first] != nil { first += 1 }
        if first == lines.count {
            for _ in 0..<Self.linesPerBatch {
                if let event = drives.next() { lines.append(event.json) }
            }
        }
        try DriveLines.data(lines[first...]).write(to: files.input)
        try Data().write(to: files.output)
    }

    /// Starts a process and sends it the prepared lines.
    ///
    /// - Parameter pieceByteCount: How many bytes the pipe gets at a time.
    /// - Throws: The errors of starting processes.
    func start(pieceByteCount: Int) throws {
        let pipe = Pipe()
        let sender = Subprocess(
            URL(fileURLWithPath: "/bin/dd"),
            arguments: ["if=\(files.input.path)", "bs=\(pieceByteCount)", "status=none"]
        )
        sender.standardOutput = .pipe(pipe)
        sender.standardError = .null
        let process = book.process(["append", "--receipts"])
        process.standardInput = .pipe(pipe)
        process.standardOutput = .file(try FileHandle(forWritingTo: files.output))
        process.standardError = .null
        try process.start()
        try sender.start()
        self.sender = sender
        self.process = process
    }

    /// Kills the process, whatever it is doing.
    func kill() {
        if let process, process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for the process to end and takes down what it acknowledged.
    func finish() throws {
        guard let process, let sender else { return }
        let ended = process.waitForEnd()
        sender.waitForEnd()
        #expect(ended.wasKilled || ended.status == 0)
        let output = try Data(contentsOf: files.output)
        // The text after the last line feed was cut off, and the last whole line may be the sum.
        let end = output.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
        for line in output[..<end].split(separator: UInt8(ascii: "\n")) {
            guard let answer = try? JSONDecoder().decode(LedgerProcess.LineAnswer.self, from: line)
            else { continue }
            let index = first + answer.line - 1
            let position = try #require(answer.storedAt, "\(source): \(answer)")
            acknowledged[index] = position
            if answer.receipt == "duplicate" { storedUnheard += 1 }
        }
        self.process = nil
        self.sender = nil
    }
}
