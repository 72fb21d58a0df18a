import EventStore
import LMDB
import Proofs
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
    /// - Returns: What was done.
    /// - Throws: `.damaged` if the log is, `.inputOutput`.
    public func project(
        isRebuild: Bool = false,
        onProgress: (UInt64) -> Void = { _ in }
    ) throws(LedgerError) -> ProjectionReport {
        try LedgerError.translating(at: path) {
            try updateViews(isRebuild: isRebuild, onProgress)
        }
    }

    /// Brings the views up to date; throws what the system says.
    func updateViews(
        isRebuild: Bool = false,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> ProjectionReport {
        try FileLock.holding(lockPath, notice) {
            if isRebuild { return try rebuild(because: nil, onProgress) }
            do {
                return try catchUp(onProgress)
            } catch let reason as StaleViews {
                return try rebuild(because: reason.sentence, onProgress)
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
            do {
                return isReadOnly
                    ? try differences(onProgress)
                    : try FileLock.holding(lockPath, notice) { try differences(onProgress) }
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

    private func differences(_ onProgress: (UInt64) -> Void) throws -> [ViewDifference] {
        let store = try openViews(isReadOnly: isReadOnly)
        defer { store.close() }
        var cursor = try validCursor(of: store)
        if !cursor.lateSources.isEmpty, !isReadOnly {
            // A run that was cut off left rows that are known to be unfinished.
            var runner = ProjectionRunner(log: log, rules: rules, over: store, from: cursor)
            try StaleViews.takingDamage { try runner.run(upTo: cursor.size) }
            cursor = runner.cursor
        }
        var check = ViewCheck(store, at: cursor, log: log, rules: rules)
        return try check.differences(onProgress)
    }

    /// Held by whoever changes or compares views.
    var lockPath: FilePath { path.appending("views.lock") }

    /// Opens the stored views.
    ///
    /// - Throws: `StaleViews` if there are none, or none that LMDB can open.
    func openViews(isReadOnly: Bool = false) throws -> ViewStore {
        guard try Directory.holds(viewsPath) else { throw StaleViews.missing }
        do {
            return try ViewStore(at: viewsPath, isReadOnly: isReadOnly)
        } catch let error as LMDBError where Self.isHealedByMakingAnew(error.code) {
            throw StaleViews.damaged(error.description)
        }
    }

    /// Whether opening views failed for a reason that new ones do not have.
    private static func isHealedByMakingAnew(_ code: LMDBError.Code) -> Bool {
        switch code {
        case .notFound, .wrongFileType, .symbolicLink, .system(.noSuchFileOrDirectory): true
        default: code.isDamage
        }
    }

    /// Returns how far stored views have read.
    ///
    /// - Throws: `StaleViews` if they are of another version or of another log, or damaged.
    func validCursor(of store: ViewStore) throws -> ViewCursor {
        guard let bytes = try store.value(.state, ViewCursor.key) else {
            return ViewCursor(versions: ViewSet.versions)
        }
        let cursor = try StaleViews.takingDamage {
            do {
                return try ViewCursor(decoding: bytes)
            } catch StateError.unknownVersion {
                throw StaleViews.anotherVersion
            }
        }
        guard cursor.versions == ViewSet.versions else { throw StaleViews.anotherVersion }
        guard cursor.size > 0 else { return cursor }
        if let erasure = try log.lastErasure(), erasure >= cursor.size {
            throw StaleViews.erased
        }
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
        try StaleViews.takingDamage { try runner.run(upTo: end, onProgress) }
        return runner.report
    }

    private func rebuild(
        because reason: String?,
        _ onProgress: (UInt64) -> Void
    ) throws -> ProjectionReport {
        let fresh = path.appending("views.new")
        let old = path.appending("views.old")
        try removeLeftovers()
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
            try store.synchronize()
        }
        if try Directory.holds(viewsPath) {
            try DurableFile.move(viewsPath, to: old, isReplacing: true)
        }
        try DurableFile.move(fresh, to: viewsPath, isReplacing: true)
        try removeLeftovers()
        runner.report.isRebuilt = true
        runner.report.rebuiltBecause = reason
        return runner.report
    }

    /// What runs that were cut off have left beside the views.
    func viewLeftovers() throws -> [FilePath] {
        try Directory.names(in: path)
            .filter { $0 == "views.new" || $0 == "views.old" || $0.hasPrefix(".views.new.") }
            .map { path.appending($0) }
    }

    private func removeLeftovers() throws {
        let leftovers = try viewLeftovers()
        guard !leftovers.isEmpty else { return }
        for leftover in leftovers { try Directory.remove(leftover) }
        // What was erased may stand in them: they MUST NOT come back when the power fails.
        try DurableFile.synchronizeDirectory(of: viewsPath)
    }
}
