package import Projections
import TripEvents
package import TripLedger

extension TripAmendment: Tabular {
    /// What a decision changed about a trip: `amendment.v1.schema.json`.
    package static let columns = Columns<TripAmendment> {
        Column.trip("trip", "TRIP") { $0.trip }
        Column.saidTime("occurred_at", "DECIDED") { $0.occurredAt }
        Column.shown("BY") { .text($0.actor ?? $0.source) }
        Column.name("type") { $0.kind.name }
        Column.text("field", "FIELD") { $0.change.field }
        Column.value("old", "OLD") { $0.change.old }
            .shown(as: { shown($0.change.old, of: $0.change.field) })
            .narrowing(.shortens(to: 8))
        Column.value("new", "NEW") { $0.change.new }
            .shown(as: { shown($0.change.new, of: $0.change.field) })
            .narrowing(.shortens(to: 8))
        Column.text("why", "WHY") { $0.why }
            .shown(as: { line in
                if line.kind == .routineSaved { return .text("applies by itself") }
                return line.why.map { .text($0) } ?? .none
            })
            .optional
        Column.text("actor") { $0.actor }
        Column.text("source") { $0.source }
        Column.instant("recorded_at") { $0.recordedAt }
        Column.integer("days_after_trip", "DAYS AFTER") { $0.daysAfterTrip }
            .narrowing(.leaves(0))
    }
}

extension AuditLine: Tabular {
    /// What a decision changed about a trip or a setting: `amendment.v1.schema.json`.
    package static let columns = Columns<AuditLine> {
        Column.trip("trip") { $0.trip }
        Column.text("about", "ABOUT") { $0.setting }
            .shown(as: { .text($0.trip?.short ?? $0.setting ?? "") })
            .optional
            .narrowing(.shortens(to: 15))
        Column.saidTime("occurred_at", "DECIDED") { $0.occurredAt }
            .shown(as: { .dayAndMinute($0.occurredAt) })
        Column.shown("BY") { .text($0.actor ?? $0.source) }
            .narrowing(.shortens(to: 6))
        Column.name("type") { $0.kind.name }
        Column.text("field", "FIELD") { $0.change.field }
        Column.value("old", "OLD") { $0.change.old }
            .shown(as: { TripAmendment.shown($0.change.old, of: $0.change.field) })
            .narrowing(.shortens(to: 7))
        Column.value("new", "NEW") { $0.change.new }
            .shown(as: { TripAmendment.shown($0.change.new, of: $0.change.field) })
            .narrowing(.shortens(to: 7))
        Column.text("why", "WHY") { $0.why }
            .optional
            .narrowing(.shortens(to: 6))
        Column.text("actor") { $0.actor }
        Column.text("source") { $0.source }
        Column.instant("recorded_at") { $0.recordedAt }
        Column.integer("days_after_trip", "DAYS AFTER") { $0.daysAfterTrip }
            .narrowing(.leaves(0))
    }
}

extension TripAmendment {
    /// Returns what a field was or became, for people: what they wrote between quotes, ids short;
    /// `-` for none.
    package static func shown(_ value: CustomValue?, of field: String) -> Cell {
        guard let value, value != .null else { return .name("-") }
        guard case .text(let words) = value else { return .value(value) }
        switch field {
        case "status", "class": return .name(words)
        case "merged":
            let ids = words.split(separator: " ").map { TripID(String($0))?.short ?? String($0) }
            return .name(ids.joined(separator: " "))
        case "split_at": return RFC3339.time(words).map { .time($0) } ?? .name(words)
        default: return .name("\"\(Excerpt.escaped(words))\"")
        }
    }
}
