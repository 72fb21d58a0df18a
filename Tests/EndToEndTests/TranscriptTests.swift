import Foundation
import Testing

/// Every transcript in `Transcripts/` is replayed: one session each, against the real binary.
///
/// `RECORD=1` rewrites those that differ, and still fails, so that a new one is always looked at.
@Suite struct TranscriptTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("Transcripts")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".transcript") }
        .sorted()

    private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

    @Test(arguments: names)
    func `a session goes as its transcript says`(name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        let recorded = Transcript(try String(contentsOf: file, encoding: .utf8))
        let replayed = try recorded.replayed(in: LedgerProcess())
        for (expected, actual) in zip(recorded.steps, replayed.steps) {
            #expect(actual == expected, "\(name): $ \(expected.command)")
        }
        if recorded != replayed, Self.isRecording {
            try replayed.text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    @Test func `every command has a transcript`() throws {
        let help = try LedgerProcess().run("--help").text
        let commands = help.matches(of: /\n {2}([a-z]+) {2,}/).map { String($0.output.1) }
        #expect(commands.contains("append"))
        let sessions = try Self.names.map {
            try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8)
        }
        for command in commands {
            #expect(
                sessions.contains { $0.contains("$ ledger \(command)") },
                "no transcript runs `ledger \(command)`"
            )
        }
    }
}
