import LMDB
import SystemPackage

/// The environment `views/` on disk: rows that people look at, and how far they have read.
///
/// It only opens and creates it: ``ReadableViews`` answer, about the newest rows or about those of
/// a ``ViewSnapshot``, and a ``ViewWriter`` changes them.
struct ViewStore: Sendable {
    private static let options = Environment.Options(
        maximumTables: ViewTable.allCases.count,
        initialMapBytes: 16 << 20,
        isReadOnly: false,
        maximumReaders: 126
    )

    private let environment: Environment

    /// The rows as they are whenever they are asked for.
    let newest: ReadableViews

    /// Whether this process has written all rows, and nothing has had time to damage them.
    private var areRowsOwn = false

    /// Opens the views in the directory at `path`.
    init(at path: FilePath, isReadOnly: Bool = false) throws {
        var options = Self.options
        options.isReadOnly = isReadOnly
        try self.init(at: path, options)
    }

    private init(at path: FilePath, _ options: Environment.Options) throws {
        environment = try Environment(at: path, options: options)
        let handles = try environment.openTables(ViewTable.allCases.map(\.rawValue))
        newest = ReadableViews(
            .newest(environment),
            Dictionary(uniqueKeysWithValues: zip(ViewTable.allCases, handles)),
            at: path
        )
    }

    /// Creates empty views; the directory appears at `path` complete or not at all.
    ///
    /// Rows written to them are durable only after ``synchronize()``: until they are complete, they
    /// are made anew after a crash.
    ///
    /// - Parameters:
    ///   - path: Where nothing is yet.
    ///   - isTemporary: Whether they are useless after a crash: then nothing of them is flushed,
    ///     nor the directory that they stand in.
    /// - Returns: The views, open.
    /// - Throws: `LMDBError`.
    static func create(at path: FilePath, isTemporary: Bool = false) throws -> ViewStore {
        var options = options
        options.syncsCommits = false
        options.isTemporary = isTemporary
        try Environment.create(at: path, options: options) { transaction in
            for table in ViewTable.allCases {
                _ = try transaction.createTable(table.rawValue)
            }
            let state = try transaction.createTable(ViewTable.state.rawValue)
            let rows = [
                (ViewCursor.key, ViewCursor(versions: ViewSet.versions).encoded),
                (TableSums.key, TableSums().encoded),
            ]
            for (key, value) in rows {
                try transaction.put(state, key, ViewSeal.sealed(value, key: key), append: false)
            }
        }
        var store = try ViewStore(at: path, options)
        store.areRowsOwn = true
        return store
    }

    /// Begins a snapshot: all that is read from it are the rows as they are now.
    ///
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func snapshot() throws -> ViewSnapshot {
        try newest.takingDamage {
            let transaction = try SharedRead(of: environment)
            return ViewSnapshot(
                transaction,
                of: newest.withSums(ViewSums()).read(by: transaction)
            )
        }
    }

    /// Returns what changes the views, for a holder of their lock: other processes may have changed
    /// them since they were asked last.
    ///
    /// One thread MUST ask and change them until it gives up the lock.
    func forChanging() -> ViewWriter {
        ViewWriter(newest.withSums(ViewSums()), environment)
    }

    /// Returns what fills the views, for the process that has created them and alone knows them.
    ///
    /// One thread at a time MUST ask and change them.
    func forFilling() -> ViewWriter {
        ViewWriter(newest.withSums(ViewSums(areRowsOwn: areRowsOwn)), environment)
    }

    /// Whether the views that stand at the path are these: others may have been swapped in.
    var isAtPath: Bool { environment.isAtPath }

    /// Waits until everything that was written is on disk.
    func synchronize() throws { try environment.sync() }

    /// Closes the environment; the store MUST NOT be used after that.
    func close() { environment.close() }
}
