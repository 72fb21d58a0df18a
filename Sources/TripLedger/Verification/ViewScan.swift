import EventStore
import LMDB
import Platform
public import SystemPackage

/// Derives a ledger's views again and compares every stored row, in the process that may crash over
/// it.
///
/// The new views stand in a directory for passing things meanwhile, so that memory does not grow
/// with them.
public struct ViewScan {
    private static let lockPatience = Duration.milliseconds(10_000)

    private let path: FilePath
    private let scratch: FilePath

    /// Prepares a scan of the views of the ledger in the directory `path`, whose log is sound.
    ///
    /// - Parameters:
    ///   - path: The ledger's directory.
    ///   - scratch: Where the new views may stand; nothing may be there. The process that asked
    ///     for the scan removes it.
    public init(at path: FilePath, scratch: FilePath) {
        self.path = path
        self.scratch = scratch
    }

    /// Compares the views and says what it finds.
    ///
    /// - Parameter say: Told each message; a finding for each row that differs.
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do throws(LedgerError) {
            let ledger = try Ledger(at: path, isReadOnly: true)
            defer { ledger.close() }
            try LedgerError.translating(at: path) { try compare(ledger, messenger) }
        } catch {
            messenger.tell(.doubt("the views could not be compared: \(error.cause)"))
        }
        try messenger.finish()
    }

    private func compare(_ ledger: Ledger, _ messenger: ScanMessenger) throws {
        let isCompared: Void? = try FileLock.reading(
            ledger.lockPath,
            within: Self.lockPatience
        ) {
            do {
                try compare(ledger.views.current(), of: ledger, messenger)
            } catch let reason as StaleViews where Self.isHarmless(reason) {
                messenger.confirm(.views, "\(reason.sentence); they are made anew when needed")
            } catch let reason as StaleViews {
                messenger.report(.views, reason.sentence)
            }
        }
        if isCompared == nil { messenger.tell(.doubt("the views, for they are being changed")) }
    }

    /// Whether views are out of date for a reason that says nothing against the ledger.
    private static func isHarmless(_ reason: StaleViews) -> Bool {
        reason == .missing || reason == .anotherVersion || reason == .erased
    }

    private func compare(
        _ store: ViewStore,
        of ledger: Ledger,
        _ messenger: ScanMessenger
    ) throws {
        let cursor = try store.cursor(in: ledger.log)
        guard cursor.lateSources.isEmpty else {
            let command = "`ledger project`"
            return messenger.tell(
                .doubt("the views, for making them was cut off: finish them with \(command)")
            )
        }
        let expected = try ViewStore.create(at: scratch)
        defer { expected.close() }
        var runner = ProjectionRunner(
            log: ledger.log,
            rules: ledger.rules,
            over: expected,
            from: ViewCursor(versions: ViewSet.versions)
        )
        try runner.run(upTo: cursor.size) { messenger.tell(.progress(done: $0, of: cursor.size)) }
        var rows: UInt64 = 0
        for table in ViewTable.allCases where table != .state {
            rows += try compare(table, expected, store, messenger)
        }
        guard messenger.findingCount == 0 else { return }
        messenger.confirm(
            .views,
            "\(rows) rows are what the first \(cursor.size) entries give"
        )
    }

    /// Walks over both forms of a table side by side; returns the number of rows.
    private func compare(
        _ table: ViewTable,
        _ expected: ViewStore,
        _ stored: ViewStore,
        _ messenger: ScanMessenger
    ) throws -> UInt64 {
        func report(_ row: RowPager.Row, _ what: String) {
            let key = ViewKey.hexadecimal(row.key)
            messenger.report(.views, "row \(key) of \(table.rawValue) \(what)")
        }
        var rightRows = RowPager(expected, table)
        var storedRows = RowPager(stored, table)
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
