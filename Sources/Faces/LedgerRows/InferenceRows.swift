package import Projections
package import Tables
import TripEvents

extension ReportedInference: Tabular {
    /// Inferences of other programs: `inference.v1.schema.json`.
    package static let columns = Columns<ReportedInference> {
        Column.text("inferred_by", "BY") { $0.inference.inferredBy }
        Column.name("inference") { $0.inference.inference.rawValue }
        Column.time("started_at", "FROM") { $0.inference.startedAt }
            .shown(as: { .dayAndMinute($0.inference.startedAt) })
        Column.time("ended_at", "TO") { $0.inference.endedAt }
            .shown(as: { .dayAndMinute($0.inference.endedAt) })
        Column.shown("WHAT") { .text($0.words) }
            .narrowing(.shortens(to: 12))
        Column.text("activity") { $0.inference.activity }.optional
        Column.name("mode", "MODE") { $0.inference.mode?.rawValue }.optional
            .narrowing(.leaves(1))
        Column.text("place") { $0.inference.place }.optional
        Column.text("place_id") { $0.inference.placeID }.optional
        Column.decimal("lat") { $0.inference.latitude }.optional
        Column.decimal("lon") { $0.inference.longitude }.optional
        Column.decimal("to_lat") { $0.inference.toLatitude }.optional
        Column.decimal("to_lon") { $0.inference.toLongitude }.optional
        Column.distance("claimed_distance_m", "CLAIMED") { $0.claimedDistance }.optional
        Column.boolean("measured") { _ in false }
        Column.decimal("probability") { $0.inference.probability }.optional
        Column.name("confidence") { $0.inference.confidence?.rawValue }.optional
        Column.text("source", "SOURCE") { $0.source }
            .narrowing(.leaves(0))
    }
}

extension ReportedInference {
    /// The inference in a few words: `at Work`, `in passenger vehicle`.
    package var words: String {
        switch inference.inference {
        case .visit: return inference.place.map { "at \($0)" } ?? "at a place"
        case .activity:
            guard let activity = inference.activity else { return "on the way" }
            return activity.lowercased().replacing("_", with: " ")
        }
    }
}
