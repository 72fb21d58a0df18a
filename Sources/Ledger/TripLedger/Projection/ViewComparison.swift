import EventStore
import LMDB
import Platform
package import SystemPackage
import TripTracking

/// Compares a ledger's stored views, row by row, with views that are derived again from the same
/// entries.
///
/// The new views stand in a directory meanwhile, so that memory does not grow with them.
package struct ViewComparison {
    /// A message of the comparison while it goes on.
    package enum Message {
        /// How many of the entries have been read.
        case progress(done: UInt64, of: UInt64)

        /// A row, or the views as a whole, are not what the log gives.
        case finding(String)

        /// The views, or why they could not be compared.
        case doubt(String)

        /// A fact that was found to be right, or not to matter.
        case fact(String)
    }

    private static let lockPatience = Duration.milliseconds(10_000)

    private let ledger: Ledger
    private let scratch: FilePath

    /// Prepares to compare the views of a ledger whose log is sound.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - scratch: Where the new views may stand; nothing may be there. The caller removes it.
    package init(of ledger: Ledger, scratch: FilePath) {
        self.ledger = ledger
        self.scratch = scratch
    }

    /// Compares the views.
    ///
    /// - Parameter say: Told each message; a finding for each row that differs.
    /// - Throws: `.damaged` or `.inputOutput` if the log cannot be read, or no views can be made.
    package func run(_ say: (Message) -> Void) throws(LedgerError) {
        try LedgerError.translating(at: ledger.path) {
            let isCompared: Void? = try FileLock.reading(
                ledger.lockPath,
                within: Self.lockPatience
            ) {
                do {
                    try compare(ledger.views.current().newest, say)
                } catch let reason as StaleViews where reason.isHarmless {
                    say(.fact("\(reason.sentence); they are made anew when needed"))
                } catch let reason as StaleViews {
                    say(.finding(reason.sentence))
                }
            }
            if isCompared == nil { say(.doubt("the views, for they are being changed")) }
        }
    }

    private func compare(_ store: ReadableViews, _ say: (Message) -> Void) throws {
        let cursor = try store.cursor(in: ledger.log)
        guard cursor.isFinished else {
            let command = "`ledger project`"
            return say(
                .doubt("the views, for making them was cut off: finish them with \(command)")
            )
        }
        let expected = try ViewStore.create(at: scratch, isTemporary: true)
        defer { expected.close() }
        var runner = ProjectionRunner(
            log: ledger.log,
            rules: ledger.rules,
            changing: expected.forFilling(),
            from: ViewCursor(versions: ViewSet.versions, passedTo: cursor.passedTo)
        )
        try runner.run(upTo: cursor.size) { say(.progress(done: $0, of: cursor.size)) }
        var rows: UInt64 = 0
        var isRight = true
        for table in ViewTable.allCases where table != .state && table.isOfLog {
            let count = try compare(table, expected.newest, store) { row, what in
                isRight = false
                let key = ViewKey.hexadecimal(row.key)
                say(.finding("row \(key) of \(table.rawValue) \(what)"))
            }
            // Sums say nothing that other rows do not.
            if table != .sums { rows += count }
        }
        guard isRight else { return }
        say(.fact("\(rows) rows are what the first \(cursor.size) entries give"))
    }

    /// Walks over both forms of a table side by side; returns the number of rows.
    private func compare(
        _ table: ViewTable,
        _ expected: ReadableViews,
        _ stored: ReadableViews,
        report: (RowPager.Row, String) -> Void
    ) throws -> UInt64 {
        // The sums of the feed come last: like the rows of the feed, they do not follow from the
        // log.
        let end = table == .sums ? ViewSection.sumKeys(of: .feed).from : nil
        var rightRows = RowPager(expected, table, upTo: end)
        var storedRows = RowPager(stored, table, upTo: end)
        var right = try rightRows.next()
        var found = try storedRows.next()
        var count: UInt64 = 0
        while right != nil || found != nil {
            let isMissing = Self.precedes(right, found)
            let isUnexpected = Self.precedes(found, right)
            if isMissing, let right {
                report(right, "is missing")
            } else if isUnexpected, let found {
                report(found, "does not follow from the log")
            } else if let right, let found, right.stored != found.stored {
                report(found, "is not what the log gives")
            }
            count += 1
            if !isUnexpected { right = try rightRows.next() }
            if !isMissing { found = try storedRows.next() }
        }
        return count
    }

    /// Whether the first of two rows comes before the other; the end comes after all.
    private static func precedes(_ left: RowPager.Row?, _ right: RowPager.Row?) -> Bool {
        guard let left else { return false }
        guard let right else { return true }
        return left.key.lexicographicallyPrecedes(right.key)
    }
}

