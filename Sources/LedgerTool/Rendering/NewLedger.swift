import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// A ledger that was just made, as `ledger init` shows it.
struct NewLedger {
    let ledger: Ledger
    let head: LedgerHead

    /// For people, with what to do next.
    var text: String {
        let place = Excerpt.escaped(ledger.path.string)
        return """
            Made a ledger in \(place).
            Id         \(ledger.founding.ledger)
            Time zone  \(Excerpt.escaped(ledger.founding.timeZone))
            Units      \(ledger.founding.units.rawValue)

            Append events with `ledger --ledger \(place) append FILE`, or press GO with \
            `ledger --ledger \(place) go`.

            """
    }

    /// For programs.
    var json: RowJSON {
        var json = RowJSON()
        json.add("ledger", text: ledger.founding.ledger)
        json.add("path", text: ledger.path.string)
        json.add("time_zone", text: ledger.founding.timeZone)
        json.add("units", text: ledger.founding.units.rawValue)
        json.add("rules", text: ledger.founding.rulesVersion)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
        return json
    }
}
