import EventStore
import LMDB
import RowCoding
import SystemPackage
import TripEvents
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

    /// The sums that the rows of each section must have, and the sections that were found to have
    /// them.
    private var sums = ViewSums()

    /// The snapshot that everything is read from; `nil` to read what is newest at each call.
    private var snapshot: SharedRead?

    /// The part of trips and sources that the asker sees; keys and sums of rows are not concerned.
    private(set) var sight = Sight.everything

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
        store.sums = ViewSums(areRowsOwn: true)
        return store
    }

    /// Returns the views as they are now: all that is read from them comes from one snapshot.
    ///
    /// They MUST be asked on this thread only, and MUST NOT be written to.
    ///
    /// - Returns: The views, until ``endSnapshot()``.
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func beginSnapshot() throws -> ViewStore {
        var store = self
        store.sums = ViewSums()
        store.snapshot = try takingDamage { try SharedRead(of: environment) }
        return store
    }

    /// Returns the same views as one sees them who may not see everything.
    ///
    /// They MUST NOT be written to.
    func seen(by sight: Sight) -> ViewStore {
        var store = self
        store.sight = sight
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

    /// Returns the same views for a holder of their lock: other processes may have changed them
    /// since they were asked last.
    ///
    /// One thread MUST ask and change them until it gives up the lock.
    func forChanging() -> ViewStore {
        var store = self
        store.sums = ViewSums()
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
    func synchronize() throws { try environment.sync() }

    /// Closes the environment; the store MUST NOT be used after that.
    func close() { environment.close() }

    /// Returns the value of a key, or `nil`.
    ///
    /// - Throws: `StaleViews` if it is not what was written, or if a row of its section is missing,
    ///   or `LMDBError`.
    func value(_ table: ViewTable, _ key: [UInt8]) throws -> [UInt8]? {
        guard try requireSound(ViewSection(of: key, in: table)).count > 0 else { return nil }
        return try storedValue(table, key)
    }

    /// Returns the value of a key as far as its own checksum tells.
    func storedValue(_ table: ViewTable, _ key: [UInt8]) throws -> [UInt8]? {
        try takingDamage {
            try read { transaction in
                guard let stored = try transaction.get(handle(table), key) else { return nil }
                return try Self.opened(stored, key: key.span, table)
            }
        }
    }

    /// Walks over the rows of a table whose keys lie in a range.
    ///
    /// No row is handed over before those around it were found to be complete.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - keys: The range.
    ///   - isDescending: Whether the order is descending.
    ///   - body: Gets key and value, and returns whether to go on.
    /// - Throws: `StaleViews` if a row is not what was written, or missing, `LMDBError`, and what
    ///   `body` throws.
    func scan(
        _ table: ViewTable,
        in keys: ViewKeyRange = .all,
        isDescending: Bool = false,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        try scanSound(table, in: keys, isDescending: isDescending) { key, stored in
            try body([UInt8](copying: key), Self.opened(stored, key: key, table))
        }
    }

    /// Walks over the values of a table whose keys lie in a range, as ``scan`` does.
    func scanValues(
        _ table: ViewTable,
        in keys: ViewKeyRange = .all,
        isDescending: Bool = false,
        _ body: ([UInt8]) throws -> Bool
    ) throws {
        try scanSound(table, in: keys, isDescending: isDescending) { key, stored in
            try body(Self.opened(stored, key: key, table))
        }
    }

    /// Walks over keys and stored values as ``scan`` does; their checksums are left to `body`.
    func scanSound(
        _ table: ViewTable,
        in keys: ViewKeyRange,
        isDescending: Bool,
        _ body: (Span<UInt8>, Span<UInt8>) throws -> Bool
    ) throws {
        var goesOn = true
        for section in try sections(of: table, in: keys, isDescending: isDescending) {
            try requireSound(section)
            let part = keys.intersection(section.keys)
            try scanStored(table, in: part, isDescending: isDescending) { key, stored in
                goesOn = try body(key, stored)
                return goesOn
            }
            guard goesOn else { return }
        }
    }

    /// Walks over the rows of a table as they are stored, without any check.
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

    /// Checks that the rows of a table whose keys lie in a range are what was written, and that
    /// none is missing.
    ///
    /// - Returns: How many rows the sections have in which the range lies.
    /// - Throws: `StaleViews` if they are not, or `LMDBError`.
    @discardableResult
    func requireSound(_ table: ViewTable, in keys: ViewKeyRange) throws -> UInt64 {
        var count: UInt64 = 0
        for section in try sections(of: table, in: keys, isDescending: false) {
            count += try requireSound(section).count
        }
        return count
    }

    /// Checks that the rows of a section are those that were written, and that none is missing,
    /// unless this was checked before.
    ///
    /// - Returns: Their sum.
    /// - Throws: `StaleViews` if they are not, or `LMDBError`.
    @discardableResult
    private func requireSound(_ section: ViewSection) throws -> RowSum {
        let (expected, isSound) = try sums.sum(of: section, or: loadedSums)
        guard !isSound else { return expected }
        var found = RowSum()
        try scanStored(section.table, in: section.keys) { key, stored in
            guard ViewSeal.isWhole(stored, key: key) else { throw Self.damage(of: section.table) }
            found.add(ViewSeal.checksum(in: stored))
            return true
        }
        guard found == expected else { throw StaleViews.missingRows(of: section.table) }
        sums.noteSound(section)
        return expected
    }

    private func sections(
        of table: ViewTable,
        in keys: ViewKeyRange,
        isDescending: Bool
    ) throws -> [ViewSection] {
        try sums.sections(of: table, in: keys, isDescending: isDescending, or: loadedSums)
    }

    /// Reads what the rows of each section of a table add up to.
    private func loadedSums(of table: ViewTable) throws -> [UInt64: RowSum] {
        let expected = try tableSums()[table]
        var found = RowSum()
        var sums: [UInt64: RowSum] = [:]
        try scanStored(.sums, in: ViewSection.sumKeys(of: table)) { key, stored in
            let value = try Self.opened(stored, key: key, .sums)
            found.add(ViewSeal.checksum(in: stored))
            sums[ViewSection.number(ofSumKey: key)] = try StaleViews.takingDamage {
                try RowSum(decoding: value)
            }
            return true
        }
        guard found == expected else { throw StaleViews.missingRows(of: .sums) }
        return sums
    }

    private func tableSums() throws -> TableSums {
        guard let bytes = try storedValue(.state, TableSums.key) else {
            throw StaleViews.missingRows(of: .state)
        }
        return try StaleViews.takingDamage { try TableSums(decoding: bytes) }
    }

    /// Makes all changes of some buffered tables durable in one transaction.
    ///
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func commit(_ buffers: [ViewBuffer]) throws {
        let earlier = try sums(before: buffers)
        var changes = earlier
        try takingDamage {
            try environment.write { transaction in
                changes = earlier
                for buffer in buffers {
                    try put(buffer, &transaction, &changes)
                }
                try put(&changes, &transaction)
            }
        }
        sums.note(changes)
    }

    /// Returns the sums of the sections that some changes concern, as they are now.
    private func sums(before buffers: [ViewBuffer]) throws -> SumChanges {
        var earlier: [ViewSection: RowSum] = [:]
        for buffer in buffers where buffer.table != .state {
            for key in buffer.changes.keys {
                let section = ViewSection(of: key, in: buffer.table)
                guard earlier[section] == nil else { continue }
                earlier[section] = try sums.sum(of: section, or: loadedSums).sum
            }
        }
        return SumChanges(earlier, try tableSums())
    }

    /// Puts the changes of one table in order of key.
    private func put(
        _ buffer: ViewBuffer,
        _ transaction: inout WriteTransaction,
        _ changes: inout SumChanges
    ) throws {
        let table = handle(buffer.table)
        for key in buffer.keys.all {
            guard let change = buffer.changes[key] else { continue }
            var old: UInt32?
            if let stored = try transaction.get(table, key) { old = ViewSeal.checksum(in: stored) }
            var new: UInt32?
            if let value = change {
                let sealed = ViewSeal.sealed(value, key: key)
                new = ViewSeal.checksum(in: sealed.span)
                try transaction.put(table, key, sealed, append: false)
            } else {
                _ = try transaction.delete(table, key)
            }
            guard buffer.table != .state else { continue }
            changes.replace(old, by: new, in: ViewSection(of: key, in: buffer.table))
        }
    }

    /// Puts the sums of the sections that changed, and the sums of the sums.
    private func put(
        _ changes: inout SumChanges,
        _ transaction: inout WriteTransaction
    ) throws {
        let table = handle(.sums)
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
        try transaction.put(handle(.state), TableSums.key, sealed, append: false)
    }

    /// Returns the handle of a table.
    func handle(_ table: ViewTable) -> Table {
        guard let handle = tables[table] else {
            preconditionFailure("every table is opened with the store")
        }
        return handle
    }

    private static func opened(
        _ stored: Span<UInt8>,
        key: Span<UInt8>,
        _ table: ViewTable
    ) throws -> [UInt8] {
        guard let value = ViewSeal.opened(stored, key: key) else { throw damage(of: table) }
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
        } catch let error as LMDBError
            where error.path.starts(with: path) && error.code.saysThatPagesAreDamaged
        {
            throw StaleViews.damaged(error.description)
        }
    }
}
