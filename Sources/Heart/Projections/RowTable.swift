/// The rows of one table: changes that are not committed yet, over the rows as they are stored.
///
/// Without stored rows underneath it is a table in memory. The book and the projectors read and
/// change such tables, and nothing else.
public struct RowTable: Sendable {
    /// Values to put, and `nil` for keys to delete.
    package private(set) var changes: [[UInt8]: [UInt8]?] = [:]

    /// The changed keys in order.
    package private(set) var keys = SortedKeys()

    private let stored: StoredRows?

    /// Creates a table in memory.
    public init() {
        stored = nil
    }

    /// Creates a table that changes stored rows; `nil` for a table in memory.
    package init(over stored: StoredRows?) {
        self.stored = stored
    }

    /// The rows that were put, in order of keys: in memory all that there are.
    public var added: [KeyedRow] {
        keys.all.compactMap { key in
            changes[key].flatMap(\.self).map { KeyedRow(key: key, value: $0) }
        }
    }

    /// Returns the value of the row with a key, or `nil` if there is none.
    public func value(forKey key: [UInt8]) throws -> [UInt8]? {
        if let change = changes[key] { return change }
        return try stored?.value(key)
    }

    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ value: [UInt8], key: [UInt8]) {
        if changes.updateValue(value, forKey: key) == nil { keys.insert(key) }
    }

    /// Removes the row with a key, if there is one.
    public mutating func remove(key: [UInt8]) {
        guard stored != nil else {
            if changes.removeValue(forKey: key) != nil { keys.remove(key) }
            return
        }
        if changes.updateValue(nil, forKey: key) == nil { keys.insert(key) }
    }

    /// Returns the rows whose keys lie in a range.
    ///
    /// - Parameters:
    ///   - keys: The range.
    ///   - isDescending: Whether the last row comes first.
    ///   - limit: How many rows to return at most.
    /// - Returns: The rows in order of their keys.
    /// - Throws: What the stored rows throw.
    public func rows(
        in keys: KeyRange,
        isDescending: Bool = false,
        limit: Int = .max
    ) throws -> [KeyedRow] {
        var changed: [KeyedRow] = []
        self.keys.forEach(in: keys, isDescending: isDescending) { key in
            if let change = changes[key], let value = change {
                changed.append(KeyedRow(key: key, value: value))
            }
            return changed.count < limit
        }
        var range = keys
        if changed.count == limit, let last = changed.last {
            // Stored rows beyond the last changed one are not needed, however many there are.
            if isDescending { range.from = last.key } else { range.upTo = last.key }
        }
        var found: [KeyedRow] = []
        try stored?
            .scan(range, isDescending) { key, value in
                if changes[key] == nil { found.append(KeyedRow(key: key, value: value)) }
                return found.count < limit
            }
        guard !found.isEmpty, !changed.isEmpty else { return found + changed }
        let merged = (found + changed)
            .sorted { left, right in
                isDescending
                    ? right.key.lexicographicallyPrecedes(left.key)
                    : left.key.lexicographicallyPrecedes(right.key)
            }
        return Array(merged.prefix(limit))
    }

    /// Returns the rows whose keys begin with `prefix`, in ascending order; from `key` on, if there
    /// is one.
    public func rows(from key: [UInt8]? = nil, prefix: [UInt8]) throws -> [KeyedRow] {
        var keys = KeyRange(prefix: prefix)
        if let key { keys.from = key }
        return try rows(in: keys)
    }

    /// Returns the last row before `key` whose key begins with `prefix`, or `nil`.
    package func lastRow(before key: [UInt8], prefix: [UInt8]) throws -> KeyedRow? {
        try rows(in: KeyRange(from: prefix, upTo: key), isDescending: true, limit: 1).first
    }

    /// Returns the same table without changes, after these were committed.
    package func emptied() -> RowTable {
        RowTable(over: stored)
    }
}

/// The rows of a table as they are stored: how they are read.
package struct StoredRows: Sendable {
    /// Returns the value of the row with a key, or `nil` if there is none.
    let value: @Sendable ([UInt8]) throws -> [UInt8]?

    /// Hands over the keys and values of the rows whose keys lie in a range, in ascending or in
    /// descending order, until `body` returns `false`.
    let scan:
        @Sendable (
            _ keys: KeyRange,
            _ isDescending: Bool,
            _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
        ) throws -> Void

    /// Creates rows that are read like this.
    package init(
        value: @escaping @Sendable ([UInt8]) throws -> [UInt8]?,
        scan:
            @escaping @Sendable (
                _ keys: KeyRange,
                _ isDescending: Bool,
                _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
            ) throws -> Void
    ) {
        self.value = value
        self.scan = scan
    }
}

