import Foundation
import Testing

/// Backups of a ledger that is in use.
@Suite struct BackupTests {
    @Test func `a backup while others append is a whole state of the ledger`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate bulk --fixes 4000 > events
            (while read -r line; do
                printf '%s\\n' "$line" | ledger append || exit
                [ -e enough ] && exit
            done < events) > answers &
            until [ -s answers ]; do :; done
            for number in 1 2 3 4; do
                before=$(grep -c '"appended":1' answers)
                ledger backup $number.backup --format json || echo failed
                echo "before $before after $(grep -c '"appended":1' answers)"
            done
            touch enough
            wait
            """
        let lines = try book.shell(session).lines
        try #require(lines.count == 8, "\(lines)")
        let log = try book.run("log", "--format", "json").lines
        // What is there at the start, and the source that comes with the first event.
        let founding = 2
        for number in 1...4 {
            let backup = try JSONDecoder()
                .decode(Backup.self, from: Data(lines[2 * number - 2].utf8))
            let counts = lines[2 * number - 1].matches(of: /\d+/).compactMap { Int($0.output) }
            #expect(backup.size >= counts[0] + founding, "an acknowledged event is not in it")
            #expect(backup.size <= counts[1] + founding + 1)
            let name = "\(number).backup"
            let copy = "copy-\(number)"
            let restored = try book.run("restore-backup", name, "--ledger", copy)
            #expect(restored.exitCode == 0, "\(restored.errors)")
            #expect(try book.run("verify", copy).exitCode == 0)
            let entries = try book.run("log", "--ledger", copy, "--format", "json").lines
            #expect(entries == Array(log.prefix(backup.size)))
        }
    }

    private struct Backup: Decodable {
        var size: Int
    }
}
