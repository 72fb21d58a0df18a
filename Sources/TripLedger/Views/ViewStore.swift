import EventStore
import LMDB
import Proofs
import RowCoding
import SystemPackage
import TripTracking

/// The environment `views/` on disk: rows that people look at, and how far they have read.
struct ViewStore: Sendable {
    private static let options = Environment.Options(
        maximumTables: ViewTable.allCases.count,
        initialMapBytes: 16 << 20,
        isReadOnly: false,
        maximumReaders: 126
    )

    private let path: FilePath
    let environment: Environment
    private let tables: [ViewTable: Table]

    /// The snapshot that everything is read from; `nil` to read what is newest at each call.
    private var snapshot: SharedRead?

    /// Opens the views in the directory at `path`.
    init(at path: FilePath, isReadOnly: Bool = false) throws {
        var options = Self.options
        options.isReadOnly = isReadOnly
        try self.init(at: path, options)
    }

    private init(at path: FilePath, _ options: Environment.Options) throws {
        self.path = path
        environment = try Environment(at: path, options: options)
        let handles = try environment.openTables(ViewTable.allCases.map(\.rawValue))
        tables = Dictionary(uniqueKeysWithValues: zip(ViewTable.allCases, handles))
    }

    /// Creates empty views; the directory appears at `path` complete or not at all.
    ///
    /// What is written to them is durable only after ``synchronize()``: until they are complete,
    /// they are made anew after a crash.
    static func create(at path: FilePath) throws -> ViewStore {
        var options = options
        options.syncsCommits = false
        try Environment.create(at: path, options: options) { transaction in
            for table in ViewTable.allCases {
                _ = try transaction.createTable(table.rawValue)
            }
        }
        return try ViewStore(at: path, options)
    }

    /// Returns the views as they are now: whatever they are asked is read from one snapshot.
    ///
    /// They MUST be asked on this thread only, and MUST NOT be written to.
    ///
    /// - Returns: The views, until ``endSnapshot()``.
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func beginSnapshot() throws -> ViewStore {
        var store = self
        store.snapshot = try takingDamage { try SharedRead(of: environment) }
        return store
    }

    /// Returns views of the same snapshot for one other thread, which MUST be started after this
    /// call and joined before this thread ends their snapshot.
    ///
    /// - Returns: The views, until ``endSnapshot()``; `nil` if there is no snapshot or the views
    ///   were written to since it began.
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func lendSnapshot() throws -> ViewStore? {
        guard let lent = try takingDamage({ try snapshot?.lend() }) else { return nil }
        var store = self
        store.snapshot = lent
        return store
    }

    /// Ends the snapshot; the store that began or lent it MUST NOT be used after that.
    func endSnapshot() {
        snapshot?.end()
    }

