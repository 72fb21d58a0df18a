// expect: 'snapshot' used after consume
// built as: TripLedgerTests
import SystemPackage

@testable import TripLedger

func misuse(_ store: ViewStore) throws {
    let snapshot = try store.snapshot()
    snapshot.end()
    print(try snapshot.views.value(.book, [1]) ?? [])
}
