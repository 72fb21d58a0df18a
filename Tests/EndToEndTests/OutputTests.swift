import Foundation
import Testing

/// Where results go wrong: full disks, closed pipes, directories that cannot be used.
@Suite struct OutputTests {
    private static let isRoot = geteuid() == 0

    @Test(arguments: [
        "ledger simulate bulk", "ledger schema event", "ledger log", "ledger trips",
        "ledger trip last", "ledger explain last", "ledger status", "ledger project",
        "ledger append --receipts drive.jsonl", "ledger append drive.jsonl", "ledger --help",
        "ledger go", "ledger init --ledger other", "ledger --version",
    ])
    func `a full disk is said and exits 74`(command: String) throws {
        let ledger = try Self.ledger()
        let outcome = try ledger.shell("\(command) > /dev/full")
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors == "ledger: error: standard output: No space left on device\n")
    }

    @Test func `what was appended is in the ledger even if nobody could be told`() throws {
        let ledger = try Self.ledger()
        _ = try ledger.shell("ledger simulate tunnel --source second > second.jsonl")
        #expect(try ledger.shell("ledger append second.jsonl > /dev/full").exitCode == 74)
        let again = try ledger.shell("ledger append second.jsonl")
        #expect(again.exitCode == 0)
        #expect(again.text.contains(#""appended":0,"duplicate":8"#))
    }

    @Test(arguments: [
        "ledger simulate bulk --drives 20 | head -1",
        "ledger append --receipts drives.jsonl | head -1",
        "ledger log --format json | head -1",
    ])
    func `a reader that has seen enough ends the command quietly`(command: String) throws {
        let ledger = try Self.ledger()
        _ = try ledger.shell("ledger simulate bulk --drives 20 > drives.jsonl")
        let outcome = try ledger.shell(command)
        #expect(outcome.lines.count == 1)
        #expect(outcome.errors == "")
    }

    @Test func `a closed pipe ends the command quietly even where no signal comes`() throws {
        let ledger = try Self.ledger()
        let command =
            "trap '' PIPE; { ledger simulate bulk --drives 20; echo $? >&2; } | head -1 > /dev/null"
        #expect(try ledger.shell(command).errors == "74\n")
    }

    @Test func `a directory where no ledger can be made is named`() throws {
        let ledger = try LedgerProcess()
        let outcome = try ledger.shell("touch file; ledger --ledger file/book init")
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors == "ledger: error: file/book: Not a directory\n")
    }

    @Test(.disabled(if: isRoot, "skipped: nothing is read-only for the superuser"))
    func `a ledger that cannot be written can be read`() throws {
        let ledger = try Self.ledger()
        _ = try ledger.shell("ledger project; chmod -R a-w book")
        let read = try ledger.shell("ledger trips")
        let written = try ledger.shell("ledger go")
        _ = try ledger.shell("chmod -R u+w book")
        #expect(read.exitCode == 0)
        #expect(read.lines.count == 2)
        #expect(written.exitCode == 74)
        #expect(written.errors.contains("book"))
    }

    /// A ledger with one trip, and its events in `drive.jsonl`.
    private static func ledger() throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        _ = try ledger.shell(
            "ledger init; ledger simulate home-to-office > drive.jsonl; ledger append drive.jsonl"
        )
        return ledger
    }
}
