package import Projections
package import Tables
import TripEvents

extension DecisionWithoutEffect: Tabular {
    /// A decision that has no effect: `orphan.v1.schema.json`.
    package static let columns = Columns<DecisionWithoutEffect> {
        Column.trip("about_trip", "Trip") { $0.trip }
            .shown(as: { $0.trip.map { .name($0.description) } ?? .none })
        Column.shown("Started") { row in
            guard row.obstacle == .isMissing else { return .none }
            return row.tripStartedAt.map { .time($0) } ?? .name("not said")
        }
        Column.shown("Decided") { row in
            let event = row.decision.event
            return .telling { clock in
                let time = LocalTime.text(event.time.told(by: clock))
                return "\(time) by \(event.actor ?? event.source)"
            }
        }
        Column.shown("Says") { row in
            let event = row.decision.event
            return .text("\(event.body.kind?.name ?? "unknown") \(event.contentJSON)")
        }
        Column.name("reason") { $0.obstacle.name }
        Column.telling("why", "Why") { $0.sentence(by: $1) + "." }
        Column.text("to_do", "To do") { $0.advice + "." }
        Column.text("command") { row in
            row.splitFrom.map { "ledger trip \($0.short)" } ?? row.command
        }
        Column.instant("recorded_at") { $0.decision.recordedAt }
        TripEvent.columns.programsOnly.of(lending: { row, use in use(row.decision.event) })
    }

    /// The advice, without the last full stop.
    private var advice: String {
        guard let kind = decision.event.body.kind else { return "" }
        if let splitFrom {
            let whole = splitFrom.short
            return "A split of trip \(whole) made this one, and that split does not stand now. "
                + "Decide the same about trip \(whole), or about the part that another split of "
                + "it makes"
        }
        let hint = obstacle.hint(about: trip, deciding: kind)
        if case .hasTakenPlace = obstacle { return "\(hint): `\(command)`" }
        guard obstacle == .isMissing else { return hint }
        let host =
            tripStartedAt == nil
            ? "It does not say when the trip started, so no other trip takes it over."
            : "No trip was under way when this one started."
        return "\(host) \(hint)"
    }
}
