package import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

extension SavedPlace: Tabular {
    /// A place: `place.v1.schema.json`.
    package static let columns = Columns<SavedPlace> {
        Column.text("place", "PLACE") { $0.name }.identifying
        Column.text("group", "GROUP") { $0.group }.optional
        Column.text("label", "LABEL") { $0.saving.label }
        Column.text("address", "ADDRESS") { $0.saving.address }
            .shown(onlyWhere: { $0.saving.address != nil })
            .narrowing(.leaves(2))
        Column.decimal("lat", "LATITUDE") { $0.saving.latitude }
        Column.decimal("lon", "LONGITUDE") { $0.saving.longitude }
        Column.decimal("radius_m", "RADIUS m") { $0.saving.radiusMeters }
        Column.boolean("skip", "SKIP") { $0.saving.skips == true }
        Column.boolean("notify_on_entry", "TELL ENTRY") { $0.saving.notifiesOnEntry == true }
            .narrowing(.leaves(1))
        Column.boolean("notify_on_exit", "TELL EXIT") { $0.saving.notifiesOnExit == true }
            .narrowing(.leaves(1))
        Column.text("imported_from", "IMPORTED") { $0.saving.importedFrom }.optional
            .narrowing(.leaves(1))
        Column.time("saved_at", "SAVED") { $0.savedAt }
            .narrowing(.leaves(0))
    }
}

extension SourceVisit: Tabular {
    /// A stay of a source at a place: `visit.v1.schema.json`.
    package static let columns = Columns<SourceVisit> {
        Column.text("place", "PLACE") { $0.visit.place.name }
            .shown(as: { .text($0.visit.place.title) })
        Column.time("entered_at", "ENTERED") { $0.visit.enteredAt }
        Column.time("last_inside_at", "LAST INSIDE") { $0.visit.lastInsideAt }
            .narrowing(.leaves(0))
        Column.time("left_at", "LEFT") { $0.visit.leftAt }
        Column.text("source", "SOURCE") { $0.source }
        Column.text("group", "GROUP") { $0.group }.optional
    }
}

extension FieldDefined: Tabular {
    /// A custom field of trips: `field.v1.schema.json`.
    package static let columns = Columns<FieldDefined> {
        Column.text("key", "KEY") { $0.key }.identifying
        Column.text("label", "LABEL") { $0.label }
        Column.name("value_type", "TYPE") { $0.valueType.rawValue }
        Column.integer("order", "ORDER") { $0.order }.optional
        Column.list("options", "OPTIONS") { $0.options }.optional
    }
}

extension SourceRules: Tabular {
    /// The tracking rules of a source: `rules.v1.schema.json`.
    package static let columns = Columns<SourceRules> {
        Column.text("source", "source") { $0.source }
            .shown(as: { .text($0.source ?? "(new sources)") })
        Column.name("rules", "rules") { $0.rules.name.rawValue }
        Column.name("preset") { $0.rules.preset.rawValue }
        for parameter in TrackingParameter.allCases {
            Column(
                "parameters.\(parameter.rawValue)",
                ColumnTitle(onlyEnglish: parameter.rawValue),
                .value
            ) { inForce in
                switch inForce.rules.value(of: parameter) {
                case .number(let number): .number(number)
                case .choice(let choice): .value(.boolean(choice))
                }
            }
        }
    }
}
