import Foundation
import TestSupport
import Testing

/// A writer that reads a pipe while its files are deleted, moved or replaced under it.
@Suite struct DisplacedLedgerTests {
    /// A ledger, a copy of it from before its last event, and lines to append.
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init
            cp -a book older
            ledger go --source hand
            ledger simulate home-to-office > drive.jsonl
            """
    )

    @Test(arguments: [
        "rm -r book",
        "rm -r book/log",
        "rm book/log/data.mdb",
        "rm book/log/lock.mdb",
        "mv book elsewhere",
        "mv book/log book/log.old",
        "rm -r book && ledger init",
        "rm -r book/log && cp -a older/log book/log",
        "mv book elsewhere && cp -a elsewhere book",
        "cp older/log/data.mdb passing && mv passing book/log/data.mdb",
        "cp older/log/lock.mdb passing && mv passing book/log/lock.mdb",
    ])
    func `nothing is acknowledged that is not at the path`(change: String) throws {
        let book = try Self.fixture.copy()
        let lines = try book.shell("cat drive.jsonl").lines
        let writer = try FollowedProcess(book.process(["append", "--receipts"]))
        try writer.type(lines[0] + "\n")
        #expect(writer.nextLine()?.contains(#""receipt":"appended""#) == true)
        try #require(try book.shell(change).exitCode == 0)
        try writer.type(lines[1] + "\n")
        let receipt = writer.nextLine()
        #expect(receipt == nil)
        let end = writer.end(with: receipt == nil ? nil : SIGTERM)
        #expect(end.exitCode == 74)
        #expect(end.errors.contains("was deleted, moved, replaced or overwritten"))
        #expect(end.errors.contains("Store it again"))
    }

    @Test func `a duplicate is acknowledged only if what it repeats is at the path`() throws {
        let book = try Self.fixture.copy()
        let lines = try book.shell("cat drive.jsonl").lines
        let writer = try FollowedProcess(book.process(["append", "--receipts"]))
        try writer.type(lines[0] + "\n")
        #expect(writer.nextLine() != nil)
        try #require(try book.shell("mv book elsewhere").exitCode == 0)
        try writer.type(lines[0] + "\n")
        let receipt = writer.nextLine()
        #expect(receipt == nil)
        #expect(writer.end(with: receipt == nil ? nil : SIGTERM).exitCode == 74)
    }

    @Test func `with the lock file deleted, no second writer comes in, and nothing is lost`()
        throws
    {
        let book = try Self.fixture.copy()
        let lines = try book.shell("cat drive.jsonl").lines
        let writer = try FollowedProcess(book.process(["append", "--receipts"]))
        try writer.type(lines[0] + "\n")
        #expect(writer.nextLine() != nil)
        try #require(try book.shell("rm book/log/lock.mdb").exitCode == 0)
        for command in ["append drive.jsonl", "go", "trips", "erase --sweep", "verify"] {
            let other = try book.shell("ledger \(command)")
            #expect(other.exitCode == (command == "verify" ? 2 : 74), "\(command)")
            let said = other.errors + other.text
            #expect(said.contains("another process uses data.mdb"), "\(command)")
        }
        let restored = try book.shell("ledger --ledger older backup b && ledger restore-backup b")
        #expect(restored.exitCode == 65)
        #expect(restored.errors.contains("has this ledger open"))
        #expect(writer.end(with: SIGKILL).exitCode == 128 + SIGKILL)
        let again = try book.shell("ledger append drive.jsonl && ledger verify")
        #expect(again.exitCode == 0)
        #expect(again.text.contains(#""duplicate":1"#))
    }

    @Test func `a lock file that was cut while it was in use is named`() throws {
        let book = try Self.fixture.copy()
        let lines = try book.shell("cat drive.jsonl").lines
        let writer = try FollowedProcess(book.process(["append", "--receipts"]))
        try writer.type(lines[0] + "\n")
        #expect(writer.nextLine() != nil)
        try #require(try book.shell(": > book/log/lock.mdb").exitCode == 0)
        let other = try book.run("go")
        #expect(other.exitCode == 74)
        #expect(other.errors.contains("lock.mdb: open: this file was cut"), "\(other.errors)")
        try writer.type(lines[1] + "\n")
        let receipt = writer.nextLine()
        #expect(receipt == nil)
        let end = writer.end(with: receipt == nil ? nil : SIGTERM)
        #expect(end.exitCode == 74)
        #expect(end.errors.contains("/lock.mdb: another program cut this file"), "\(end.errors)")
        #expect(try book.shell("ledger append drive.jsonl && ledger verify").exitCode == 0)
    }

    @Test func `a log that was cut while it was in use is named, and no views are blamed`() throws {
        let book = try Self.fixture.copy()
        let lines = try book.shell("ledger trips > /dev/null; cat drive.jsonl").lines
        let writer = try FollowedProcess(book.process(["append", "--receipts"]))
        try writer.type(lines[0] + "\n")
        #expect(writer.nextLine() != nil)
        try #require(try book.shell("truncate -s 4096 book/log/data.mdb").exitCode == 0)
        try writer.type(lines[1] + "\n")
        let receipt = writer.nextLine()
        #expect(receipt == nil)
        let end = writer.end(with: receipt == nil ? nil : SIGTERM)
        #expect(end.exitCode == 74)
        #expect(end.errors.contains("log/data.mdb: another program cut this file"), "\(end.errors)")
        #expect(!end.errors.contains("thrown away"), "\(end.errors)")
        #expect(FileManager.default.fileExists(atPath: book.directory.path("book/views/data.mdb")))
    }

    @Test func `a reader does not make views of a log that is not at its path`() throws {
        let book = try Self.fixture.copy()
        let watch = try FollowedProcess(
            book.process(["watch", "--since", "0", "--format", "json"])
        )
        defer { _ = watch.end(with: SIGTERM) }
        #expect(watch.nextLine() != nil)
        try #require(
            try book.shell("mv book elsewhere && ledger init && ledger go").exitCode == 0
        )
        let end = watch.end(with: nil)
        #expect(end.exitCode == 74)
        #expect(end.errors.contains("was deleted, moved, replaced or overwritten"))
        #expect(try book.run("verify").exitCode == 0)
    }
}
