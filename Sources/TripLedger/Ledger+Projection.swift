import EventStore
import LMDB
import SystemPackage
import TripTracking

extension Ledger {
    /// Brings the views up to date with the log.
    ///
    /// Views that are missing, damaged, of another version or of another log are made anew beside
    /// the old ones and swapped in.
    ///
    /// - Parameters:
    ///   - isRebuild: Whether to make the views anew in any case.
    ///   - onProgress: Told the position reached now and then.
    /// - Throws: `.damaged` if the log is, `.inputOutput`.
    public func project(
        isRebuild: Bool = false,
        onProgress: (UInt64) -> Void = { _ in }
    ) throws(LedgerError) -> ProjectionReport {
        try LedgerError.translating(at: path) {
            try FileLock.holding(lockPath) {
                if isRebuild { return try rebuild(because: nil, onProgress) }
                do {
                    return try catchUp(onProgress)
                } catch let reason as StaleViews {
                    return try rebuild(because: reason.sentence, onProgress)
                }
            }
        }
    }

    /// Compares the stored views, row by row, with views made anew from the same entries.
    ///
    /// - Returns: Every row that differs; none if the views are right.
    /// - Throws: `.notFound` if there are no views yet, `.damaged` if the log is, `.inputOutput`.
    public func checkViews(
        onProgress: (UInt64) -> Void = { _ in }
    ) throws(LedgerError) -> [ViewDifference] {
        try LedgerError.translating(at: path) {
            try FileLock.holding(lockPath) {
                do {
                    let store = try openViews()
                    defer { store.close() }
                    let cursor = try validCursor(of: store)
                    var check = ViewCheck(store, at: cursor, log: log, rules: rules)
                    return try check.differences(onProgress)
                } catch let reason as StaleViews {
                    throw LedgerError(
                        .notFound,
                        at: viewsPath.string,
                        cause: reason.sentence,
                        hint: "Make the views anew with `ledger project`"
                    )
                }
            }
        }
    }

    /// Held by whoever changes or compares views.
    private var lockPath: FilePath { path.appending("views.lock") }

    /// Why stored views cannot be gone on with.
    struct StaleViews: Error {
        var sentence: String
    }

    /// Opens the stored views.
    ///
    /// - Throws: `StaleViews` if there are none, or none that LMDB can open.
    func openViews(isReadOnly: Bool = false) throws -> ViewStore {
        guard (try? Stat(viewsPath)) != nil else {
            throw StaleViews(sentence: "there are no views yet")
        }
        do {
            return try ViewStore(at: viewsPath, isReadOnly: isReadOnly)
        } catch let error as LMDBError where error.code != .alreadyOpen {
            throw StaleViews(sentence: "the views cannot be opened: \(error)")
        }
    }

    /// Returns how far stored views have read.
    ///
    /// - Throws: `StaleViews` if they are of another version or of another log, or damaged.
    func validCursor(of store: ViewStore) throws -> ViewCursor {
        guard let bytes = try store.value(.state, ViewCursor.key) else {
            return ViewCursor(versions: ViewSet.versions)
        }
        guard let cursor = try? ViewCursor(decoding: bytes) else {
            throw StaleViews(sentence: "the views were made by another version of ledger")
        }
        guard cursor.versions == ViewSet.versions else {
            throw StaleViews(sentence: "the views were made by another version of ledger")
        }
        guard cursor.size > 0 else { return cursor }
        let leaf = try log.withEntry(at: cursor.size - 1) { $0.leafHash.description }
        guard leaf == cursor.lastLeaf else {
            throw StaleViews(
                sentence: "the views have read \(cursor.size) entries that this log does not have"
            )
        }
        return cursor
    }

    private func catchUp(_ onProgress: (UInt64) -> Void) throws -> ProjectionReport {
        let store = try openViews()
        defer { store.close() }
        let cursor = try validCursor(of: store)
        let end = try log.head().size
        var runner = ProjectionRunner(log: log, rules: rules, over: store, from: cursor)
        do {
            try runner.run(upTo: end, onProgress)
        } catch let error as StateError {
            throw StaleViews(sentence: "the views are damaged (\(error))")
        }
        return runner.report
    }

    private func rebuild(
        because reason: String?,
        _ onProgress: (UInt64) -> Void
    ) throws -> ProjectionReport {
        let fresh = path.appending("views.new")
        let old = path.appending("views.old")
        Directory.removeEnvironment(fresh)
        Directory.removeEnvironment(old)
        let store = try ViewStore.create(at: fresh)
        let end = try log.head().size
        var runner = ProjectionRunner(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions)
        )
        do {
            defer { store.close() }
            try runner.run(upTo: end, onProgress)
        }
        if (try? Stat(viewsPath, followTargetSymlink: false)) != nil {
            try Directory.move(viewsPath, to: old)
        }
        try Directory.move(fresh, to: viewsPath)
        Directory.removeEnvironment(old)
        runner.report.isRebuilt = true
        runner.report.rebuiltBecause = reason
        return runner.report
    }
}
