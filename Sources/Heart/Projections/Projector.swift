public import RowCoding

/// Makes one view: a pure function of the booked trips and routines, and of the visits that fixes
/// show.
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
    /// - Throws: what the tables throw, or `RowCodingError` if a row is damaged.
    func evolve(_ change: BookChange, in rows: inout ViewRows) throws
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

/// What changed in the book, or became known of visits: the input of every projector.
public enum BookChange: Hashable, Sendable {
    /// A trip was added, changed or removed.
    case trip(TripChange)

    /// A routine was added, changed or removed.
    case routine(RoutineChange)

    /// Fixes showed a visit, or changed places or late fixes require it to be found again.
    case visit(VisitNews)
}

/// One booked trip before and after a change.
public struct TripChange: Hashable, Sendable {
    /// The trip as it was; `nil` if there was none.
    public let old: BookedTrip?

    /// The trip as it is; `nil` if it no longer exists.
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

/// The rows of one view: found by key, listed by order key, committed together.
///
/// Rows stand in their order, so that a listing reads one stretch of the file.
public struct ViewRows: Sendable {
    /// Key → order key; `nil` for a view whose rows have their order key as their key.
    package private(set) var keys: RowTable?

    /// Order key → row.
    public private(set) var inOrder: RowTable

    /// Creates the rows of a view without any, in memory.
    public init() {
        self.init(keys: RowTable(), inOrder: RowTable())
    }

    /// Creates the rows of a view that stand in one table, or in two.
    package init(keys: RowTable?, inOrder rows: RowTable) {
        self.keys = keys
        inOrder = rows
    }

    /// Returns the value of the row with a key, or `nil` if there is none.
    ///
    /// - Throws: What the tables throw; `RowCodingError` if one of them lacks the row.
    public func value(forKey key: [UInt8]) throws -> [UInt8]? {
        guard let keys else { return try inOrder.value(forKey: key) }
        guard let orderKey = try keys.value(forKey: key) else { return nil }
        guard let row = try inOrder.value(forKey: orderKey) else {
            throw RowCodingError.missing
        }
        return row
    }

    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ row: some ViewRow) throws {
        try put(row.value, key: row.key, orderKey: row.orderKey)
    }

    /// Stores a row, in place of the one with the same key, if there is one: with another order key
    /// it moves.
    public mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        let old: [UInt8]? = try keys.map { try $0.value(forKey: key) } ?? orderKey
        if old != orderKey {
            if let old { inOrder.remove(key: old) }
            keys?.put(orderKey, key: key)
        }
        inOrder.put(value, key: orderKey)
    }

    /// Removes the row with a key, if there is one.
    public mutating func remove(key: [UInt8]) throws {
        guard keys != nil else { return inOrder.remove(key: key) }
        guard let orderKey = try keys?.value(forKey: key) else { return }
        keys?.remove(key: key)
        inOrder.remove(key: orderKey)
    }
}
