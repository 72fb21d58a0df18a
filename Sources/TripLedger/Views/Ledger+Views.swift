import EventStore
import LMDB
import Proofs
import SystemPackage

extension Ledger {
    /// Brings the views up to date and lends them.
    ///
    /// Damaged views are made anew once. Where nothing can be written, views that lag behind are
    /// made anew in a temporary directory for as long as `body` runs.
    func withViews<Result>(
        _ body: (ViewStore) throws -> Result
    ) throws(LedgerError) -> Result {
        try LedgerError.translating(at: path) {
            do {
                guard try lag() == 0 else { throw StaleViews(sentence: "the views lag behind") }
                return try lend(body)
            } catch is StaleViews {
                guard !isReadOnly else { return try withPassingViews(body) }
            }
            do {
                _ = try updateViews()
                return try lend(body)
            } catch is StaleViews {
                _ = try updateViews(isRebuild: true)
                return try lend(body)
            } catch let error where Self.saysThatNothingCanBeWritten(error) {
                return try withPassingViews(body)
            }
        }
    }

    /// Whether views cannot be kept for want of room or of rights; the log can still be read.
    private static func saysThatNothingCanBeWritten(_ error: any Error) -> Bool {
        switch error {
        case let error as LMDBError: error.code.isLackOfRoom || error.code.isLackOfRights
        case let error as Errno:
            [.noSpace, .diskQuotaExceeded, .readOnlyFileSystem, .permissionDenied].contains(error)
        default: false
        }
    }

    /// Returns how many entries the views have not read, or `nil` if there are no usable views.
    func lag() throws(LedgerError) -> UInt64? {
        try LedgerError.translating(at: path) {
            do {
                let store = try openViews(isReadOnly: isReadOnly)
                defer { store.close() }
                let cursor = try validCursor(of: store)
                let size = try log.head().size
                guard cursor.lateSources.isEmpty, cursor.size <= size else { return nil }
                return size - cursor.size
            } catch is StaleViews {
                return nil
            }
        }
    }

    private func lend<Result>(_ body: (ViewStore) throws -> Result) throws -> Result {
        let store = try openViews(isReadOnly: isReadOnly)
        defer { store.close() }
        return try StaleViews.takingDamage { try body(store) }
    }

    private func withPassingViews<Result>(
        _ body: (ViewStore) throws -> Result
    ) throws -> Result {
        let store = try ViewStore.createPassing()
        defer { store.close() }
        var runner = ProjectionRunner(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions)
        )
        try runner.run(upTo: try log.head().size)
        return try body(store)
    }
}
