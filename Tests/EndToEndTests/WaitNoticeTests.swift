import TestSupport
import Testing

@Suite struct WaitNoticeTests {
    @Test(arguments: [("log/data.mdb", "project"), ("heads.lock", "head --sign")])
    func `a command that waits for a stopped process says which`(
        lock: String,
        command: String
    ) throws {
        let book = try LedgerProcess()
        #expect(try book.run("init").exitCode == 0)
        #expect(try book.run("key", "new", "--name", "example.org/book").exitCode == 0)
        let outcome = try book.shell(
            """
            flock --no-fork book/\(lock) sh -c 'echo $$ > holder; kill -STOP $$' &
            until [ -s holder ]; do sleep 0.05; done
            until grep -q '^State:.*stopped' /proc/$(cat holder)/status; do sleep 0.05; done
            ledger \(command) > done 2> said &
            waiting=$!
            until grep -q kill said || ! kill -0 $waiting; do sleep 0.05; done
            cat holder said
            kill -KILL $(cat holder)
            wait $waiting
            """
        )
        let holder = try #require(outcome.lines.first)
        #expect(
            outcome.lines.dropFirst() == [
                "Waiting for process \(holder) (sh), which is at work here.",
                "It is stopped: let it go on with `kill -CONT \(holder)`, or end it.",
            ]
        )
        #expect(outcome.exitCode == 0)
    }
}
