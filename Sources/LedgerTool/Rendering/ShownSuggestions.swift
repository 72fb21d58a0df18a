import Projections
import RoutinesProjection
import TripEvents

/// Routines that may fit a trip, one on a line, best first.
struct ShownSuggestions {
    private static let titles = [
        "routine", "same_places", "minutes_apart", "times_used", "last_used_at",
    ]

    private let suggestions: [RoutineSuggestion]

    init(_ suggestions: [RoutineSuggestion]) {
        self.suggestions = suggestions
    }

    /// Whether there are none.
    var isEmpty: Bool { suggestions.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for suggestion in suggestions { try output.writeLine(Self.json(suggestion)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for suggestion in suggestions { try output.write(Self.csv(suggestion)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("ROUTINE"), .words("SAME PLACES"), .numbers("MINUTES APART"),
            .numbers("USED"), .words("LAST USED"),
        ])
        for suggestion in suggestions {
            let summary = suggestion.summary
            table.add([
                Excerpt.escaped(summary.routine.name), suggestion.hasSamePlaces ? "yes" : "no",
                suggestion.minutesApart.map { String($0) } ?? "-", String(summary.timesUsed),
                summary.lastUsedAt.map(LocalTime.text) ?? "-",
            ])
        }
        return table
    }

    /// For programs (`suggestion.v1.schema.json`).
    private static func json(_ suggestion: RoutineSuggestion) -> RowJSON {
        let summary = suggestion.summary
        var json = RowJSON()
        json.add("routine", text: summary.routine.name)
        json.add("same_places", boolean: suggestion.hasSamePlaces)
        if let minutes = suggestion.minutesApart {
            json.add("minutes_apart", integer: Int64(minutes))
        } else {
            json.addNull("minutes_apart")
        }
        json.add("times_used", integer: Int64(summary.timesUsed))
        json.add("last_used_at", time: summary.lastUsedAt)
        return json
    }

    private static func csv(_ suggestion: RoutineSuggestion) -> CSVRow {
        let summary = suggestion.summary
        var row = CSVRow()
        row.add(text: summary.routine.name)
        row.add(text: suggestion.hasSamePlaces ? "true" : "false")
        row.add(number: suggestion.minutesApart.map { String($0) })
        row.add(number: String(summary.timesUsed))
        row.add(
            text: summary.lastUsedAt.map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
        )
        return row
    }
}
