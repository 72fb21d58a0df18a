import Geodesy
package import Projections
package import RoutinesProjection
package import Tables
import TripEvents

/// A routine with what its trips have in common: `routine.v1.schema.json`.
package struct ListedRoutine: Tabular {
    private let summary: RoutineSummary
    private let places: PlaceBook

    /// Joins a routine and the names of places.
    package init(_ summary: RoutineSummary, places: PlaceBook) {
        self.summary = summary
        self.places = places
    }

    /// The name that people use.
    package var name: String { summary.routine.name }

    /// The group that has it; `nil` for one of the owner's, which all groups have.
    package var group: String? { summary.group }

    private var details: TripDetails { summary.routine.details }
    private var pattern: TripPattern { summary.routine.pattern }

    /// The columns.
    package static let columns = Columns<ListedRoutine> {
        Column.text("routine", "ROUTINE") { $0.summary.routine.name }.identifying
        Column.text("group", "GROUP") { $0.summary.group }.optional
        Column.integer("times_used", "USED") { $0.summary.timesUsed }
        Column.time("last_used_at", "LAST USED") { $0.summary.lastUsedAt }
            .narrowing(.leaves(0))
        Column.name("typical_start_time", "AT") { $0.typicalTime }
        Column.place("typical_start") { $0.summary.typicalStart }
        Column.place("typical_end") { $0.summary.typicalEnd }
        Column.shown("FROM") { $0.place(at: $0.summary.typicalStart) }
        Column.shown("TO") { $0.place(at: $0.summary.typicalEnd) }
        Column.shown("SAYS") { .text($0.words) }
        Column.shown("BY ITSELF") { $0.pattern.isEmpty ? .none : .text($0.pattern.words) }
            .optional
        Column.text("title") { $0.details.title }.optional
        Column.text("purpose") { $0.details.purpose }.optional
        Column.text("notes") { $0.details.notes }.optional
        Column.text("category") { $0.details.category }.optional
        Column.text("client") { $0.details.client }.optional
        Column.text("vehicle") { $0.details.vehicle }.optional
        Column.name("class") { $0.details.tripClass?.rawValue }.optional
        Column.name("mode") { $0.details.mode?.rawValue }.optional
        Column.fields("fields") { $0.details.fields }.optional
        Column.text("from_place") { $0.pattern.from }.optional
        Column.text("to_place") { $0.pattern.to }.optional
        Column.boolean("both_ways") { $0.pattern.goesBothWays }.optional
        Column.list("days") { $0.pattern.days?.map(\.rawValue) }.optional
        Column.time("since") { $0.pattern.since }.optional
    }

    /// The typical time of day at the start, such as `08:30`.
    private var typicalTime: String? {
        summary.typicalMinuteOfDay.map { minute in
            [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }
                .joined(separator: ":")
        }
    }

    /// Returns the place at a position, else the position to about a hundred metres.
    private func place(at position: Coordinate?) -> Cell {
        guard let position, let used = summary.lastUsedAt else { return .none }
        let place = places.place(at: position, on: used.timestamp, for: summary.group)
        if let place { return .text(place.title) }
        let digits = [position.latitude, position.longitude]
            .map { FixedPoint.text(Int64(($0 * 1_000).rounded()), decimals: 3) }
        return .name(digits.joined(separator: ", "))
    }

    /// The details that the routine gives to trips, such as `client=ACME, class=business`.
    private var words: String {
        let texts = [
            ("title", details.title), ("purpose", details.purpose), ("notes", details.notes),
            ("category", details.category), ("client", details.client),
            ("vehicle", details.vehicle), ("class", details.tripClass?.rawValue),
            ("mode", details.mode?.rawValue),
        ]
        let fields = (details.fields?.all ?? [])
            .map { "\($0.key)=\(Cell.value($0.value).text(in: TextStyle()))" }
        return (texts.compactMap { name, text in text.map { "\(name)=\($0)" } } + fields)
            .joined(separator: ", ")
    }
}

extension RoutineSuggestion: Tabular {
    /// A routine that may fit a trip: `suggestion.v1.schema.json`.
    package static let columns = Columns<RoutineSuggestion> {
        Column.text("routine", "ROUTINE") { $0.summary.routine.name }
        Column.boolean("same_places", "SAME PLACES") { $0.hasSamePlaces }
        Column.integer("minutes_apart", "MINUTES APART") { $0.minutesApart }
        Column.integer("times_used", "USED") { $0.summary.timesUsed }
        Column.time("last_used_at", "LAST USED") { $0.summary.lastUsedAt }
    }
}

extension TripPattern {
    /// The trips in words, such as `Home → Office, mon tue`; both ways `↔`.
    fileprivate var words: String {
        let arrow = goesBothWays ?? false ? "↔" : "→"
        let way = "\(from ?? "anywhere") \(arrow) \(to ?? "anywhere")"
        guard let days, days.count < Weekday.allCases.count else { return way }
        return "\(way), \(days.map(\.rawValue).joined(separator: " "))"
    }
}
