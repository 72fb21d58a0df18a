import Projections
import TripEvents

/// Writes the feed: which rows changed, each once, at its newest number.
///
/// It does not follow from the log, but from the states that the views have had: a row that has
/// changed and changed back between two commits is not reported. So views that are made anew take
/// it over from the old ones. It is kept only once it was begun, by a server: others need not pay
/// for it.
struct FeedProjection {
    /// The name and the version of the feed among the views.
    static let (name, version) = ("feed", UInt32(3))

    private(set) var head: FeedHead

    /// Number → subject.
    private var feed: RowTable

    /// Subject → state.
    private var subjects: RowTable

    /// Goes on with a feed.
    init(_ head: FeedHead, over store: ReadableViews) {
        self.head = head
        feed = RowTable(.feed, over: store)
        subjects = RowTable(.feedSubjects, over: store)
    }

    /// The tables to commit.
    var tables: [TableChanges] { [(.feed, feed), (.feedSubjects, subjects)] }

    /// Returns the tables that a commit changes beside those of the views: none before the feed has
    /// begun.
    ///
    /// - Parameters:
    ///   - changed: The changes that the commit makes to the views.
    ///   - store: The views as they are before it.
    ///   - size: How many entries they will have read.
    /// - Returns: The feed's tables with their changes.
    /// - Throws: `StaleViews` if they are damaged, or `LMDBError`.
    static func tables(
        telling changed: [TableChanges],
        in store: ReadableViews,
        atSize size: UInt64
    ) throws -> [TableChanges] {
        guard let head = try FeedHead(in: store) else { return [] }
        var changes = FeedChanges()
        for (table, rows) in changed where FeedSubject.tables.contains(table) {
            for (key, value) in rows.changes where FeedChanges.concerns(table, key) {
                if let old = try store.value(table, key) {
                    try changes.remove(table, key, old)
                }
                if let value { try changes.add(table, key, value) }
            }
        }
        var projection = FeedProjection(head, over: store)
        try projection.tell(changes, atSize: size)
        return projection.tables
    }

    /// Gives the subjects that changed new numbers, in their order.
    private mutating func tell(_ changes: FeedChanges, atSize size: UInt64) throws {
        for (subject, change) in changes.sorted {
            var state = FeedState(number: 0, hash: 0)
            if let stored = try subjects.value(forKey: subject.key) {
                state = try FeedState(decoding: stored)
            }
            try put(subject, state, hash: state.hash &+ change, atSize: size)
        }
        if !changes.isEmpty { feed.put(head.encoded, key: FeedHead.key) }
    }

    private mutating func put(
        _ subject: FeedSubject,
        _ old: FeedState,
        hash: UInt64,
        atSize size: UInt64
    ) throws {
        head.last = FeedNumber.next(after: head.last, atSize: size)
        if old.number > 0 { feed.remove(key: FeedNumber.key(old.number)) }
        feed.put(subject.encoded, key: FeedNumber.key(head.last))
        subjects.put(FeedState(number: head.last, hash: hash).encoded, key: subject.key)
    }
}

extension FeedProjection {
    /// Begins a feed, in which all rows that there are have just changed.
    static func begin(in writer: ViewWriter, epoch: UInt64, atSize size: UInt64) throws {
        var projection = FeedProjection(FeedHead(epoch: epoch), over: writer.views)
        try projection.tell(FeedChanges(all: writer.views), atSize: size)
        projection.feed.put(projection.head.encoded, key: FeedHead.key)
        try writer.commit(projection.tables)
    }

    /// Takes a feed over into views that were made anew: rows that do not differ keep their
    /// numbers.
    ///
    /// - Parameters:
    ///   - old: The views whose feed it is; nothing is done if it has not begun.
    ///   - new: The new views.
    ///   - size: How many entries these have read.
    /// - Throws: `StaleViews` if they are damaged, or `LMDBError`.
    static func takeOver(
        from old: ReadableViews,
        into new: ViewWriter,
        atSize size: UInt64
    ) throws {
        guard let head = try FeedHead(in: old) else { return }
        var projection = FeedProjection(head, over: new.views)
        var present = try FeedChanges(all: new.views)
        var changed: [(subject: FeedSubject, hash: UInt64)] = []
        try old.scan(.feed) { key, value in
            guard key != FeedHead.key else { return true }
            let subject = try FeedSubject(decoding: value)
            guard let stored = try old.value(.feedSubjects, subject.key) else {
                throw StaleViews.damaged("the feed lacks a subject")
            }
            let hash = present.take(subject)
            if try FeedState(decoding: stored).hash == hash {
                projection.feed.put(value, key: key)
                projection.subjects.put(stored, key: subject.key)
            } else {
                changed.append((subject, hash))
            }
            return true
        }
        changed += present.sorted.map { ($0.subject, $0.change) }
        let none = FeedState(number: 0, hash: 0)
        for change in changed.sorted(by: { $0.subject < $1.subject }) {
            try projection.put(change.subject, none, hash: change.hash, atSize: size)
        }
        projection.feed.put(projection.head.encoded, key: FeedHead.key)
        try new.commit(projection.tables)
    }
}

/// The change of each subject: the sum of the hashes of the rows that come, less those of the rows
/// that go.
private struct FeedChanges {
    private var sums: [FeedSubject: UInt64] = [:]

    init() {}

    /// Treats all rows of a store as new.
    init(all store: ReadableViews) throws {
        for table in FeedSubject.tables {
            try store.scan(table) { key, value in
                if Self.concerns(table, key) { try add(table, key, value) }
                return true
            }
        }
    }

    /// Returns whether a row may be about a subject, as far as its key tells.
    static func concerns(_ table: ViewTable, _ key: [UInt8]) -> Bool {
        guard table == .book, let letter = key.first else { return true }
        return FeedSubject.bookRows.contains { $0.letter == letter }
    }

    /// Whether nothing has changed.
    var isEmpty: Bool { sums.allSatisfy { $0.value == 0 } }

    /// The changes, in order of the subjects.
    var sorted: [(subject: FeedSubject, change: UInt64)] {
        sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func add(_ table: ViewTable, _ key: [UInt8], _ value: [UInt8]) throws {
        guard let subject = try FeedSubject(table, key, value) else { return }
        sums[subject, default: 0] &+= try FeedSubject.hash(of: table, key, value)
    }

    mutating func remove(_ table: ViewTable, _ key: [UInt8], _ value: [UInt8]) throws {
        guard let subject = try FeedSubject(table, key, value) else { return }
        sums[subject, default: 0] &-= try FeedSubject.hash(of: table, key, value)
    }

    /// Takes a subject out, and returns its sum; 0 if there is nothing about it.
    mutating func take(_ subject: FeedSubject) -> UInt64 {
        sums.removeValue(forKey: subject) ?? 0
    }
}
