import EventStore
import TripTracking

/// Compares stored views with views that are made anew in memory from the same entries.
struct ViewCheck {
    private let store: ReadableViews
    private let end: UInt64
    private var runner: ProjectionRunner

    /// Prepares a comparison of views that have read up to `cursor`.
    init(_ store: ReadableViews, at cursor: ViewCursor, log: ReadableLog, rules: TrackingRules) {
        self.store = store
        runner = ProjectionRunner(
            log: log,
            rules: rules,
            over: nil,
            from: ViewCursor(versions: ViewSet.versions, passedTo: cursor.passedTo)
        )
        end = cursor.size
    }

    /// Returns every row that differs, table by table in order of keys.
    mutating func differences(_ onProgress: (UInt64) -> Void) throws -> [ViewDifference] {
        try runner.run(upTo: end, onProgress)
        var differences: [ViewDifference] = []
        for expected in [runner.storedFolds, runner.rewinds, runner.ambientRows, runner.splits]
            + [runner.ends] + runner.views.buffers + runner.visits.buffers
        {
            differences += try compare(expected)
        }
        return differences
    }

    private func compare(_ expected: ViewBuffer) throws -> [ViewDifference] {
        var missing = expected.changes.compactMapValues { $0 }
        var differences: [ViewDifference] = []
        func note(_ key: [UInt8], _ kind: ViewDifference.Kind) {
            differences.append(
                ViewDifference(
                    table: expected.table.rawValue,
                    row: ViewKey.hexadecimal(key),
                    kind: kind
                )
            )
        }
        try store.scanStored(expected.table) { storedKey, stored in
            let key = [UInt8](copying: storedKey)
            if let wanted = missing.removeValue(forKey: key) {
                if ViewSeal.opened(stored, key: storedKey) != wanted { note(key, .different) }
            } else {
                note(key, .unexpected)
            }
            return true
        }
        for key in missing.keys { note(key, .missing) }
        return differences.sorted { $0.row < $1.row }
    }
}

/// A row of a view that is not what the log says.
public struct ViewDifference: Hashable, Sendable {
    /// What is wrong with the row.
    public enum Kind: String, Sendable {
        /// The log gives a row that the view has not.
        case missing

        /// The view has a row that the log does not give.
        case unexpected

        /// The view's row says something else.
        case different
    }

    /// The table's name, such as `trips`.
    public var table: String

    /// The row's key in hexadecimal; in the view of trips, the trip's id.
    public var row: String

    /// What is wrong with it.
    public var kind: Kind
}
