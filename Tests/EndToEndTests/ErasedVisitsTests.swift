import Foundation
import TestSupport
import Testing

/// Visits of a ledger from which positions were erased.
@Suite struct ErasedVisitsTests {
    @Test(arguments: Seeds.fresh(1))
    func `visits after what was erased stay, whether views grow or are made anew`(
        seed: UInt64
    ) throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            set -e
            ledger init --time-zone UTC > /dev/null
            ledger simulate bulk --drives 4 --fixes 100 --seed \(seed) > all
            head -n 200 all | ledger append > /dev/null
            ledger place save around --lat 52 --lon 4.4 --radius 60000 > /dev/null
            ledger trips > /dev/null
            ledger erase 20-22,30 --why "asked for" --yes > /dev/null
            tail -n +201 all | ledger append > /dev/null
            ledger visits --format json > grown
            ledger verify > /dev/null
            rm -r book/views
            ledger visits --format json | cmp - grown
            ledger verify > /dev/null
            grep -c '"place":"around"' grown
            """
        )
        #expect(outcome.exitCode == 0, "seed \(seed): \(outcome.text)\(outcome.errors)")
    }
}
