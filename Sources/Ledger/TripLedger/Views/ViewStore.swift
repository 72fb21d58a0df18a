import EventStore
import LMDB
import Platform
import RowCoding
import Synchronization
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

/// The views that a ledger has open in this process: one environment, however many snapshots read
/// it at once.
///
/// Another process may swap in new views at any time; then the next caller gets those, and a
/// snapshot of the old ones goes on until it ends. The last one to use a store closes it.
final class OpenViews: Sendable {
    /// The directory `views/`.
    let path: FilePath

    private let isReadOnly: Bool
    private let stored = Mutex<ViewStore?>(nil)

    /// Views in a temporary directory, for a ledger that cannot keep any.
    ///
    /// They are made at most once; holding the lock is the right to bring them up to date.
    private let temporary = Mutex<ViewStore?>(nil)

    init(at path: FilePath, isReadOnly: Bool) {
        self.path = path
        self.isReadOnly = isReadOnly
    }

    /// Returns the views that stand at the path now.
    ///
    /// - Throws: `StaleViews` if there are none, or none that LMDB can open; `LMDBError`.
    func current() throws -> ViewStore {
        try stored.withLock { open in
            if let open, open.isAtPath { return open }
            open = nil
            guard try Directory.holds(path.appending("data.mdb")) else { throw StaleViews.missing }
            let store = try openStore()
            open = store
            return store
        }
    }

    /// Forgets the open views, so that they are opened anew: LMDB refuses to go on with an
    /// environment in which a write has failed.
    func reopen() {
        stored.withLock { $0 = nil }
    }

    /// Runs `body` with views in a temporary directory, one caller at a time.
    ///
    /// - Parameters:
    ///   - isFresh: Whether to begin with empty ones in any case.
    ///   - parent: Where new ones stand.
    ///   - body: What to do.
    /// - Returns: What `body` returned.
    /// - Throws: The error of the system, and the errors of `body`.
    func withTemporary<Result: Sendable & ~Copyable>(
        isFresh: Bool,
        in parent: FilePath = Directory.temporary,
        _ body: (ViewStore) throws -> Result
    ) throws -> Result {
        try temporary.withLock { kept in
            let store = try (isFresh ? nil : kept) ?? ViewStore.createTemporary(in: parent)
            kept = store
            return try body(store)
        }
    }

    /// Closes all views once nothing reads them any more.
    func close() {
        stored.withLock { open in
            open?.close()
            open = nil
        }
        temporary.withLock { open in
            open?.close()
            open = nil
        }
    }

    private func openStore() throws -> ViewStore {
        var attemptsLeft = 3
        while true {
            do {
                return try ViewStore(at: path, isReadOnly: isReadOnly)
            } catch let error as LMDBError {
                // Others were swapped in while these were being opened.
                attemptsLeft -= 1
                if error.code == .replaced, attemptsLeft > 0 { continue }
                guard Self.isHealedByRebuilding(error.code) else { throw error }
                throw StaleViews.damaged(error.description)
            }
        }
    }

    /// Whether opening views failed for a reason that new ones do not have.
    private static func isHealedByRebuilding(_ code: LMDBError.Code) -> Bool {
        switch code {
        case .notFound, .wrongFileType, .symbolicLink, .lockFileLost, .lockFileCut,
            .system(.noSuchFileOrDirectory):
            true
        // A damaged meta page asks for a map larger than an address space.
        case .system(.noMemory): true
        default: code.isDamage
        }
    }
}

extension ViewStore {
    /// Creates empty views in a temporary directory, for as long as this process keeps them open.
    static func createTemporary(in parent: FilePath = Directory.temporary) throws -> ViewStore {
        let path = parent.appending("ledger-views-\(UInt64.random(in: 0 ... .max))")
        let store = try create(at: path, isTemporary: true)
        // The open files live on without names, so that not even a killed process leaves anything.
        try? Directory.remove(path)
        return store
    }
}

/// The checksum before every value of a view, over its key and the value: LMDB has none, and a view
/// that was damaged must never be taken for a figure.
enum ViewSeal {
    private static let byteCount = 4

