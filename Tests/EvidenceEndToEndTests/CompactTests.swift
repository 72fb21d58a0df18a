import Foundation
import TestSupport
import Testing

/// `ledger compact`: less than half the room, and nothing else is different.
@Suite struct CompactTests {
    @Test func `everything reads the same, and more can be done`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger key new > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            ledger simulate bulk --drives 2 --fixes 600 --source other | ledger append > /dev/null
            ledger trips > /dev/null
            ledger head --sign > /dev/null
            all() { ledger log --format json; ledger trips --format json; ledger head; }
            all > before
            ledger compact --format json > once.json
            all > after
            cmp before after && echo same
            ledger verify | head -n 1
            ledger project --check 2>&1
            ledger export copy > /dev/null; ledger backup b.backup > /dev/null
            ledger --ledger imported import copy > /dev/null
            ledger log --format json > before
            ledger --ledger imported log --format json | cmp - before && echo same
            ledger restore-backup b.backup --ledger restored > /dev/null
            ledger verify restored | head -n 1
            ledger erase 6-8,400-500 --why x --yes > /dev/null; ledger verify | head -n 1
            ledger simulate tunnel --source third | ledger append > /dev/null
            ledger compact > /dev/null; ledger verify | head -n 1
            ledger compact
            ledger doctor > /dev/null; echo "exit $?"
            """
        let lines = try ledger.shell(session).lines
        #expect(
            lines == [
                "same", "SOUND", "Every row is what the log says.", "same", "SOUND",
                "SOUND", "SOUND",
                "There is nothing to compact: no full block would become shorter.", "exit 0",
            ]
        )
    }

    @Test func `a run that is killed leaves the log as it was, or compacted`() throws {
        let ledger = try LedgerProcess()
        let delays = "0.005 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2 0.3 0.4 0.6"
        let session = """
            ledger init > /dev/null
            ledger simulate bulk --drives 20 --fixes 1000 | ledger append > /dev/null
            cp -r book sound
            for delay in \(Seeds.isThorough ? delays : "0.01 0.1 0.4"); do
                rm -rf book; cp -r sound book
                ledger compact > out 2>&1 & process=$!
                sleep $delay; kill -9 $process 2> /dev/null; wait $process 2> /dev/null
                ledger head > head 2>&1; ledger --ledger sound head | cmp - head || echo wrong
                ledger compact > /dev/null || echo "failed after $delay"
                [ -e book/log.rewritten ] && echo "left over after $delay"
                ledger verify > verdict || cat verdict
            done 2> /dev/null
            ledger verify | head -n 1
            """
        let lines = try ledger.shell(session).lines
        #expect(lines == ["SOUND"])
    }

    @Test func `without room, or beside another process, nothing is changed`() throws {
        let ledger = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate bulk --drives 5 --fixes 1000 | ledger append > /dev/null
            cp book/log/data.mdb before
            mkdir -p book/log.rewritten/in-the-way
            ledger compact > refused 2>&1; echo "exit $?"
            rm -r book/log.rewritten
            cmp before book/log/data.mdb && echo same
            mkfifo pipe
            ledger append --receipts pipe > receipts 2> /dev/null &
            exec 3> pipe
            ledger simulate tunnel --source other | head -n 1 >&3
            until [ -s receipts ]; do sleep 0.02; done
            ledger compact 2>&1; echo "exit $?"
            exec 3>&-
            wait
            ledger compact > /dev/null; echo "exit $?"
            ledger verify | head -n 1
            """
        let lines = try ledger.shell(session).lines
        #expect(lines.contains("same"))
        #expect(lines.contains { $0.contains("another process has the ledger open") })
        #expect(lines.filter { $0 == "exit 74" }.count == 2)
        #expect(lines.suffix(2) == ["exit 0", "SOUND"])
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `real fixes take at most 20 bytes, file and indexes included`() throws {
        let ledger = try LedgerProcess()
        let traces = SharedData.url("traces").path
        let session = """
            ledger init > /dev/null
            cat \(traces)/*.jsonl | ledger append > /dev/null 2>&1
            ledger compact > /dev/null
            wc -c < book/log/data.mdb
            ledger log --format json | grep -c '"type":"fix_recorded"'
            ledger verify | head -n 1
            """
        let lines = try ledger.shell(session).lines
        let bytes = try #require(Int(lines[0].trimmingCharacters(in: .whitespaces)))
        let fixes = try #require(Int(lines[1].trimmingCharacters(in: .whitespaces)))
        #expect(fixes > 80_000)
        #expect(bytes <= 20 * fixes)
        #expect(lines[2] == "SOUND")
    }
}
