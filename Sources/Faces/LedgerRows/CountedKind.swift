package import Tables
import TripEvents

/// A kind of item that was read, with the number of its items.
package struct CountedKind: Tabular {
    private let kind: String
    private let count: Int

    /// For people: `12 waypoint`.
    package var text: String { "\(count) \(Excerpt.escaped(kind))" }

    /// Returns the kinds with their counts, the most frequent first.
    package static func all(_ counts: some Sequence<(key: String, value: Int)>) -> [CountedKind] {
        counts.map { CountedKind(kind: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
    }

    /// The count of a kind, in `summary.v1.schema.json`.
    package static let columns = Columns<CountedKind> {
        Column.name("kind") { $0.kind }
        Column.integer("count") { $0.count }
    }
}
