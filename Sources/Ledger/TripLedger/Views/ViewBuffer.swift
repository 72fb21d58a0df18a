import Projections

/// The changes to one table that are not committed yet, over the table as it is stored.
///
/// Without a store underneath it is a table in memory.
struct ViewBuffer: Sendable {
    /// The table that it changes.
    let table: ViewTable

    /// Values to put, and `nil` for keys to delete.
    private(set) var changes: [[UInt8]: [UInt8]?] = [:]

    /// The changed keys in order.
    private(set) var keys = SortedKeys()

    private let store: ReadableViews?

    init(_ table: ViewTable, over store: ReadableViews?) {
        self.table = table
        self.store = store
    }

    /// Returns the value of a key as it will be, or `nil`.
    func value(_ key: [UInt8]) throws -> [UInt8]? {
        if let change = changes[key] { return change }
        return try store?.value(table, key)
    }

    /// Puts a value in place of the one that the key had.
    mutating func put(_ key: [UInt8], _ value: [UInt8]) {
        if changes.updateValue(value, forKey: key) == nil { keys.insert(key) }
    }

    /// Deletes a key and its value, if they are there.
    mutating func delete(_ key: [UInt8]) {
        guard store != nil else {
            if changes.removeValue(forKey: key) != nil { keys.remove(key) }
            return
        }
        if changes.updateValue(nil, forKey: key) == nil { keys.insert(key) }
    }

    /// Returns the rows whose keys lie in a range, in order of keys, at most `limit` of them.
    func rows(in keys: KeyRange, isDescending: Bool = false, limit: Int) throws -> [KeyedRow] {
        var changed: [KeyedRow] = []
        self.keys.forEach(in: keys, isDescending: isDescending) { key in
            if let change = changes[key], let value = change {
                changed.append(KeyedRow(key: key, value: value))
            }
            return changed.count < limit
        }
        var range = ViewKeyRange(from: keys.from, upTo: keys.upTo)
        if changed.count == limit, let last = changed.last {
            // Stored rows beyond the last changed one are not needed, however many there are.
            if isDescending { range.from = last.key } else { range.upTo = last.key }
        }
        var stored: [KeyedRow] = []
        try store?
            .scan(table, in: range, isDescending: isDescending) { key, value in
                if changes[key] == nil { stored.append(KeyedRow(key: key, value: value)) }
                return stored.count < limit
            }
        guard !stored.isEmpty, !changed.isEmpty else { return stored + changed }
        let merged = (stored + changed)
            .sorted { left, right in
                isDescending
                    ? right.key.lexicographicallyPrecedes(left.key)
                    : left.key.lexicographicallyPrecedes(right.key)
            }
        return Array(merged.prefix(limit))
    }

    /// Returns the last row before `key` whose key begins with `prefix`, or `nil`.
    func lastRow(before key: [UInt8], prefix: [UInt8]) throws -> KeyedRow? {
        try rows(in: KeyRange(from: prefix, upTo: key), isDescending: true, limit: 1).first
    }

    /// Returns the rows from `key` on whose keys begin with `prefix`, in ascending order.
    func rows(from key: [UInt8], prefix: [UInt8]) throws -> [KeyedRow] {
        try rows(in: KeyRange(from: key, upTo: KeyRange(prefix: prefix).upTo), limit: .max)
    }

    /// Returns the same table without changes, after these were committed.
    func emptied() -> ViewBuffer {
        ViewBuffer(table, over: store)
    }
}

/// The rows of one view: found by key, listed by order key, committed together.
///
/// Rows stand in their order, so that a listing reads one stretch of the file.
struct ViewRows: RowStore, Sendable {
    typealias Failure = any Error

    /// Key → order key.
    private(set) var keys: ViewBuffer

    /// Order key → row.
    private(set) var rows: ViewBuffer

    init(_ keys: ViewTable, inOrder rows: ViewTable, over store: ReadableViews?) {
        self.keys = ViewBuffer(keys, over: store)
        self.rows = ViewBuffer(rows, over: store)
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        guard let orderKey = try keys.value(key) else { return nil }
        guard let row = try rows.value(orderKey) else {
            throw StaleViews.damaged("\(rows.table.rawValue) lacks a row")
        }
        return row
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        let old = try keys.value(key)
        if old != orderKey {
            if let old { rows.delete(old) }
            keys.put(key, orderKey)
        }
        rows.put(orderKey, value)
    }

    mutating func remove(key: [UInt8]) throws {
        guard let orderKey = try keys.value(key) else { return }
        keys.delete(key)
        rows.delete(orderKey)
    }
}

/// The rows of a view that are found by what they are in order of.
struct OrderedViewRows: RowStore, Sendable {
    typealias Failure = any Error

    /// Order key → row.
    private(set) var rows: ViewBuffer

    init(_ rows: ViewTable, over store: ReadableViews?) {
        self.rows = ViewBuffer(rows, over: store)
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try rows.value(key)
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        rows.put(key, value)
    }

    mutating func remove(key: [UInt8]) throws {
        rows.delete(key)
    }
}

/// The rows of the book, which are found and listed by key alone.
struct BookRows: OrderedRowStore, Sendable {
    typealias Failure = any Error

    /// Key → row.
    private(set) var rows: ViewBuffer

    init(over store: ReadableViews?) {
        rows = ViewBuffer(.book, over: store)
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try rows.value(key)
    }

    func rows(in keys: KeyRange, isDescending: Bool, limit: Int) throws -> [KeyedRow] {
        try rows.rows(in: keys, isDescending: isDescending, limit: limit)
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        rows.put(key, value)
    }

    mutating func remove(key: [UInt8]) throws {
        rows.delete(key)
    }

    /// Returns the decisions on a topic, in order of time.
    func decisions(on topic: DecisionTopic) throws -> [Decision] {
        try rows.rows(from: [topic.keyPrefix], prefix: [topic.keyPrefix])
            .map { try DecisionTopic.decision(decoding: $0.value) }
    }

    /// Returns the decisions that have no effect, in event order.
    func decisionsWithoutEffect() throws -> [DecisionWithoutEffect] {
        try DecisionWithoutEffect.keyPrefixes
            .flatMap { try rows.rows(from: [$0], prefix: [$0]) }
            .map { try DecisionWithoutEffect(decoding: $0.value) }
            .sorted { ($0.decision.order, $0.trip) < ($1.decision.order, $1.trip) }
    }
}
