import Foundation
import TestSupport
import Testing

/// Erasing beside other processes that use the ledger.
@Suite struct SweepTests {
    @Test func `what a killed dry run copied is gone after an erasure, and after the next dry run`()
        throws
    {
        let ledger = try LedgerProcess()
        let session = """
            export TMPDIR="$PWD/temporary"; mkdir temporary
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            copy() {
                mkfifo pipe
                ledger append --dry-run pipe > /dev/null 2>&1 & exec 3> pipe
                until [ -e temporary/ledger-copy.*/log/data.mdb ]; do sleep 0.02; done
                kill -9 $!; wait $! 2> /dev/null; exec 3>&-; rm pipe
                ls temporary | grep -c ledger-copy
            }
            copy; ledger erase 4 --why x --yes > /dev/null; ls temporary | wc -l
            copy; ledger simulate tunnel | ledger append --dry-run > /dev/null 2>&1
            ls temporary | wc -l
            """
        let lines = try ledger.shell(session).lines
        #expect(lines == ["1", "0", "1", "0"])
    }

    @Test func `files are not exchanged under a process that has them open`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            mkfifo pipe
            ledger append --receipts pipe > receipts 2> /dev/null &
            exec 3> pipe
            ledger simulate tunnel --source other | head -n 1 >&3
            until [ -s receipts ]; do sleep 0.02; done
            ledger erase 4 --why x --yes 2>&1; echo "exit $?"
            exec 3>&-
            wait
            ledger erase --sweep; echo "exit $?"
            ledger project --check 2>&1
            """
        let lines = try ledger.shell(session).lines
        #expect(lines.contains { $0.contains("another process has the ledger open") })
        #expect(lines.contains("exit 74"))
        #expect(lines.contains("The log's file and the views were written anew."))
        #expect(lines.contains("exit 0"))
        #expect(lines.last == "Every row is what the log says.")
    }

    @Test func `an erasure of a trip that was cut off is finished when it is said again`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            trip=$(ledger trips --format json | grep -o '"id":"[0-9a-f]*"' |
                head -n 1 | cut -d '"' -f 4)
            ledger token new phone > /dev/null 2>&1
            mkdir -p book/log.rewritten/in-the-way book/server/drop/one
            ledger erase --trip $trip --why x --yes > /dev/null 2>&1; echo "exit $?"
            rm -r book/log.rewritten
            ledger erase --trip $trip --why x 2>&1 | grep -c 'ledger erase --sweep'
            ledger erase --trip $trip --why x --yes 2> errors; echo "exit $?"
            grep -c 'An earlier erasure was cut off, and is finished now' errors
            ledger erase --sweep
            ledger erase --trip $trip --why x --yes 2>&1 | grep -c 'cut off'
            """
        let lines = try ledger.shell(session).lines
        let drop = "What was erased may still be in server/drop, which you can delete."
        #expect(
            lines == [
                "exit 74", "1", "The log's file and the views were written anew.", drop, "exit 65",
                "1", "Nothing that was erased is left in the log's file and the views.", drop, "0",
            ]
        )
    }

    @Test func `nothing that is appended during sweeps is lost`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            event='{"type":"go_pressed","source":"%s","occurred_at":1740987000000,"id":"%s"}\\n'
            for source in a b; do (
                for id in $(seq 1 15); do printf "$event" $source $id | ledger append; done
            ) > $source.log 2>&1 & done
            for position in 3 4 5 6 7 8; do ledger erase $position --why x --yes; done > e.log 2>&1
            wait
            ledger erase --sweep > /dev/null
            ledger log --format json | grep -c '"type":"go_pressed","source":"[ab]"'
            ledger log --format json | grep -c '"type":"erased"'
            ledger project --check 2>&1
            cat a.log b.log | grep -v -e '"appended":1' -e '^Waiting for process ' | head -n 3
            """
        let lines = try ledger.shell(session).lines
        #expect(lines == ["30", "6", "Every row is what the log says."])
    }

    @Test func `an erasure whose files cannot be written anew is told, and what holds it too`()
        throws
    {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            mkdir -p book/log.rewritten/in-the-way book/replaced-1
            ledger erase 4 --why x --yes 2>&1; echo "exit $?"
            ledger backup one.backup 2>&1 | grep -c 'What was erased may still be in unused places'
            rm -r book/log.rewritten
            ledger erase --sweep
            ledger backup two.backup 2>&1 | grep -c 'What was erased'
            ledger erase --sweep --format json
            """
        let lines = try ledger.shell(session).lines
        #expect(lines.first == "Erased 1 entry: 4.")
        #expect(lines.contains { $0.hasPrefix("What was erased may still be in unused places") })
        let end = try #require(lines.firstIndex(of: "exit 74"))
        #expect(
            lines[(end + 1)...].prefix(2) == [
                "1", "The log's file and the views were written anew.",
            ]
        )
        #expect(lines.contains { $0.contains("may still be in replaced-1, which you can delete") })
        #expect(lines.contains("0"))
        #expect(lines.last?.hasSuffix(#""swept":false,"unswept":["replaced-1"]}"#) == true)
    }
}
