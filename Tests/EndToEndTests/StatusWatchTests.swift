import DriveSimulation
import Foundation
import TestSupport
import Testing

/// `ledger status --watch`, into a pipe and on a terminal.
@Suite struct StatusWatchTests {
    private static let script = URL(fileURLWithPath: "/usr/bin/script")
    private static let hasTerminals = FileManager.default.fileExists(atPath: script.path)

    private static func ledger() throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let events = DriveSimulator.events(of: .homeToOffice)
        try ledger.append(DriveLines.data(DriveLines.lines(events)))
        return ledger
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `into a pipe goes a line whenever something has changed`(signal: Int32) throws {
        let ledger = try Self.ledger()
        let watch = try FollowedProcess(ledger.process(["status", "--watch"]))
        let first = try #require(watch.nextLine())
        #expect(first.contains(#""phase":"details""#))
        #expect(try ledger.run("go", "--source", "simulated-phone").exitCode == 0)
        let second = try #require(watch.nextLine())
        #expect(second.contains(#""phase":"arming""#))
        let end = watch.end(with: signal)
        #expect(end.exitCode == 0)
        #expect(end.text == "")
        #expect(end.errors == "")
    }

    @Test func `lines come as often as one asks, changed or not`() throws {
        let ledger = try Self.ledger()
        let arguments = ["status", "--watch", "--every", "1", "--format", "json"]
        let watch = try FollowedProcess(ledger.process(arguments))
        let lines = try (0..<3)
            .map { _ in
                try #require(watch.nextLine()).replacing(/"as_of":"[^"]*"/, with: "")
            }
        // Two of three are of one day.
        #expect(lines[0] == lines[1] || lines[1] == lines[2])
        #expect(watch.end(with: SIGINT).exitCode == 0)
    }

    @Test(.enabled(if: hasTerminals, "skipped: there is no script(1) to make a terminal with"))
    func `on a terminal it is drawn over itself, and Ctrl-C gives the cursor back`() throws {
        let ledger = try Self.ledger()
        // The shell outlives Ctrl-C, to say what the command exited with.
        let command = "trap : INT; stty rows 5 cols 20; ledger status --watch; echo exit $?"
        let process = ledger.process(["-qec", command, "/dev/null"])
        process.executableURL = Self.script
        let watch = try FollowedProcess(process)
        let frame = try (0..<8).map { _ in try #require(watch.nextLine()) }
        #expect(frame[0].hasPrefix("\u{1B}[?25l\u{1B}[?7l\u{1B}[JNow     Trip ended"))
        // Four of the terminal's five lines, and again from the first of them.
        #expect(frame[4].hasPrefix("\u{1B}[?7h\u{1B}[?7l\u{1B}[4A\r\u{1B}[JNow     Trip ended"))
        try watch.type("\u{03}")
        let end = watch.end(with: nil)
        #expect(end.text.contains("\u{1B}[?25h"))
        #expect(end.text.contains("exit 0"))
    }

    @Test(.enabled(if: hasTerminals, "skipped: there is no script(1) to make a terminal with"))
    func `on a terminal the next command is whole, with the ledger that was named`() throws {
        let ledger = try Self.ledger()
        let command = "stty rows 40 cols 40; exec ledger status --watch --ledger book"
        let process = ledger.process(["-qec", command, "/dev/null"])
        process.executableURL = Self.script
        let watch = try FollowedProcess(process)
        var lines: [String] = []
        while lines.last?.contains("WHAT") != true, lines.count < 40 {
            let line = try #require(watch.nextLine())
            lines.append(line.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]|\r/, with: ""))
        }
        let start = try #require(lines.firstIndex(where: { $0.hasPrefix("Next ") }), "\(lines)")
        #expect(lines[start].contains("ledger --ledger book edit"), "\(lines)")
        for line in lines { #expect(line.count <= 40, "\(line)") }
        try watch.type("\u{03}")
        _ = watch.end(with: nil)
    }
}
