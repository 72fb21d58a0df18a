import Foundation
import TestSupport
import Testing

/// What timers call: a month is issued once, and backups are tried and do not pile up.
@Suite struct CareTests {
    @Test func `a month is kept once, with the report that was issued, whatever runs again`() throws
    {
        let book = try LedgerProcess()
        let session = """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            ledger key new > /dev/null
            ledger monthly -o kept --month 2025-03 || echo failed
            ledger monthly -o kept --month 2025-03 || echo failed
            ledger report reissue R1 2> /dev/null | cmp - kept/2025-03/log.html && echo same
            cp kept/2025-03/bundle/key.txt own.key
            ledger verify kept/2025-03/bundle --key own.key > /dev/null; echo $?
            cmp kept/2025-03/head.note kept/2025-03/bundle/head.note && echo signed
            rm -r kept/2025-03
            ledger monthly -o kept --month 2025-03 || echo failed
            ledger report issued --format json | wc -l
            ledger monthly -o kept --month 2999-01 > /dev/null 2>&1; echo $?
            ls kept
            """
        let kept = "Kept 2025-03 in kept/2025-03: report R1."
        let already = "2025-03 is kept in kept/2025-03 already."
        #expect(
            try book.shell(session).lines
                == [kept, already, "same", "0", "signed", kept, "1", "64", "2025-03"]
        )
    }

    @Test func `a report that a person issued before the last entries came is never kept`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            drive() { ledger simulate home-to-office --source $1 | ledger append > /dev/null; }
            issue() { ledger report log --month 2025-03 --issue --format html 2> /dev/null; }
            drive first; issue > early.html
            drive second
            ledger monthly -o kept --month 2025-03
            cmp -s early.html kept/2025-03/log.html; echo $?
            drive third; issue > late.html
            rm -r kept/2025-03
            ledger monthly -o kept --month 2025-03
            ledger report reissue R2 2> /dev/null | cmp - kept/2025-03/log.html && echo same
            ledger verify > /dev/null; echo $?
            """
        let kept = "Kept 2025-03 in kept/2025-03: report R2."
        #expect(try book.shell(session).lines == [kept, "1", kept, "same", "0"])
    }

    @Test(arguments: ["--witnesses nonsense", "--stamp http://127.0.0.1:9/ --stamps nonsense"])
    func `a mistake in what others are asked with is said before anything is issued or signed`(
        asked: String
    ) throws {
        let book = try LedgerProcess()
        let session = """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            ledger key new > /dev/null
            echo nonsense > nonsense
            ledger monthly -o kept --month 2025-03 \(asked) 2> /dev/null; echo $?
            ledger head --sign \(asked) > /dev/null 2>&1; echo $?
            ledger report issued --format ids | wc -l
            ls book/heads 2> /dev/null | wc -l
            """
        #expect(try book.shell(session).lines == ["65", "65", "0", "0"])
    }

    @Test func `however many runs begin at once, a month is issued once`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            for run in 1 2 3; do
                { ledger monthly -o kept --month 2025-03 > said-$run; echo $? > code-$run; } &
            done
            wait
            cat code-1 code-2 code-3 | sort -u
            cat said-1 said-2 said-3 | sort | uniq -c | sed 's/^ *//'
            ledger report issued --format ids
            ls kept
            """
        let kept = "1 Kept 2025-03 in kept/2025-03: report R1."
        let already = "2 2025-03 is kept in kept/2025-03 already."
        #expect(try book.shell(session).lines == ["0", already, kept, "R1", "2025-03"])
    }

    @Test func `a month is kept only where its own ledger has kept it`() throws {
        let book = try LedgerProcess()
        let session = """
            for one in book other; do
                ledger init --ledger $one --time-zone Europe/Amsterdam > /dev/null
                ledger simulate home-to-office | ledger append --ledger $one > /dev/null
            done
            ledger monthly --ledger book -o kept --month 2025-03 > /dev/null; echo $?
            ledger monthly --ledger other -o kept --month 2025-03 2> said; echo $?
            grep -c 'kept/2025-03: a month of another ledger is kept here' said
            mkdir -p made/2025-03
            ledger monthly --ledger other -o made --month 2025-03 2> said; echo $?
            grep -c 'made/2025-03: it holds no bundle' said
            ledger report issued --ledger other --format ids | wc -l
            mkdir moved && cp -r kept/2025-03 moved/2025-02
            ledger monthly --ledger book -o moved --month 2025-02 2> said; echo $?
            grep -c 'log.html in it is no report of the month' said
            ledger monthly --ledger book -o kept --month 2025-03 --format json
            ledger doctor --ledger other --format json | grep -c last_monthly_at
            ledger doctor --ledger book --format json | grep -c last_monthly_at
            """
        let json = #"{"month":"2025-03","folder":"kept/2025-03","report":"R1","new":false}"#
        #expect(
            try book.shell(session).lines
                == ["0", "65", "1", "65", "1", "0", "65", "1", json, "0", "1"]
        )
    }

    @Test func `older backups go when the new one was restored, and no other file`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            mkdir b
            ledger backup b > /dev/null
            name=$(ls b)
            start=${name%????????T??????Z.backup}
            mv b/$name b/${start}20240101T000000Z.backup
            cp b/${start}20240101T000000Z.backup b/${start}20240102T000000Z.backup
            touch b/${start}notes.backup b/other.backup b/${start}20240101T000000Z.backup.server
            ledger backup b --keep 2 --rehearse > /dev/null 2> said; echo $?
            grep -c 'It was restored and read' said
            ls b | wc -l
            ls b | grep -c 20240101
            ls b | grep -c 20240102
            ledger doctor --format json | grep -c last_rehearsal_at
            ledger backup b/one.backup --keep 2 > /dev/null 2>&1; echo $?
            """
        #expect(
            try book.shell(session).lines == ["0", "1", "4", "0", "1", "1", "64"]
        )
    }

    @Test func `no older backup goes if tokens or signed heads are missing in the new one`() throws
    {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger key new > /dev/null
            ledger token new phone > /dev/null
            ledger head --sign > /dev/null
            mkdir b
            ledger backup b --keep 1 > /dev/null
            name=$(ls b | grep 'backup$')
            old=${name%????????T??????Z.backup}20240101T000000Z.backup
            for part in '' .server .heads; do mv b/$name$part b/$old$part; done
            cp -r book sound
            printf x | dd of=book/server/data.mdb bs=1 seek=30 conv=notrunc 2> /dev/null
            truncate -s 4096 book/server/data.mdb
            ledger backup b --keep 1 --rehearse --format json > made 2> said; echo $?
            grep -c '"tokens_problem":"' made
            grep -c '"message":"the tokens are not in the backup' said
            ls b | grep -c 20240101
            rm -r book $(ls -d b/* | grep -v 20240101); mv sound book
            for head in book/heads/*.note; do : > $head; done
            ledger backup b --keep 1 --format json > made 2> said; echo $?
            grep -c '"heads_left":\\["book/heads/' made
            ls b | grep -c 20240101
            """
        let outcome = try book.shell(session)
        #expect(outcome.lines == ["1", "1", "1", "3", "1", "1", "3"], "\(outcome.errors)")
    }

    @Test func `the oldest backup is the one that was made first, whatever the clock said`() throws
    {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            mkdir b
            for day in 20990101 20240102; do
                ledger backup b > /dev/null
                name=$(ls b | grep -v -e 20990101 -e 20240102)
                other=${name%????????T??????Z.backup}${day}T000000Z.backup
                mv b/$name b/$other
                sed -i "s/$name/$other/" book/history.jsonl
            done
            ledger backup b --keep 2 > /dev/null 2>&1; echo $?
            ls b | wc -l
            ls b | grep -c -e 20990101
            ls b | grep -c -e 20240102
            """
        #expect(try book.shell(session).lines == ["0", "2", "0", "1"])
    }

    @Test func `a head that nobody stamps or cosigns is not said to be`() throws {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger key new > /dev/null
            ledger head --sign > /dev/null
            echo nonsense > policy
            ledger head --signed --witnesses policy > /dev/null 2>&1; echo $?
            ledger head --signed --stamp ftp://nowhere > /dev/null 2>&1; echo $?
            echo none > none.pem
            ledger verify --stamps none.pem > /dev/null 2>&1; echo $?
            """
        #expect(try book.shell(session).lines == ["65", "64", "65"])
    }
}
