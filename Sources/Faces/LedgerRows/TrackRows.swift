import Projections
package import Tables
import TripEvents
package import TripLedger
import TripTracking

extension TrackedFix: Tabular {
    /// A fix: `track.v1.schema.json`.
    package static let columns = Columns<TrackedFix> {
        Column.saidTime("occurred_at", "TIME") { $0.time }
        Column.decimal("lat", "LATITUDE") { $0.fix.latitude }
        Column.decimal("lon", "LONGITUDE") { $0.fix.longitude }
        Column.decimal("altitude", "ALTITUDE m") { $0.fix.altitude }.optional
            .narrowing(.leaves(1))
        Column.decimal("accuracy", "ACCURACY m") { $0.fix.accuracy }.optional
            .narrowing(.leaves(3))
        Column.decimal("speed", "SPEED m/s") { $0.fix.speed }.optional
            .narrowing(.leaves(2))
        Column.decimal("course", "COURSE") { $0.fix.course }.optional
            .narrowing(.leaves(0))
        // Before the source, which other programs take for the provider if there is none.
        Column.name("provider") { $0.fix.provider?.rawValue }.optional
        Column.text("source", "SOURCE") { $0.stored.event.source }
            .narrowing(.leaves(4))
        Column.trip("trip", "TRIP") { $0.trip }.optional
        Column.name("verdict", "VERDICT") { $0.verdict?.rawValue }.optional
        EntryOrigin.columns.of("origin.") { $0.origin }.map(\.notInCSV)
    }
}
