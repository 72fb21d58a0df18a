// Everything that the probes of views get wrong, done right. This one must compile.
// built as: TripLedgerTests
import SystemPackage

@testable import TripLedger

func use(_ store: ViewStore) throws {
    var rows = ViewBuffer(.book, over: store.newest)
    rows.put([1], [2])
    try store.forChanging().commit([rows])
    let snapshot = try store.snapshot()
    print(try snapshot.views.value(.book, [1]) ?? [])
    snapshot.end()
}
