import Foundation
import TestSupport
import Testing

/// `ledger worker`: rows of ledgers of which it has nothing but the bytes.
@Suite struct WorkerTests {
    private static let setUp = """
        export LEDGER_DIR=one; ledger init > /dev/null
        ledger simulate --start 2025-03-01 --days 3 | ledger append > /dev/null
        ledger export --as segments - > one.segments
        export LEDGER_DIR=two; ledger init > /dev/null
        ledger simulate tunnel | ledger append > /dev/null
        ledger export --as segments - > two.segments
        work() { ledger worker --as-of 2026-01-01T00:00:00Z "$@"; }
        rows() {
            from=$1; shift
            ledger --ledger $from trips --all --as-of 2026-01-01T00:00:00Z --format json "$@"
        }
        unwrap() {
            grep -v '^{"kind":"end"' | sed 's/^{"kind":"trip","ledger":"[0-9a-f]*","row"://; s/}$//'
        }

        """

    private func lines(_ session: String) throws -> [String] {
        try LedgerProcess().shell(Self.setUp + session).lines
    }

    @Test func `its rows are those of the list, wherever they are made`() throws {
        let lines = try lines(
            """
            { rows one; rows two; } > expected
            cat one.segments two.segments | work > made; echo "exit $?"
            unwrap < made | cmp - expected && test -s expected && echo same
            mkdir scratch
            cat one.segments two.segments | work --scratch scratch --memory 1K | cmp - made \
                && echo again
            ls -A scratch
            for ledger in one two; do
                work < $ledger.segments | grep -v '"kind":"end"' | sha256sum | cut -c 1-64 > sum
                grep -c "\\"sha256\\":\\"$(cat sum)\\"" made
            done
            """
        )
        #expect(lines == ["exit 0", "same", "again", "1", "1"])
    }

