package import TripEvents
package import TripLedger

/// A ledger at a glance: `status.v1.schema.json`.
package struct LedgerGlance: Tabular {
    /// What is in the ledger, and what its sources are doing.
    package let status: LedgerStatus

    private let instant: EventTime

    /// Joins a status and the moment at which it is.
    package init(_ status: LedgerStatus, asOf instant: EventTime) {
        self.status = status
        self.instant = instant
    }

    /// What the sources are doing, in a driver's words.
    package var activities: [SourceActivity] {
        status.sources.map { SourceActivity($0, unit: status.founding.units) }
    }

    /// The columns.
    package static let columns = Columns<LedgerGlance> {
        Column.name("ledger") { $0.status.founding.ledger }
        Column.text("time_zone") { $0.status.founding.timeZone }
        Column.name("units") { $0.status.founding.units.rawValue }
        Column.name("rules") { $0.status.founding.rulesVersion }
        Column.integer("size") { $0.status.head.size }
        Column.name("root") { $0.status.head.root }
        Column.integer("lag") { $0.status.lag }
        Column.saidTime("as_of") { $0.instant }
        Column.rows("sources", SourceActivity.columns) { $0.activities }
        Column.integer("other_sources") { $0.status.otherSourceCount }
    }
}
