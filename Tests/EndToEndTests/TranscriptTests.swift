import Foundation
import TestSupport
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
        let commands = try Self.commands()
        #expect(commands.isSuperset(of: ["append", "report-trip", "restore-backup", "key show"]))
        let sessions = try Self.names.map {
            try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8)
        }
        let steps = sessions.flatMap { Transcript($0).steps.map(\.command) }
        for command in commands {
            #expect(
                steps.contains { Self.runs(command, in: $0) },
                "no transcript runs `ledger \(command)`"
            )
        }
    }

    @Test(arguments: [
        ("report", "ledger report log", true), ("report", "ledger report-trip --km 1", false),
        ("trip", "ledger trips", false), ("trip", "ledger trip", true),
        ("trip", "ledger --ledger book trip last", true), ("trip", "ledger log trip", false),
        ("log", "cat a | ledger log", true), ("log", "echo ledger logbook", false),
        ("key show", "ledger key show", true), ("key show", "ledger key new", false),
        ("key", "V=$(ledger key)", true),
    ])
    func `a command is not taken for one whose name begins like it`(
        command: String,
        step: String,
        expected: Bool
    ) {
        #expect(Self.runs(command, in: step) == expected)
    }

    /// Returns whether a step of a session runs a command such as `report` or `key show`.
    private static func runs(_ command: String, in step: String) -> Bool {
        step.matches(of: /\bledger(?: --[a-z]+[ =]\S+)* ([a-z-]+(?: [a-z-]+)?)/)
            .contains { match in
                let words = match.output.1.split(separator: " ")
                let expected = command.split(separator: " ")
                return words.starts(with: expected)
            }
    }

    /// A command as the argument parser describes it.
    private struct Description: Decodable {
        var commandName: String
        var shouldDisplay: Bool
        var subcommands: [Description]?

        /// The names of what it consists of, such as `key show`, or its own if it is no group.
        var names: [String] {
            let shown = (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
            if shown.isEmpty { return [commandName] }
            return shown.flatMap { $0.names.map { "\(commandName) \($0)" } }
        }
    }

    /// Returns every command that the help shows.
    private static func commands() throws -> Set<String> {
        struct Dump: Decodable {
            var command: Description
        }
        let dump = try LedgerProcess.describedCommands.get()
        let names = try JSONDecoder().decode(Dump.self, from: dump).command.names
        return Set(names.map { String($0.dropFirst("ledger ".count)) })
    }
}
