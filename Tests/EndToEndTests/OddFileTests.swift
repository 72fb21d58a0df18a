import Foundation
import TestSupport
import Testing

/// Pipes, devices, endless and sparse files, and links, where files of a ledger or of others should
/// be: no command waits, fills the disk or writes elsewhere.
@Suite struct OddFileTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone UTC
            ledger simulate home-to-office | ledger append
            ledger key new --name example.org/book
            ledger head --sign
            ledger export lines
            ledger export --as tiles tiles
            ledger prove 3 --output proofs
            ledger backup book.backup
            """
    )

    /// Runs a command that must end by itself, and not because its time is over, which a machine
    /// that is busy does not reach.
    private func end(_ book: LedgerProcess, _ command: String) throws -> LedgerProcess.Outcome {
        let outcome = try book.shell("timeout 300 \(command)")
        #expect(outcome.exitCode != 124, "\(command) stands still")
        return outcome
    }

    @Test(arguments: ["lines/entries.jsonl", "tiles/export.json", "tiles/tile", "tiles/checkpoint"])
    func `a pipe in the place of a file of an export is no such file`(name: String) throws {
        let book = try Self.fixture.copy()
        let file = try book.shell("find \(name) -type f | sort").lines[0]
        try #require(try book.shell("rm \(file) && mkfifo \(file)").exitCode == 0)
        let folder = file.prefix { $0 != "/" }
        #expect([1, 2, 65].contains(try end(book, "ledger verify \(folder)").exitCode))
        #expect(try end(book, "ledger import \(folder) --ledger other").exitCode != 0)
    }

    @Test func `a pipe in the place of a proof or of an entry is no such file`() throws {
        let book = try Self.fixture.copy()
        for name in try book.shell("ls proofs/*").lines {
            try #require(
                try book.shell("mv \(name) kept && mkfifo \(name)").exitCode == 0
            )
            #expect(try end(book, "ledger verify proofs").exitCode != 0, "\(name)")
            _ = try book.shell("rm \(name) && mv kept \(name)")
        }
        #expect(try end(book, "ledger verify proofs").exitCode != 1)
    }

    @Test(arguments: ["history.jsonl", "log/restored.json", "log/lock.mdb", "log/data.mdb"])
    func `a pipe in the place of a file of a ledger keeps nobody waiting`(name: String) throws {
        let book = try Self.fixture.copy()
        try #require(try book.shell("rm -f book/\(name) && mkfifo book/\(name)").exitCode == 0)
        for command in ["verify", "status", "go", "scrub", "doctor", "rescue book -o saved"] {
            _ = try end(book, "ledger \(command)")
        }
    }

    @Test func `what never ends is read only as far as it can be right`() throws {
        let book = try Self.fixture.copy()
        let device = try end(book, "ledger verify /dev/zero")
        #expect(device.exitCode == 65)
        #expect(device.errors.contains("ledger: error: /dev/zero: "))
        let pipe = try end(book, "sh -c 'cat /dev/zero | ledger verify -'")
        #expect(pipe.exitCode == 1)
        #expect(pipe.text.contains("a line is longer than any of an export"))
        for command in ["restore-backup", "rescue"] {
            let options = command == "rescue" ? "-o saved" : "--ledger saved"
            let outcome = try end(book, "ledger \(command) /dev/zero \(options)")
            #expect(outcome.exitCode == 65, "\(command)")
        }
        let restored = try end(
            book,
            "sh -c 'mkfifo endless; cat /dev/zero > endless & "
                + "ledger restore-backup endless --ledger saved'"
        )
        #expect(restored.exitCode == 1)
        #expect(restored.errors.contains("not a file of LMDB"))
        #expect(try book.shell("ls saved").exitCode != 0)
    }

    @Test func `a backup with a hole takes no more room when it is restored`() throws {
        let book = try Self.fixture.copy()
        let outcome = try book.shell(
            """
            truncate -s 2G book.backup
            ledger restore-backup book.backup --ledger saved && ledger verify saved
            du -sk saved | cut -f 1
            """
        )
        let kilobytes = try #require(outcome.lines.last.flatMap { Int($0) })
        #expect(kilobytes < 10_000)
    }

    @Test func `heads are signed into the ledger's own folder, and not where a link leads`()
        throws
    {
        let book = try Self.fixture.copy()
        try #require(
            try book.shell("mv book/heads outside && ln -s ../outside book/heads && ledger go")
                .exitCode == 0
        )
        let before = try book.shell("ls outside").text
        let outcome = try book.run("head", "--sign")
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors.contains("book/heads: this is no folder of the ledger's own"))
        #expect(try book.shell("ls outside").text == before)
    }

    @Test(arguments: [
        "localtime", "posixrules", "Factory", "posix/Europe/Amsterdam", "right/Europe/Amsterdam",
        "Europe//Amsterdam", "Europe/Amsterdam/",
    ])
    func `a time zone that is no place is refused`(name: String) throws {
        let book = try LedgerProcess()
        let outcome = try book.run("init", "--time-zone", name)
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.contains("is no time zone that this machine knows"))
        #expect(try book.run("init", "--time-zone", "Europe/Amsterdam").exitCode == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "skipped: only the superuser may mount"))
    func `a backup without room exits 74`() throws {
        let book = try Self.fixture.copy()
        let outcome = try book.shell(
            """
            mkdir small
            size=$(($(stat -c %s book/log/data.mdb) / 1024))
            for more in -4 0 4 8 12 16; do
                unshare -m sh -c "mount -t tmpfs -o size=$((size + more))k tmpfs small || exit 9
                    ledger backup small/a.backup > /dev/null"
                echo $?
            done
            """
        )
        #expect(Set(outcome.lines).isSubset(of: ["0", "74"]), "\(outcome.lines)")
        #expect(outcome.lines.first == "74")
        #expect(outcome.lines.last == "0")
    }

    @Test func `what a backup left that was killed is named by the next one`() throws {
        let book = try Self.fixture.copy()
        let left = "book.backup.0123456789abcdef.new"
        _ = try book.shell("mkdir -p \(left)/log && cp book/log/data.mdb \(left)/log/")
        let outcome = try book.run("backup", "book.backup", "--replace")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("\(left) holds a copy of the log that was not finished"))
    }
}
