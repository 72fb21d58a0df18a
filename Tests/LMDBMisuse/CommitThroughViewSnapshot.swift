// expect: has no member 'commit'
// built as: TripLedgerTests
import SystemPackage

@testable import TripLedger

func misuse(_ store: ViewStore) throws {
    let snapshot = try store.snapshot()
    try snapshot.views.commit([])
}
