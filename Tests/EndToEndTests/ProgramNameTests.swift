import Foundation
import TestSupport
import Testing

/// Packages install the program as `trip-ledger` where another one is called `ledger`.
@Suite struct ProgramNameTests {
    @Test func `help, hints and errors have the name by which the program was started`() throws {
        let book = try LedgerProcess()
        _ = try book.shell(#"ln -s "$(command -v ledger)" trip-ledger"#)
        let said = try book.shell(
            """
            exec 2>&1
            ./trip-ledger; ./trip-ledger --help; ./trip-ledger help serve; ./trip-ledger void
            ./trip-ledger frob; ./trip-ledger trips; ./trip-ledger --ledger other init
            ./trip-ledger init > /dev/null; ./trip-ledger edit last --purpose x
            ./trip-ledger status; ./trip-ledger init; ./trip-ledger void last
            """
        )
        // The places where a text uses the program's usual name in a command.
        let usual =
            #/(?m)(?:^ *|[`'] *|\| *|(?:Usage|USAGE): )ledger (?:--|<|\[|[a-z]+\b)|^ledger:/#
        let found = said.text.matches(of: usual).map { String($0.output) }
        #expect(found.isEmpty, "\(found)\n\(said.text)")
        for words in [
            "trip-ledger: error: There is no command 'frob'", "USAGE: trip-ledger <subcommand>",
            "`trip-ledger --ledger other append FILE`", "  trip-ledger trips",
            "See 'trip-ledger void --help'", "Next  trip-ledger go",
        ] {
            #expect(said.text.contains(words), "\(words)\n\(said.text)")
        }
        // An existing ledger is left as it is.
        #expect(said.text.contains("there is a ledger here already"))
        let json = try book.shell("./trip-ledger status --format json")
        #expect(!json.text.contains("trip-ledger"), "\(json.text)")
    }

    @Test func `programs beside it are found under either name`() throws {
        let book = try LedgerProcess()
        let served = try book.shell(
            """
            set -e
            own=$(readlink -f "$(command -v ledger)"); mkdir bin
            place() { ln "$1" "$2" 2> /dev/null || cp "$1" "$2"; }
            ln -s "$own" one; place "$own" bin/trip-ledger
            place "$(dirname "$own")/ledger-serve" bin/trip-ledger-serve
            ./one init > /dev/null
            for program in ./one bin/trip-ledger; do
                $program serve --socket door > out 2>&1 & served=$!
                while kill -0 $served && ! grep -q '^Serving ' out; do sleep 0.1; done
                [ -S door ] && echo "served by $program" || cat out
                kill $served; wait $served || true; rm -f door out
            done
            """
        )
        #expect(served.text == "served by ./one\nserved by bin/trip-ledger\n", "\(served)")
    }
}
