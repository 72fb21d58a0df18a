import Foundation
import TestSupport
import Testing

/// Notes go to files byte for byte, and to a screen as something to read.
@Suite struct NoteOnScreenTests {
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
            "skipped: script, which stands in for a screen, is not installed"
        )
    )
    func `what others wrote below a head does nothing to a screen`() throws {
        let book = try LedgerProcess()
        let kept = try book.shell(
            #"""
            ledger init > /dev/null && ledger key new > /dev/null && ledger head --sign > head.note
            { cat head.note; printf '\342\200\224 a\302\233b AAAAAAAA\n'; } > odd.note
            ledger head --keep odd.note > file; script -qc 'ledger head --signed' /dev/null
            """#
        )
        try #require(kept.exitCode == 0, "\(kept.errors)")
        #expect(!kept.text.contains("\u{9B}"))
        #expect(kept.text.contains(#"a\u{9b}b"#), "\(kept.text)")
        let file = book.directory.url.appendingPathComponent("file")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("a\u{9B}b"))
    }
}
