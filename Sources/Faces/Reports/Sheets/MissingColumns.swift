package import Tables
import TripEvents
package import TripLedger

extension MissingEntries: Tabular {
    /// The entries that a copy of a log lacks: the member `missing` of rows that are made from it.
    package static let columns = Columns<MissingEntries> {
        Column.integer("withheld") { $0.withheldCount }
        Column.list("withheld_positions") { $0.withheldPositions }
        Column.integer("erased") { $0.erasedCount }
        Column.list("erased_positions") { $0.erasedPositions }
        Column.list("erased_from") { $0.erasedTrips.map(\.description) }
    }
}

extension MissingEntries {
    /// The member of JSON that ``Columns/noting(_:)`` adds to rows; empty if nothing is missing.
    package var member: [UInt8] {
        guard !isEmpty else { return [] }
        var bytes = Array(#""missing":"#.utf8)
        Self.columns.appendJSON(self, to: &bytes, by: nil)
        return bytes
    }
}

extension Columns {
    /// The columns and, if the log lacks entries, what it lacks: each row of figures says so.
    package func noting(_ missing: MissingEntries) -> Columns {
        guard !missing.isEmpty else { return self }
        let names = Set(all.map(\.name))
        let own: [Column<Row>] = MissingEntries.columns.of("missing.") { (_: Row) in missing }
        return Columns(all + own.filter { !names.contains($0.name) })
    }

    /// The columns, and the columns that are added if the log lacks entries.
    package var notingAny: Columns {
        Columns(all + MissingEntries.columns.of("missing.") { (_: Row) -> MissingEntries? in nil })
    }
}

extension FactSheet {
    /// The notice above figures, if the log lacks entries that might belong to them.
    package init(_ missing: MissingEntries) {
        self.init(missing.facts)
    }
}
