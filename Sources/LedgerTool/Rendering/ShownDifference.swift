import Projections
import RowFormats
import TripEvents
import TripLedger

/// A row of a view that is not what the log says.
struct ShownDifference {
    private let difference: ViewDifference

    init(_ difference: ViewDifference) {
        self.difference = difference
    }

    /// Table, row and kind.
    var text: String {
        "\(difference.table) \(difference.row) \(difference.kind.rawValue)"
    }

    /// For programs (`view-difference.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("table", text: difference.table)
        json.add("row", text: difference.row)
        json.add("kind", text: difference.kind.rawValue)
        return json
    }
}
