import EventStore
import LMDB
import Projections
import SystemPackage

/// Views as they can be read: rows and how far they have read, and nothing to change them with.
///
/// ``ViewStore/newest`` reads what is newest at each call, ``ViewWriter/views`` what is to be
/// changed. ``ViewSnapshot/views`` reads the rows as they were at one moment, on one thread.
struct ReadableViews: Sendable {
    /// Which of the views' states is read.
    enum Moment: Sendable {
        /// The newest at each call.
        case newest(Environment)

        /// That in which a snapshot began.
        case snapshot(SharedRead)
    }

    private let path: FilePath
    private let tables: [ViewTable: Table]
    private var moment: Moment

    /// The sums that the rows of each section must have, and the sections that were found to have
    /// them.
    private(set) var sums = ViewSums()

    /// The part of trips and sources that the asker sees; keys and sums of rows are not concerned.
    private(set) var sight = Sight.everything

    init(_ moment: Moment, _ tables: [ViewTable: Table], at path: FilePath) {
        self.moment = moment
        self.tables = tables
        self.path = path
    }

    /// Returns the same views for an asker who may not see everything.
    func seen(by sight: Sight) -> ReadableViews {
        var views = self
        views.sight = sight
        return views
    }

    /// Returns the same views, with other sums.
    func withSums(_ sums: ViewSums) -> ReadableViews {
        var views = self
        views.sums = sums
        return views
    }

    /// Returns the same views as a transaction reads them.
    func read(by transaction: SharedRead) -> ReadableViews {
        var views = self
        views.moment = .snapshot(transaction)
        return views
    }

    /// Begins a snapshot of the same moment for one other thread, which MUST be started after this
    /// call and joined before this thread ends the snapshot.
    ///
    /// - Returns: The snapshot; `nil` if these views are not of one, or were written to since it
    ///   began.
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func lend() throws -> ViewSnapshot? {
        try takingDamage {
            switch moment {
            case .newest: return nil
            case .snapshot(let transaction):
                guard let lent = try transaction.lend() else { return nil }
                return ViewSnapshot(lent, of: read(by: lent))
            }
        }
    }

    /// Runs `body` on the snapshot, or without one on the newest state.
    func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        switch moment {
        case .newest(let environment): try environment.read(body)
        case .snapshot(let transaction): try transaction.read(body)
        }
    }

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
    func loadedSums(of table: ViewTable) throws -> [UInt64: RowSum] {
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

    /// Reads what the sums of each table add up to.
    func tableSums() throws -> TableSums {
        guard let bytes = try storedValue(.state, TableSums.key) else {
            throw StaleViews.missingRows(of: .state)
        }
        return try StaleViews.takingDamage { try TableSums(decoding: bytes) }
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
    func takingDamage<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LMDBError
            where error.path.starts(with: path) && error.code.saysThatPagesAreDamaged
        {
            throw StaleViews.damaged(error.description)
        }
    }
}

/// The views as they were when the snapshot began.
///
/// It ends where its owner lets go of it, on the thread that began it.
struct ViewSnapshot: ~Copyable, Sendable {
    /// The rows, for the thread that began the snapshot or to which it was lent, until its end.
    let views: ReadableViews

    private let transaction: SharedRead

    init(_ transaction: SharedRead, of views: ReadableViews) {
        self.transaction = transaction
        self.views = views
    }

    deinit { transaction.end() }

    /// Ends the snapshot before its owner does.
    consuming func end() {}
}

extension RowTable {
    /// Creates a table that changes the rows of a store; without one, a table in memory.
    init(_ table: ViewTable, over store: ReadableViews?) {
        let stored = store.map { store in
            StoredRows {
                try store.value(table, $0)
            } scan: { keys, isDescending, body in
                let range = ViewKeyRange(from: keys.from, upTo: keys.upTo)
                try store.scan(table, in: range, isDescending: isDescending, body)
            }
        }
        self.init(over: stored)
    }
}

extension TripBook {
    /// Creates the book of a store; without one, an empty book in memory.
    init(over store: ReadableViews?) {
        self.init(rows: RowTable(.book, over: store))
    }
}
