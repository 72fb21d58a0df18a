import TestSupport
import Testing

/// Commands that are started with closed standard descriptors, whose numbers files would get.
@Suite struct ClosedStreamTests {
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init
            ledger simulate home-to-office > drive.jsonl
            """
    )

    @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
    func `nothing is printed over the ledger's files`(closed: String) throws {
        let book = try Self.fixture.copy()
        for command in ["append --receipts drive.jsonl", "trips", "go", "verify", "log"] {
            let isHeard = !closed.contains("1>&-")
            let outcome = try book.shell("ledger \(command) \(closed)")
            #expect(outcome.exitCode == (isHeard ? 0 : 74), "\(command) \(closed)")
            // LMDB keeps numbers there. Single bytes of them may look like letters, but there is no
            // text.
            let found = try book.shell(
                "cat book/log/lock.mdb book/views/lock.mdb | LC_ALL=C grep -acE '[ -~]{8}'"
            )
            #expect(found.text == "0\n", "\(command) \(closed)")
        }
        let after = try book.shell("timeout 600 ledger append drive.jsonl && ledger verify")
        #expect(after.exitCode == 0)
        #expect(after.text.contains(#""appended":0"#))
    }

    @Test func `without standard input there is nothing to read`() throws {
        let book = try Self.fixture.copy()
        let outcome = try book.shell("ledger append 0<&-")
        #expect(outcome.exitCode == 0)
        #expect(outcome.text.contains(#""read":0"#))
    }
}
