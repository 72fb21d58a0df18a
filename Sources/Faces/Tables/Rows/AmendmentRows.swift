package import Projections
package import TripEvents

extension TripAmendment: Tabular {
    /// A change that a decision made to a trip: `amendment.v1.schema.json`.
    package static let columns = Columns<TripAmendment> {
        Column.trip("trip", .trip) { $0.trip }
        Column.saidTime("occurred_at", .decided) { $0.occurredAt }
        Column.shown(.by) { .text($0.actor ?? $0.source) }
        Column.name("type") { $0.kind.name }
        Column.text("field", .field) { $0.change.field }
        Column.value("old", .old) { $0.change.old }
            .shown(as: { shown($0.change.old, of: $0.change.field) })
            .narrowing(.shortens(to: 8))
        Column.value("new", .new) { $0.change.new }
            .shown(as: { shown($0.change.new, of: $0.change.field) })
            .narrowing(.shortens(to: 8))
        Column.text("why", .why) { $0.why }
            .shown(as: { line in
                if line.kind == .routineSaved { return .text("applies by itself") }
                return line.why.map { .text($0) } ?? .none
            })
            .optional
        Column.text("actor") { $0.actor }
        Column.text("source") { $0.source }
        Column.instant("recorded_at") { $0.recordedAt }
        Column.integer("days_after_trip", .daysAfter) { $0.daysAfterTrip }
            .narrowing(.leaves(0))
        Column.name("without_effect", .noEffect) { $0.withoutEffect?.name }
            .shown(as: { line in line.withoutEffect.map { .phrase($0.phrase) } ?? .none })
            .narrowing(.shortens(to: 8))
    }
}

extension TripAmendment {
    /// Returns a field's old or new value for people: what they wrote is quoted, ids are short; `-`
    /// for none.
    package static func shown(_ value: CustomValue?, of field: String) -> Cell {
        guard let value, value != .null else { return .name("-") }
        guard case .text(let words) = value else { return .value(value) }
        switch field {
        case "status", "class": return .name(words)
        case "merged":
            let ids = words.split(separator: " ").map { TripID(String($0))?.short ?? String($0) }
            return .name(ids.joined(separator: " "))
        case "split_at", "corrects", "trip_started_at", "started_at", "ended_at", "from_time",
            "to_time", "since":
            return RFC3339.time(words).map { .time($0) } ?? .name(words)
        case "excluded":
            let times = words.split(separator: "/").compactMap { RFC3339.time(String($0)) }
            return times.count == 2 ? .stretch(times[0], times[1]) : .name(words)
        default: return .name("\"\(Excerpt.escaped(words))\"")
        }
    }
}
