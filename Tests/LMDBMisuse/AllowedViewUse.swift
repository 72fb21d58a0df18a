// Everything that the probes of views get wrong, done right. This one must compile.
// built as: TripLedgerTests
import Projections
import SystemPackage

@testable import TripLedger

func use(_ store: ViewStore) throws {
    var rows = RowTable(.book, over: store.newest)
    rows.put([2], key: [1])
    try store.forChanging().commit([(.book, rows)])
    let snapshot = try store.snapshot()
    print(try snapshot.views.value(.book, [1]) ?? [])
    snapshot.end()
}
