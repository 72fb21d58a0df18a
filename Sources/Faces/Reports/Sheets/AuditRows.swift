package import Tables
package import TripLedger

extension AuditLine: Tabular {
    /// A change that a decision made to a trip or a setting: `amendment.v1.schema.json`.
    package static let columns = Columns<AuditLine> {
        Column.trip("trip") { $0.trip }
        Column.text("about", .about) { $0.setting?.text }
            .shown(as: { .phrase($0.setting?.phrase ?? .own($0.trip?.short ?? "")) })
            .optional
            .narrowing(.shortens(to: 15))
        Column.saidTime("occurred_at", .decided) { $0.occurredAt }
            .shown(as: { .dayAndMinute($0.occurredAt) })
        Column.shown(.by) { .text($0.actor ?? $0.source) }
            .narrowing(.shortens(to: 6))
        Column.name("type") { $0.kind.name }
        Column.text("field", .field) { $0.change.field }
            .shown(as: { .phrase($0.fieldPhrase) })
        Column.value("old", .old) { $0.change.old }
            .shown(as: { $0.shown($0.change.old) })
            .narrowing(.shortens(to: 7))
        Column.value("new", .new) { $0.change.new }
            .shown(as: { $0.shown($0.change.new) })
            .narrowing(.shortens(to: 7))
        Column.text("why", .why) { $0.why }
            .optional
            .narrowing(.shortens(to: 6))
        Column.text("actor") { $0.actor }
        Column.text("source") { $0.source }
        Column.instant("recorded_at") { $0.recordedAt }
        Column.integer("days_after_trip", .daysAfter) { $0.daysAfterTrip }
            .shown(as: { line in line.daysAfter.map { .integer($0) } ?? .none })
            .narrowing(.leaves(0))
        Column.name("without_effect", .noEffect) { $0.withoutEffect?.name }
            .shown(as: { line in line.withoutEffect.map { .phrase($0.phrase) } ?? .none })
            .narrowing(.shortens(to: 8))
    }
}
