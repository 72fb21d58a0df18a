import Foundation
import TestSupport
import Testing

/// Outputs that fail: full disks, closed pipes, directories that cannot be used.
@Suite struct OutputTests {
    private static let isRoot = geteuid() == 0

    @Test(arguments: [
        "ledger simulate bulk", "ledger schema event", "ledger log", "ledger trips",
        "ledger trip last", "ledger explain last", "ledger status", "ledger project",
        "ledger --help", "ledger init --ledger other", "ledger --version",
    ])
    func `a full disk is said and exits 74`(command: String) throws {
        let ledger = try Self.ledger()
        let outcome = try ledger.shell("\(command) > /dev/full")
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors == "ledger: error: standard output: No space left on device\n")
    }

    @Test(arguments: [
        (
            "ledger go --at 2026-03-14T08:30:00Z",
            "Appended go_pressed of 2026-03-14 08:30:00 UTC at position 10.\n"
        ),
        ("ledger append drive.jsonl", "What was stored is recognised when it is sent again.\n"),
        (
            "ledger append --receipts drive.jsonl",
            "What was stored is recognised when it is sent again.\n"
        ),
    ])
    func `with the full disk it is said what was stored`(command: String, said: String) throws {
        let ledger = try Self.ledger()
        let outcome = try ledger.shell("\(command) > /dev/full")
        #expect(outcome.exitCode == 74)
        #expect(
            outcome.errors == "ledger: error: standard output: No space left on device\n\(said)"
        )
    }

    /// What is made by these is a directory, or a file with a secret: no stream of bytes.
    @Test(arguments: [
        "ledger bundle --year 2025 -o -", "ledger monthly --month 2025-03 -o -", "ledger backup -",
        "ledger rescue book -o -", "ledger key new -o -", "ledger prove last -o -",
    ])
    func `what is no stream of bytes is not written to standard output`(command: String) throws {
        let ledger = try Self.ledger()
        let outcome = try ledger.shell("\(command); echo $?; ls")
        #expect(outcome.lines.first == "64", "\(outcome.errors)")
        #expect(!outcome.lines.contains("-"))
        #expect(outcome.errors.contains("- is standard output, which takes no such thing: name a"))
    }

    @Test(arguments: [
        "ledger report log --year 2025 -o new/it.html", "ledger backup new/it",
        "ledger chart -o new/it.svg --by month", "ledger map last -o new/it.svg",
        "ledger bundle --year 2025 -o new/it", "ledger export new/it", "ledger key new -o new/it",
        "ledger prove last -o new/it",
        "ledger report log --year 2025 --issue > log; ledger report reissue R1 -o new/it",
    ])
    func `directories above what is written are made`(command: String) throws {
        let ledger = try Self.ledger()
        let made = try ledger.shell("ledger key new > key; ledger head --sign > head; \(command)")
        #expect(made.exitCode == 0, "\(made.errors)")
        #expect(try ledger.shell("ls new").text.hasPrefix("it"))
    }

    @Test func `a report is made again in a file, which is not replaced unasked`() throws {
        let ledger = try Self.ledger()
        let session = """
            ledger report log --year 2026 --format html --issue > log.html 2> /dev/null
            ledger report reissue R1 -o again.html > /dev/null 2>&1; echo $?
            ledger report reissue R1 -o - 2> /dev/null | cmp - again.html; echo $?
            ledger report reissue R1 -o again.html > /dev/null 2>&1; echo $?
            ledger report reissue R1 -o again.html --replace > /dev/null 2>&1; echo $?
            ledger report reissue R1 -o again.html --compare > /dev/null 2>&1; echo $?
            """
        #expect(try ledger.shell(session).lines == ["0", "0", "65", "0", "64"])
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
    func `a ledger without the right to write is named`() throws {
        let ledger = try Self.ledger()
        let outcome = try ledger.shell("chmod -R a-w book; ledger go")
        _ = try ledger.shell("chmod -R u+w book")
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors.hasPrefix("ledger: error: book: "))
        #expect(outcome.errors.contains("Permission denied"))
    }

    @Test(arguments: [
        "head -c 100000 /dev/urandom > book/log/data.mdb", ": > book/log/data.mdb",
        "truncate -s 8192 book/log/data.mdb",
        "sed -i 's/simulated-phone/simulated-chair/g' book/log/data.mdb",
    ])
    func `a damaged log is said to be, and exits 1`(damage: String) throws {
        let ledger = try Self.ledger()
        _ = try ledger.shell(damage)
        for command in ["ledger trips", "ledger log", "ledger append drive.jsonl", "ledger go"] {
            let outcome = try ledger.shell(command)
            #expect(outcome.exitCode == 1, "\(command)")
            #expect(outcome.text == "")
            #expect(outcome.errors.hasPrefix("ledger: error: book: "))
            #expect(outcome.errors.contains("Keep a copy of the directory"))
        }
    }

    @Test func `damaged views are made anew`() throws {
        let ledger = try Self.ledger()
        let trips = try ledger.run("trips").text
        _ = try ledger.shell("head -c 100000 /dev/urandom > book/views/data.mdb")
        let outcome = try ledger.run("trips")
        #expect(outcome.exitCode == 0)
        #expect(outcome.text == trips)
    }

    /// A ledger with one trip, and its events in `drive.jsonl`.
    private static let fixture = LedgerProcess.Fixture(
        shell:
            "ledger init; ledger simulate home-to-office > drive.jsonl; ledger append drive.jsonl"
    )

    private static func ledger() throws -> LedgerProcess { try fixture.copy() }
}