/// A row as it is found by its key.
public struct KeyedRow: Hashable, Sendable {
    /// The key of the row.
    public let key: [UInt8]

    /// The row.
    public let value: [UInt8]

    /// Creates a row from its bytes.
    public init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// Keys in ascending order, kept in short runs: putting one in its place moves few others.
package struct SortedKeys: Sendable {
    /// A run of more keys than this is cut in two.
    private static let mostInRun = 512

    /// The runs in order; none is empty.
    private var runs: [[[UInt8]]] = []

    /// Creates no keys.
    package init() {}

    /// All keys in order.
    package var all: FlattenSequence<[[[UInt8]]]> { runs.joined() }

    /// Puts a key in its place, unless it is there.
    package mutating func insert(_ key: [UInt8]) {
        guard !runs.isEmpty else {
            runs = [[key]]
            return
        }
        let run = self.run(of: key)
        let index = Self.index(ofFirstNotBefore: key, in: runs[run])
        if index < runs[run].count, runs[run][index] == key { return }
        runs[run].insert(key, at: index)
        guard runs[run].count > Self.mostInRun else { return }
        // Keys mostly come in order: then the first part stays nearly full.
        let isLast = run == runs.count - 1 && index == runs[run].count - 1
        let cut = isLast ? Self.mostInRun : Self.mostInRun / 2
        let rest = Array(runs[run][cut...])
        runs[run].removeSubrange(cut...)
        runs.insert(rest, at: run + 1)
    }

    /// Takes a key away, if it is there.
    package mutating func remove(_ key: [UInt8]) {
        guard !runs.isEmpty else { return }
        let run = self.run(of: key)
        let index = Self.index(ofFirstNotBefore: key, in: runs[run])
        guard index < runs[run].count, runs[run][index] == key else { return }
        runs[run].remove(at: index)
        if runs[run].isEmpty { runs.remove(at: run) }
    }

    /// Hands over the keys from `from` on and before `upTo`, until `body` returns `false`.
    package func forEach(in keys: KeyRange, isDescending: Bool, _ body: ([UInt8]) -> Bool) {
        guard !runs.isEmpty else { return }
        if isDescending {
            descend(in: keys, body)
        } else {
            ascend(in: keys, body)
        }
    }

    private func ascend(in keys: KeyRange, _ body: ([UInt8]) -> Bool) {
        var run = self.run(of: keys.from)
        var index = Self.index(ofFirstNotBefore: keys.from, in: runs[run])
        while run < runs.count {
            while index < runs[run].count {
                let key = runs[run][index]
                guard key.lexicographicallyPrecedes(keys.upTo), body(key) else { return }
                index += 1
            }
            run += 1
            index = 0
        }
    }

    private func descend(in keys: KeyRange, _ body: ([UInt8]) -> Bool) {
        var run = self.run(of: keys.upTo)
        var end = Self.index(ofFirstNotBefore: keys.upTo, in: runs[run])
        while true {
            while end > 0 {
                let key = runs[run][end - 1]
                guard !key.lexicographicallyPrecedes(keys.from), body(key) else { return }
                end -= 1
            }
            guard run > 0 else { return }
            run -= 1
            end = runs[run].count
        }
    }

    /// Returns the last run that begins with a key or before it; the first if all begin after it.
    private func run(of key: [UInt8]) -> Int {
        var range = 0..<runs.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if key.lexicographicallyPrecedes(runs[middle][0]) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return max(0, range.lowerBound - 1)
    }

    private static func index(ofFirstNotBefore key: [UInt8], in run: [[UInt8]]) -> Int {
        var range = 0..<run.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if run[middle].lexicographicallyPrecedes(key) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

/// Keys of rows from one up to another.
public struct KeyRange: Hashable, Sendable {
    /// The first key.
    public var from: [UInt8]

    /// The first key beyond the range.
    public var upTo: [UInt8]

    /// Creates a range.
    public init(from: [UInt8], upTo: [UInt8]) {
        self.from = from
        self.upTo = upTo
    }

    /// Creates the range of all keys that begin with a prefix, which MUST have a byte below 255.
    public init(prefix: [UInt8]) {
        from = prefix
        upTo = prefix
        while let last = upTo.popLast() {
            guard last < .max else { continue }
            upTo.append(last + 1)
            break
        }
    }
}
