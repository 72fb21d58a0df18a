import Foundation
import TestSupport
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
            until [ -s answers ]; do sleep 0.02; done
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
        // The founding entry, and the source that comes with the first event.
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

    @Test func `nothing that is appended while backups are restored is lost`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            event='{"type":"go_pressed","source":"button","occurred_at":1740987000000,"id":"%s"}\\n'
            (for id in $(seq 1 30); do printf "$event" $id | ledger append; done) > answers 2>&1 &
            until [ -s answers ]; do sleep 0.02; done
            for number in 1 2 3 4 5 6; do
                ledger backup $number.backup > /dev/null
                ledger restore-backup $number.backup > restored.$number 2>&1
            done
            wait
            ledger backup last.backup > /dev/null
            ledger restore-backup last.backup > /dev/null; echo "exit $?"
            ledger log --format json | grep -c '"type":"go_pressed"'
            grep -c '"appended":1' answers
            """
        #expect(try book.shell(session).lines == ["exit 0", "30", "30"])
    }

    @Test func `doctor names what a backup that was cut off left beside others`() throws {
        let book = try LedgerProcess()
        let left = "elsewhere/first.backup.1f.new"
        let session = """
            ledger init > /dev/null
            mkdir elsewhere
            ledger backup elsewhere/first.backup > /dev/null
            ledger doctor | grep -c "rm -r"
            mkdir -p \(left)/log elsewhere/other.1f.new/log
            ledger doctor | grep -o "rm -r .*"
            """
        let lines = try book.shell(session).lines
        #expect(lines.count == 2 && lines.first == "0", "\(lines)")
        #expect(lines.last?.hasSuffix(left) == true, "\(lines)")
        #expect(lines.last?.contains("other") == false, "\(lines)")
    }

    @Test func `what a rehearsal left that was cut off is named, and goes with the next backup`()
        throws
    {
        let book = try LedgerProcess()
        let digits = "0123456789abcde"
        let session = """
            ledger init > /dev/null; mkdir b
            ledger backup b --rehearse > /dev/null; ls b | wc -l
            name=$(ls b)
            old=${name%????????T??????Z.backup}20240101T000000Z.backup
            mv b/$name b/$old; name=$old
            for left in 1 2; do
                mkdir -p b/$name.rehearsal.\(digits)$left.new/.restore-7.new/log
                cp b/$name b/$name.rehearsal.\(digits)$left.new/.restore-7.new/log/data.mdb
            done
            mkdir b/$name.rehearsal.1f.new b/$name.rehearsal.txt
            ledger doctor --format json | grep -o '[.]rehearsal[^" ]*' | sort -u
            exec 9< b/$name.rehearsal.\(digits)2.new; flock -n 9
            ledger backup b --keep 1 --rehearse > /dev/null 2> told; echo $?
            ls b | grep -o '[.]rehearsal.*'
            grep -c "was not finished" told
            """
        #expect(
            try book.shell(session).lines == [
                "1", ".rehearsal.\(digits)1.new", ".rehearsal.\(digits)2.new", "0",
                ".rehearsal.\(digits)2.new", ".rehearsal.1f.new", ".rehearsal.txt", "1",
            ]
        )
    }

    @Test func `the next backup removes what a killed one left, and no other's work`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null; mkdir elsewhere
            for left in 2a 3b 4c; do mkdir -p elsewhere/first.backup.$left.new/log; done
            touch elsewhere/first.backup.2a.new/log/data.mdb
            for left in 2a 3b; do touch elsewhere/first.backup.$left.new/backup.lock; done
            exec 9< elsewhere/first.backup.3b.new/backup.lock; flock -n 9
            ledger backup elsewhere/first.backup > /dev/null 2> told; ls elsewhere
            grep -c "was not finished" told
            """
        #expect(
            try book.shell(session).lines == [
                "first.backup", "first.backup.3b.new", "first.backup.4c.new", "2",
            ]
        )
    }

    @Test func `an export removes what a killed one left under its name, and no other's work`()
        throws
    {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null; mkdir out; number=0123456789abcde
            for left in .copy.${number}1 .copy.${number}2 .other.${number}3 .copy.1f; do
                mkdir -p out/$left.new/tile
            done
            touch out/head.${number}4.new out/head.${number}5.new out/heads.${number}6.new
            exec 8< out/.copy.${number}2.new; flock -n 8
            exec 9< out/head.${number}5.new; flock -n 9
            ledger export out/copy > /dev/null
            ledger key new --name example.com/x -o out/head > /dev/null
            ls -A out
            """
        let outcome = try book.shell(session)
        let number = "0123456789abcde"
        #expect(
            outcome.lines.sorted()
                == [
                    ".copy.\(number)2.new", ".copy.1f.new", ".other.\(number)3.new", "copy", "head",
                    "head.\(number)5.new", "heads.\(number)6.new",
                ]
                .sorted(),
            "\(outcome.errors)"
        )
    }

    @Test func `a backup that cannot be read is named`() throws {
        let book = try LedgerProcess()
        let outcome = try book.run("restore-backup", "nowhere", "--ledger", "other")
        #expect(outcome.exitCode == 65 && outcome.errors.contains("nowhere"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: book.directory.path("other")))
    }

    private struct Backup: Decodable {
        var size: Int
    }
}