    /// Runs `body` on the store's snapshot, or without one on the newest state.
    func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        guard let snapshot else { return try environment.read(body) }
        return try snapshot.read(body)
    }

    /// Whether the views that stand at the path are these: others may have been swapped in.
    var isAtPath: Bool { environment.isAtPath }

    /// Waits until everything that was written is on disk.
    func synchronize() throws {
        try environment.sync()
    }

    /// Closes the environment; the store MUST NOT be used after that.
    func close() {
        environment.close()
    }

    /// Returns the value of a key, or `nil`.
    ///
    /// - Throws: `StaleViews` if it is not what was written, or `LMDBError`.
    func value(_ table: ViewTable, _ key: [UInt8]) throws -> [UInt8]? {
        try takingDamage {
            try read { transaction in
                guard let stored = try transaction.get(handle(table), key) else { return nil }
                return try Self.opened(stored, table)
            }
        }
    }

    /// Walks over the rows of a table whose keys lie in a range.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - keys: The range.
    ///   - isDescending: Whether the order is descending.
    ///   - body: Gets key and value, and returns whether to go on.
    /// - Throws: `StaleViews` if a row is not what was written, `LMDBError`, and what `body`
    /// throws.
    func scan(
        _ table: ViewTable,
        in keys: ViewKeyRange = .all,
        isDescending: Bool = false,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        try scanStored(table, in: keys, isDescending: isDescending) { key, stored in
            try body([UInt8](copying: key), Self.opened(stored, table))
        }
    }

    /// Walks over the values of a table whose keys lie in a range, as ``scan`` does.
    func scanValues(
        _ table: ViewTable,
        in keys: ViewKeyRange = .all,
        isDescending: Bool = false,
        _ body: ([UInt8]) throws -> Bool
    ) throws {
        try scanStored(table, in: keys, isDescending: isDescending) { _, stored in
            try body(Self.opened(stored, table))
        }
    }

    /// Walks over the rows of a table as they are stored, whatever that is.
    func scanStored(
        _ table: ViewTable,
        in keys: ViewKeyRange = .all,
        isDescending: Bool = false,
        _ body: (Span<UInt8>, Span<UInt8>) throws -> Bool
    ) throws {
        try takingDamage {
            try read { transaction in
                var cursor = try transaction.cursor(handle(table))
                let start = isDescending ? keys.upTo : keys.from
                var isFound: Bool
                if let start, try cursor.seek(toKeyAtOrAfter: start) {
                    isFound = isDescending ? try cursor.previous() : true
                } else if isDescending {
                    isFound = try cursor.last()
                } else {
                    isFound = start == nil ? try cursor.first() : false
                }
                while isFound {
                    let key = cursor.key
                    guard isDescending ? keys.begins(before: key) : keys.ends(after: key),
                        try body(key, cursor.value)
                    else { return }
                    isFound = isDescending ? try cursor.previous() : try cursor.next()
                }
            }
        }
    }

    /// Checks that the rows of a table whose keys lie in a range are what was written.
    ///
    /// - Returns: How many rows there are.
    /// - Throws: `StaleViews` if one is not, or `LMDBError`.
    @discardableResult
    func requireSound(_ table: ViewTable, in keys: ViewKeyRange) throws -> Int {
        var rowCount = 0
        try scanStored(table, in: keys) { _, stored in
            guard ViewSeal.isWhole(stored) else { throw Self.damage(of: table) }
            rowCount += 1
            return true
        }
        return rowCount
    }

    /// Makes all changes of some buffered tables durable in one transaction.
    func commit(_ buffers: [ViewBuffer]) throws {
        try environment.write { transaction in
            for buffer in buffers {
                try Self.put(buffer, in: handle(buffer.table), &transaction)
            }
        }
    }

    /// Puts the changes of one table in order of key.
    private static func put(
        _ buffer: ViewBuffer,
        in table: Table,
        _ transaction: inout WriteTransaction
    ) throws {
        let changes = buffer.changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (key, change) in changes {
            if let value = change {
                try transaction.put(table, key, ViewSeal.sealed(value), append: false)
            } else {
                _ = try transaction.delete(table, key)
            }
        }
    }

    /// Returns the handle of a table.
    func handle(_ table: ViewTable) -> Table {
        guard let handle = tables[table] else {
            preconditionFailure("every table is opened with the store")
        }
        return handle
    }

    private static func opened(_ stored: Span<UInt8>, _ table: ViewTable) throws -> [UInt8] {
        guard let value = ViewSeal.opened(stored) else { throw damage(of: table) }
        return value
    }

    /// Returns that a row of a table is not what was written.
    static func damage(of table: ViewTable) -> StaleViews {
        StaleViews.damaged("a row of \(table.rawValue) has another checksum")
    }

    /// Runs `body` and takes it for damaged views when LMDB finds their file to be damaged.
    func takingDamage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LMDBError where error.code.isDamage && error.path.starts(with: path) {
            throw StaleViews.damaged(error.description)
        }
    }
}

extension ViewStore {
    /// Returns how far the views have read.
    ///
    /// - Throws: `StaleViews` if they are of another version or of another log, if entries were
    ///   erased that they have read, or if they are damaged.
    func cursor(in log: EventLog) throws -> ViewCursor {
        guard let bytes = try value(.state, ViewCursor.key) else {
            return ViewCursor(versions: ViewSet.versions)
        }
        let cursor = try StaleViews.takingDamage {
            do {
                return try ViewCursor(decoding: bytes)
            } catch RowCodingError.unknownVersion {
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
}

/// The checksum before every value of a view: LMDB has none, and a view that was damaged must never
/// be taken for a figure.
enum ViewSeal {
    private static let byteCount = 4

    /// Returns the value as it is stored: its CRC32C, lowest byte first, then its bytes.
    static func sealed(_ value: [UInt8]) -> [UInt8] {
        let checksum = Checksum.crc32c(value.span)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(byteCount + value.count)
        for index in 0..<byteCount {
            sealed.append(UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)))
        }
        sealed += value
        return sealed
    }

    /// Returns the value that was stored, or `nil` if it is not what was written.
    static func opened(_ stored: Span<UInt8>) -> [UInt8]? {
        isWhole(stored) ? [UInt8](copying: stored.extracting(droppingFirst: byteCount)) : nil
    }

    /// Puts the value that was stored in the place of `value`, or returns `false` if it is not what
    /// was written.
    static func open(_ stored: Span<UInt8>, into value: inout [UInt8]) -> Bool {
        guard isWhole(stored) else { return false }
        value.removeAll(keepingCapacity: true)
        value.append(contentsOf: stored.extracting(droppingFirst: byteCount))
        return true
    }

    /// Returns whether a stored value is what was written.
    static func isWhole(_ stored: Span<UInt8>) -> Bool {
        guard stored.count >= byteCount else { return false }
        let checksum = Checksum.crc32c(stored.extracting(droppingFirst: byteCount))
        for index in 0..<byteCount
        where stored[index] != UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) {
            return false
        }
        return true
    }
}
