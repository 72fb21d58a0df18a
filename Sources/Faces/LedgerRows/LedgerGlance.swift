package import Tables
package import TripEvents
package import TripLedger

/// A ledger at a glance: `status.v1.schema.json`.
package struct LedgerGlance: Tabular {
    /// The status of the ledger and its sources.
    package let status: LedgerStatus

    private let instant: EventTime

    /// Joins a status and its moment.
    package init(_ status: LedgerStatus, asOf instant: EventTime) {
        self.status = status
        self.instant = instant
    }

    /// The activities of the sources, in a driver's words.
    package var activities: [SourceActivity] {
        status.sources.map { SourceActivity($0, unit: status.units) }
    }

    /// The columns.
    package static let columns = Columns<LedgerGlance> {
        Column.name("ledger") { $0.status.founding.ledger }
        Column.text("time_zone") { $0.status.timeZone }
        Column.name("units") { $0.status.units.rawValue }
        Column.name("rules") { $0.status.founding.rulesVersion }
        Column.integer("size") { $0.status.head.size }
        Column.name("root") { $0.status.head.root }
        Column.integer("lag") { $0.status.lag }
        Column.saidTime("as_of") { $0.instant }
        Column.rows("sources", SourceActivity.columns) { $0.activities }
        Column.integer("other_sources") { $0.status.otherSourceCount }
    }
}
