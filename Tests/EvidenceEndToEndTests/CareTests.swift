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
