import EventStore
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
            let lag = try lag()
            if isReadOnly {
                return lag == 0 ? try lend(body) : try withPassingViews(body)
            }
            if lag != 0 { _ = try project() }
            do {
                return try lend(body)
            } catch is StaleViews {
                _ = try project(isRebuild: true)
                return try lend(body)
            }
        }
    }

    /// Returns how many entries the views have not read, or `nil` if there are no usable views.
    func lag() throws(LedgerError) -> UInt64? {
        try LedgerError.translating(at: path) {
            do {
                let store = try openViews(isReadOnly: isReadOnly)
                defer { store.close() }
                let cursor = try validCursor(of: store)
                guard cursor.lateSources.isEmpty else { return nil }
                return try log.head().size - cursor.size
            } catch is StaleViews {
                return nil
            }
        }
    }

    private func lend<Result>(_ body: (ViewStore) throws -> Result) throws -> Result {
        let store = try openViews(isReadOnly: isReadOnly)
        defer { store.close() }
        return try body(store)
    }

    private func withPassingViews<Result>(
        _ body: (ViewStore) throws -> Result
    ) throws -> Result {
        let path = Directory.temporary.appending("ledger-views-\(UInt64.random(in: 0 ... .max))")
        let store = try ViewStore.create(at: path)
        defer {
            store.close()
            Directory.removeEnvironment(path)
        }
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
