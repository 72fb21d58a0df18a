import Foundation
import TestSupport
import Testing

/// Maps that `ledger-print` draws, as a user gets them.
@Suite struct MapPrintTests {
    @Test(arguments: ["png", "pdf"])
    func `a map is the same file each time, and of its kind`(form: String) throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            ledger map last -o map.\(form) && ledger map last -o again.\(form)
            ledger map last -o map.json && ledger-print \(form) < map.json > third.\(form)
            cmp map.\(form) again.\(form) && cmp map.\(form) third.\(form)
            head -c 4 map.\(form) | tr -d '\\211' > kind
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let kind = try process.shell("cat kind")
        #expect(kind.text == (form == "png" ? "PNG" : "%PDF"))
    }

    @Test(.enabled(if: PrintedSample.canBeRead, "needs pdfinfo (`tools/setup --all`)"))
    func `a printed map has a title, and says that it is a picture`() throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            ledger map last -o map.pdf > /dev/null
            pdfinfo map.pdf; pdfinfo -struct map.pdf
            """
        )
        #expect(outcome.text.contains(/Title: +[^ ]/), "\(outcome.text)")
        #expect(outcome.text.contains(/Tagged: +yes/), "\(outcome.text)")
        #expect(outcome.text.contains("Figure"), "\(outcome.text)")
    }

    @Test(arguments: [
        "", "{", "[]", #"{"title":"x"}"#, #"{"title":"x","pages":[]}"#,
        #"{"title":"x","pages":[{"width":0,"height":9,"layers":[]}]}"#,
        #"{"title":"x","pages":[{"width":99999,"height":9,"layers":[]}]}"#,
        #"{"title":"x","pages":[{"width":9,"height":9,"layers":[{"items":[{}]}]}]}"#,
        #"{"pages":[{"width":9,"height":9,"layers":[{"items":[{"path":[[[1,1e999]]]}]}]}]}"#,
    ])
    func `what is no picture is refused with a reason`(text: String) throws {
        let process = try LedgerProcess()
        let outcome = try process.shell("printf '%s' '\(text)' | ledger-print png")
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.hasPrefix("ledger-print: error: "), "\(outcome.errors)")
    }

    @Test func `without the program beside it, the command says how to get it`() throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            mkdir alone && cp "$(command -v ledger)" alone/
            alone/ledger map last -o map.png
            """
        )
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.contains("--product ledger-print"), "\(outcome.errors)")
    }
}