    @Test func `a damaged ledger has no end, or one that says so beside others`() throws {
        let lines = try lines(
            """
            size=$(stat -c %s one.segments)
            byte=$(tail -c 10 one.segments | head -c 1 | od -An -tu1)
            { head -c $((size - 10)) one.segments; printf "\\\\$(printf %o $((byte ^ 1)))"
              tail -c 9 one.segments; } > bad.segments
            work < bad.segments > out 2> errors; echo "exit $?"; grep -c '"end"' out
            cat bad.segments two.segments | work > out 2> errors; echo "exit $?"
            grep -c '"error":"wrong_root"' out
            grep '"end"' out | tail -n 1 | grep -c '"sha256"'
            head -c 1000 one.segments | work; echo "exit $?"
            ledger worker < one.segments > out 2> errors; echo "exit $?"
            work < /dev/null; echo "exit $?"
            """
        )
        #expect(
            lines == [
                "exit 65", "0", "exit 1", "1", "1", "exit 65", "exit 64", "exit 65",
            ]
        )
    }

    @Test func `rules in a file stand in the place of those in the log`() throws {
        let lines = try lines(
            """
            ledger import one.segments --ledger other > /dev/null
            export LEDGER_DIR=other
            ledger rules set silence_seconds=120 --from 2000-01-01T00:00:00Z > /dev/null
            ledger --ledger other log --format json | grep '"type":"rules_adopted"' > rules.jsonl
            wc -l < rules.jsonl
            work --rules rules.jsonl < one.segments > made; echo "exit $?"
            rows other > expected; unwrap < made | cmp - expected && test -s expected && echo same
            ledger --ledger other export --as segments - > other.segments
            : > none.jsonl
            work --rules none.jsonl < other.segments | unwrap > made
            rows one | cmp - made && echo none
            work --rules one.segments < one.segments > out 2> errors; echo "exit $?"
            """
        )
        #expect(lines == ["1", "exit 0", "same", "none", "exit 65"])
    }

    @Test func `each list is that of its command, and groups are chosen`() throws {
        let lines = try lines(
            """
            export LEDGER_DIR=mixed; ledger init > /dev/null
            ledger simulate tunnel > tunnel.jsonl
            for group in 7 8 9; do
                sed "s/\\"source\\":\\"/&g$group-/" tunnel.jsonl | ledger append --group $group
            done > /dev/null
            ledger append < tunnel.jsonl > /dev/null
            ledger place save everywhere --lat 52 --lon 5 --radius 1000000 > /dev/null
            ledger vehicle register van --plate V-123-AB > /dev/null
            ledger export --as segments - > mixed.segments
            kind() { grep "^{\\"kind\\":\\"$1\\"" | sed 's/^.*"row"://; s/}$//'; }
            work --emit vehicles,totals,trips,visits < mixed.segments > made; echo "exit $?"
            now="--as-of 2026-01-01T00:00:00Z --format json"
            rows mixed > trips; kind trip < made | cmp - trips && test -s trips && echo trips
            ledger visits --format json > visits
            kind visit < made | cmp - visits && test -s visits && echo visits
            ledger totals $now > totals
            kind total < made | cmp - totals && test -s totals && echo totals
            ledger vehicle list --format json > vehicles
            kind vehicle < made | cmp - vehicles && test -s vehicles && echo vehicles
            { rows mixed --group 7; rows mixed --group ''; } | sort > some
            work --group 7 --group '' < mixed.segments > made
            kind trip < made | sort | cmp - some && test -s some && echo groups
            ledger totals --group 8 $now > totals
            work --emit totals --group 9 --group 8 < mixed.segments | grep '"group":"8"' \
                | kind total | cmp - totals && test -s totals && echo sums
            ledger report claim --jurisdiction us --year 2025 --group 8 $now > claims
            work --emit claims --jurisdiction us --year 2025 < mixed.segments > made
            grep '"group":"8"' made | kind claim | cmp - claims && test -s claims && echo claims
            grep -c '"row":{"kind":"total"' made
            work --emit claims < mixed.segments 2> errors; echo "exit $?"
            work --emit trips,nothing < mixed.segments 2> errors; echo "exit $?"
            """
        )
        #expect(
            lines == [
                "exit 0", "trips", "visits", "totals", "vehicles", "groups", "sums",
                "claims", "4", "exit 64", "exit 64",
            ]
        )
    }

    @Test func `what is refused is refused by its code, and has no end`() throws {
        let lines = try lines(
            """
            refused() {
                ledger worker --as-of 2026-01-01T00:00:00Z > out 2> errors
                echo "exit $? $(grep -o '"code":"[a-z_]*"' errors) $(grep -c '"kind":"end"' out)"
            }
            header=$(tail -c +2 one.segments | head -c 4 | od -An -tu1 | awk '{print $3*256+$4}')
            head -c $((header + 5)) one.segments > begun
            tail -c +$((header + 6)) one.segments > rest
            { cat begun; printf 'X\\0\\0\\0\\0'; cat rest; } | refused
            { cat begun; printf 'S\\377\\0\\0\\0'; } | refused
            { cat begun; tail -c 5 one.segments; } | refused
            cat begun | refused
            { cat begun; cat rest | head -c $(($(stat -c %s rest) - 5)); cat rest; } | refused
            sed 's,ledger-segments/v1,ledger-segments/v9,' one.segments | refused
            # A frame after the end, and entries that are no log.
            { cat one.segments; tail -c 5 one.segments; } | refused
            { printf 'H\\0\\0\\0\\236{"format":"ledger-segments/v1",'
              printf '"ledger":"0123456789abcdef0123456789abcdef","size":0,"root":"'
              printf 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}E'
              printf '\\0\\0\\0\\0'
            } > empty.segments
            refused < empty.segments
            grep -c 'holds no entries' errors; grep -c init errors
            """
        )
        #expect(
            lines == [
                "exit 65 \"code\":\"bad_frame\" 0", "exit 65 \"code\":\"bad_frame\" 0",
                "exit 65 \"code\":\"gap\" 0", "exit 65 \"code\":\"truncated\" 0",
                "exit 65 \"code\":\"gap\" 0", "exit 65 \"code\":\"unknown_version\" 0",
                "exit 65 \"code\":\"bad_frame\" 0", "exit 65 \"code\":\"bad_frame\" 0", "1", "0",
            ]
        )
    }
}
