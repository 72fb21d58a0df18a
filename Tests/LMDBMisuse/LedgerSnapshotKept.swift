// expect: implicit conversion to 'Snapshot?' is consuming
// built as: TripLedgerTests
import TripLedger

func misuse(_ ledger: Ledger) throws {
    var kept: Snapshot?
    try ledger.read { snapshot in kept = snapshot }
    _ = kept?.lag
}
