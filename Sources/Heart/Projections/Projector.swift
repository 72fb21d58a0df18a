public import RowCoding

/// Makes one view: a pure function of the booked trips and routines.
///
/// Implementations MUST obey the laws in `ProjectorLaws`. A ``TripBook`` returns each change once.
/// The rows of the book and of the views are committed together, so that a run that was killed goes
/// on with both as they were.
public protocol Projector: Sendable {
    /// A row of the view.
    associatedtype Row: ViewRow

    /// The name of the view, which is also its table's.
    static var name: String { get }

    /// The version of the view; a stored view of another version is rebuilt.
    static var version: UInt32 { get }

    /// Changes the rows as a change of the book demands.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws
}

/// A row of a view.
public protocol ViewRow: Hashable, Sendable {
    /// The key of the row: the bytes of its name, unique in its view.
    var key: [UInt8] { get }

    /// The key that gives the row's place in listings: rows are in ascending order of these bytes,
    /// which are unique in the view too, and may change as events arrive.
    var orderKey: [UInt8] { get }

    /// The row as bytes: a version byte, then its content.
    var value: [UInt8] { get }

    /// The row without the facts that depend on the order of arrival, for comparing views.
    var withoutArrival: Self { get }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version; the view is then rebuilt.
    init(decoding value: [UInt8]) throws(RowCodingError)
}

/// What changed in the book: the input of every projector.
public enum BookChange: Hashable, Sendable {
    /// A trip was added, changed or removed.
    case trip(TripChange)

    /// A routine was added, changed or removed.
    case routine(RoutineChange)
}

/// One booked trip before and after a change.
public struct TripChange: Hashable, Sendable {
    /// The trip as it was; `nil` if there was none.
    public let old: BookedTrip?

    /// The trip as it is; `nil` if there is none any more.
    public let new: BookedTrip?

    /// Creates a change.
    public init(old: BookedTrip?, new: BookedTrip?) {
        self.old = old
        self.new = new
    }
}

/// One routine before and after a change.
public struct RoutineChange: Hashable, Sendable {
    /// The name of the routine.
    public let name: String

    /// The group that it is for; `nil` for one of the owner's, which all groups have.
    public let group: String?

    /// The routine as it was; `nil` if there was none.
    public let old: Routine?

    /// The routine as it is; `nil` if it was removed.
    public let new: Routine?

    /// Creates a change.
    public init(name: String, group: String? = nil, old: Routine?, new: Routine?) {
        self.name = name
        self.group = group
        self.old = old
        self.new = new
    }
}

/// The store of the rows of one view: found by key, listed by order key.
///
/// It MUST keep both in step: a row that is stored again with another order key moves, and a
/// removed row is found by neither key.
public protocol RowStore: ~Copyable {
    /// What can go wrong; `Never` in memory.
    associatedtype Failure: Error

    /// Returns the value of the row with a key, or `nil` if there is none.
    borrowing func value(forKey key: [UInt8]) throws(Failure) -> [UInt8]?

    /// Stores a row, in place of the one with the same key, if there is one.
    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws(Failure)

    /// Removes the row with a key, if there is one.
    mutating func remove(key: [UInt8]) throws(Failure)
}

extension RowStore where Self: ~Copyable {
    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ row: some ViewRow) throws(Failure) {
        try put(row.value, key: row.key, orderKey: row.orderKey)
    }
}

/// The bytes of a row, as a store keeps them.
public struct StoredRow: Hashable, Sendable {
    /// The key of the row.
    public let key: [UInt8]

    /// The key that gives the row's place in listings.
    public let orderKey: [UInt8]

    /// The row.
    public let value: [UInt8]

    /// Creates a row from its bytes.
    public init(key: [UInt8], orderKey: [UInt8], value: [UInt8]) {
        self.key = key
        self.orderKey = orderKey
        self.value = value
    }
}

/// A ``RowStore`` that can also be read in order of keys, as the book is.
public protocol OrderedRowStore: RowStore, ~Copyable {
    /// Returns the rows whose keys lie in a range.
    ///
    /// - Parameters:
    ///   - keys: the range.
    ///   - isDescending: whether the last row comes first.
    ///   - limit: how many rows to return at most.
    /// - Returns: the rows in order of their keys.
    /// - Throws: what the store throws.
    borrowing func rows(
        in keys: KeyRange,
        isDescending: Bool,
        limit: Int
    ) throws(Failure) -> [KeyedRow]
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

/// The rows of a view in memory, for comparing a stored view with a fresh one.
public struct MemoryRows: OrderedRowStore, Hashable, Sendable {
    private var rows: [[UInt8]: StoredRow] = [:]

    /// The keys of the rows.
    private var keys = SortedKeys()

    /// Creates a store without rows.
    public init() {}

    /// Every row in ascending order of order keys.
    public var inOrder: [StoredRow] {
        rows.values.sorted { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
    }

    /// Returns the value of the row with a key, or `nil` if there is none.
    public func value(forKey key: [UInt8]) -> [UInt8]? {
        rows[key]?.value
    }

    /// Returns the rows whose keys lie in a range.
    public func rows(in keys: KeyRange, isDescending: Bool, limit: Int) -> [KeyedRow] {
        var found: [KeyedRow] = []
        self.keys.forEach(in: keys, isDescending: isDescending) { key in
            guard found.count < limit else { return false }
            if let row = rows[key] { found.append(KeyedRow(key: key, value: row.value)) }
            return true
        }
        return found
    }

    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) {
        let row = StoredRow(key: key, orderKey: orderKey, value: value)
        if rows.updateValue(row, forKey: key) == nil { keys.insert(key) }
    }

    /// Removes the row with a key, if there is one.
    public mutating func remove(key: [UInt8]) {
        if rows.removeValue(forKey: key) != nil { keys.remove(key) }
    }

    /// Returns whether two stores have the same rows.
    public static func == (left: MemoryRows, right: MemoryRows) -> Bool {
        left.rows == right.rows
    }

    /// Feeds the rows to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rows)
    }
}