/// Walks over the stored rows of a table a few at a time, so that two tables can be walked side by
/// side.
private struct RowPager {
    /// A row as it is stored.
    struct Row {
        var key: [UInt8]
        var stored: [UInt8]
    }

    private static let rowsPerPage = 256

    private let store: ReadableViews
    private let table: ViewTable
    private let end: [UInt8]?
    private var page: ArraySlice<Row> = []
    private var lastKey: [UInt8]?
    private var isAtEnd = false

    init(_ store: ReadableViews, _ table: ViewTable, upTo end: [UInt8]?) {
        self.store = store
        self.table = table
        self.end = end
    }

    /// Returns the next row, or `nil` after the last.
    ///
    /// - Throws: `StaleViews` if keys do not ascend, which damaged pages can make go on for ever;
    ///   `LMDBError`.
    mutating func next() throws -> Row? {
        if page.isEmpty, !isAtEnd { try readPage() }
        return page.popFirst()
    }

    private mutating func readPage() throws {
        var rows: [Row] = []
        // The first key after the last one.
        let start = lastKey.map { $0 + [0] }
        var last = lastKey
        try store.scanStored(table, in: ViewKeyRange(from: start, upTo: end)) { key, stored in
            let row = Row(key: [UInt8](copying: key), stored: [UInt8](copying: stored))
            if let last, !last.lexicographicallyPrecedes(row.key) {
                throw StaleViews.damaged("the rows of \(table.rawValue) are out of order")
            }
            last = row.key
            rows.append(row)
            return rows.count < Self.rowsPerPage
        }
        isAtEnd = rows.count < Self.rowsPerPage
        lastKey = last
        page = rows[...]
    }
}

/// Compares stored views with views that are made anew in memory from the same entries.
struct ViewCheck {
    private let store: ReadableViews
    private let end: UInt64
    private var runner: ProjectionRunner

    /// Prepares a comparison of views that have read up to `cursor`.
    init(_ store: ReadableViews, at cursor: ViewCursor, log: ReadableLog, rules: TrackingRules) {
        self.store = store
        runner = ProjectionRunner(inMemory: log, rules: rules, passedTo: cursor.passedTo)
        end = cursor.size
    }

    /// Returns every row that differs, table by table in order of keys.
    mutating func differences(_ onProgress: (UInt64) -> Void) throws -> [ViewDifference] {
        try runner.run(upTo: end, onProgress)
        var differences: [ViewDifference] = []
        for (table, expected) in runner.tables { differences += try compare(expected, table) }
        return differences
    }

    private func compare(_ expected: RowTable, _ table: ViewTable) throws -> [ViewDifference] {
        var missing = Dictionary(
            uniqueKeysWithValues: expected.added.map { ($0.key, $0.value) }
        )
        var differences: [ViewDifference] = []
        func note(_ key: [UInt8], _ kind: ViewDifference.Kind) {
            differences.append(
                ViewDifference(
                    table: table.rawValue,
                    row: ViewKey.hexadecimal(key),
                    kind: kind
                )
            )
        }
        try store.scanStored(table) { storedKey, stored in
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
        /// The log gives a row that the view does not have.
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
