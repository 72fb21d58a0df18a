import Foundation
import TestSupport
import Testing

/// A signed head that cannot be read says nothing against the log, which can be.
@Suite struct UnreadableHeadTests {
    @Test func `the doctor names a signed head that cannot be read, and how it comes back`() throws
    {
        let book = try LedgerProcess()
        let session = """
            ledger init > /dev/null
            ledger key new > /dev/null
            for drive in home-to-office tunnel; do
                ledger simulate $drive | ledger append > /dev/null
                ledger head --sign > /dev/null
            done
            set -- book/heads/*.note; echo $#
            cp "$2" kept
            : > "$2"
            ledger doctor > said; echo $?
            grep -c -e 'ledger rescue' -e 'The log cannot be read' -e 'Entries .*unreadable' said
            grep 'A signed head cannot be read: ' said | grep -o 'cp .*' > cure
            sh -e cure; echo $?
            cmp kept "$2"; echo $?
            ledger verify > /dev/null; echo $?
            ledger doctor | grep -c 'cannot be read'
            : > "$1"
            ledger doctor | grep -c "signed head cannot be read: .*$1; take it from a backup"
            """
        #expect(
            try book.shell(session).lines == ["2", "0", "0", "0", "0", "0", "0", "1"]
        )
    }
}