    /// Returns the value as it is stored: the CRC32C of key and value, lowest byte first, then the
    /// value.
    static func sealed(_ value: [UInt8], key: [UInt8]) -> [UInt8] {
        let checksum = Checksum.crc32c(value.span, after: Checksum.crc32c(key.span))
        var sealed: [UInt8] = []
        sealed.reserveCapacity(byteCount + value.count)
        for index in 0..<byteCount {
            sealed.append(UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)))
        }
        sealed += value
        return sealed
    }

    /// Returns the value that was stored, or `nil` if it is not what was written.
    static func opened(_ stored: Span<UInt8>, key: Span<UInt8>) -> [UInt8]? {
        guard isWhole(stored, key: key) else { return nil }
        return [UInt8](copying: stored.extracting(droppingFirst: byteCount))
    }

    /// Puts the value that was stored in the place of `value`, or returns `false` if it is not what
    /// was written.
    static func open(
        _ stored: Span<UInt8>,
        key: Span<UInt8>,
        into value: inout [UInt8]
    ) -> Bool {
        guard isWhole(stored, key: key) else { return false }
        value.removeAll(keepingCapacity: true)
        value.append(contentsOf: stored.extracting(droppingFirst: byteCount))
        return true
    }

    /// Returns whether a stored value is what was written for its key.
    static func isWhole(_ stored: Span<UInt8>, key: Span<UInt8>) -> Bool {
        guard stored.count >= byteCount else { return false }
        let value = stored.extracting(droppingFirst: byteCount)
        return checksum(in: stored) == Checksum.crc32c(value, after: Checksum.crc32c(key))
    }

    /// Returns the checksum that a stored value says it has; one that is too short for any has 0.
    static func checksum(in stored: Span<UInt8>) -> UInt32 {
        guard stored.count >= byteCount else { return 0 }
        var checksum: UInt32 = 0
        for index in 0..<byteCount {
            checksum |= UInt32(stored[index]) << UInt32(8 * index)
        }
        return checksum
    }
}

/// Changes views: what it writes is durable when a commit returns.
///
/// It remembers which sections of the rows were found to be complete, for as long as nothing else
/// changes them.
struct ViewWriter: Sendable {
    /// The rows as they are whenever they are asked for, its own changes among them.
    let views: ReadableViews

    private let environment: Environment

    init(_ views: ReadableViews, _ environment: Environment) {
        self.views = views
        self.environment = environment
    }

    /// Makes all changes of some tables durable in one transaction.
    ///
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func commit(_ tables: [TableChanges]) throws {
        let earlier = try sums(before: tables)
        var changes = earlier
        try views.takingDamage {
            try environment.write { transaction in
                changes = earlier
                for (table, rows) in tables {
                    try put(rows, table, &transaction, &changes)
                }
                try put(&changes, &transaction)
            }
        }
        views.sums.note(changes)
    }

    /// Returns the sums of the sections that some changes concern, as they are now.
    private func sums(before tables: [TableChanges]) throws -> SumChanges {
        var earlier: [ViewSection: RowSum] = [:]
        for (table, rows) in tables where table != .state {
            for key in rows.changes.keys {
                let section = ViewSection(of: key, in: table)
                guard earlier[section] == nil else { continue }
                earlier[section] = try views.sums.sum(of: section, or: views.loadedSums).sum
            }
        }
        return SumChanges(earlier, try views.tableSums())
    }

    /// Puts the changes of one table in order of key.
    private func put(
        _ rows: RowTable,
        _ table: ViewTable,
        _ transaction: inout WriteTransaction,
        _ changes: inout SumChanges
    ) throws {
        let handle = views.handle(table)
        for key in rows.keys.all {
            guard let change = rows.changes[key] else { continue }
            var old: UInt32?
            if let stored = try transaction.get(handle, key) { old = ViewSeal.checksum(in: stored) }
            var new: UInt32?
            if let value = change {
                let sealed = ViewSeal.sealed(value, key: key)
                new = ViewSeal.checksum(in: sealed.span)
                try transaction.put(handle, key, sealed, append: false)
            } else {
                _ = try transaction.delete(handle, key)
            }
            guard table != .state else { continue }
            changes.replace(old, by: new, in: ViewSection(of: key, in: table))
        }
    }

    /// Puts the sums of the sections that changed, and the sums of the sums.
    private func put(
        _ changes: inout SumChanges,
        _ transaction: inout WriteTransaction
    ) throws {
        let table = views.handle(.sums)
        for (section, sum) in changes.sums {
            let key = section.sumKey
            if let earlier = changes.earlier[section], earlier != RowSum() {
                let sealed = ViewSeal.sealed(earlier.encoded, key: key)
                changes.tables[section.table].remove(ViewSeal.checksum(in: sealed.span))
            }
            if sum == RowSum() {
                _ = try transaction.delete(table, key)
            } else {
                let sealed = ViewSeal.sealed(sum.encoded, key: key)
                changes.tables[section.table].add(ViewSeal.checksum(in: sealed.span))
                try transaction.put(table, key, sealed, append: false)
            }
        }
        let sealed = ViewSeal.sealed(changes.tables.encoded, key: TableSums.key)
        try transaction.put(views.handle(.state), TableSums.key, sealed, append: false)
    }
}
