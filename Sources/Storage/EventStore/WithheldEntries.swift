internal import LMDB

/// The entries that were withheld from a copy of a log, as far as they are known (Formats,
/// *Tombstones*).
package struct WithheldEntries: Hashable, Sendable {
    /// How many there are.
    package private(set) var count: UInt64 = 0

    /// The positions of the first of them.
    package private(set) var first = FirstRanges()

    /// The note in the copy that says who withheld them; the store does not read it.
    package internal(set) var note: [UInt8] = []

    /// Creates what is known of a copy that lacks nothing yet.
    init() {}

    /// Reads the row's value, or returns `nil` if it is not valid.
    init?(_ value: Span<UInt8>) {
        guard value.count >= 16, LogLimits.positions.contains(value.littleEndian(at: 0)) else {
            return nil
        }
        count = value.littleEndian(at: 0)
        let rangeCount = value.littleEndian(at: 8)
        guard count > 0, rangeCount > 0, rangeCount <= FirstRanges.maximumCount,
            value.count >= 16 + 16 * Int(rangeCount)
        else { return nil }
        for index in 0..<Int(rangeCount) {
            let start = value.littleEndian(at: 16 + 16 * index)
            let end = value.littleEndian(at: 24 + 16 * index)
            guard start < end, LogLimits.positions.contains(end), first.append(start..<end) else {
                return nil
            }
        }
        guard first.extend(to: count) else { return nil }
        note = [UInt8](copying: value.extracting(droppingFirst: 16 + 16 * Int(rangeCount)))
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = []
        let numbers = first.ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        for number in [count, UInt64(first.ranges.count)] + numbers {
            bytes.append(littleEndian: number)
        }
        return bytes + note
    }

    /// Adds an entry; positions MUST ascend.
    mutating func append(_ position: UInt64) {
        count += 1
        first.append(position)
    }
}

/// The first ranges of a set of positions that may have any number of them: enough to name them.
package struct FirstRanges: Hashable, Sendable {
    /// How many ranges are kept.
    static let maximumCount = 100

    /// The ranges, in ascending order.
    package private(set) var ranges: [Range<UInt64>] = []

    /// How many positions there are, those that are not kept included.
    package private(set) var count: UInt64 = 0

    /// Creates an empty list.
    package init() {}

    /// Takes the first ranges of a set.
    package init(_ positions: RangeSet<UInt64>) {
        ranges = Array(positions.ranges.prefix(Self.maximumCount))
        count = positions.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    }

    /// Adds a position; positions MUST ascend.
    package mutating func append(_ position: UInt64) {
        let isFull = ranges.count == Self.maximumCount && !isWhole
        count += 1
        guard !isFull else { return }
        if let last = ranges.last, last.upperBound == position {
            ranges[ranges.count - 1] = last.lowerBound..<position + 1
        } else if ranges.count < Self.maximumCount {
            ranges.append(position..<position + 1)
        }
    }

    /// Adds a range that was kept, unless it is out of order.
    mutating func append(_ range: Range<UInt64>) -> Bool {
        guard ranges.last.map({ $0.upperBound < range.lowerBound }) ?? true else { return false }
        ranges.append(range)
        count += range.upperBound - range.lowerBound
        return true
    }

    /// Notes that there are more positions than those that are kept, unless there are fewer.
    mutating func extend(to whole: UInt64) -> Bool {
        guard whole >= count else { return false }
        count = whole
        return true
    }

    /// The ranges as people write page numbers, such as `12-40,55`, with dots if there are more.
    package var text: String { texts.joined(separator: ",") + (isWhole ? "" : ",…") }

    /// Each range as people write page numbers.
    package var texts: [String] {
        ranges.map { range in
            let last = range.upperBound - 1
            return last == range.lowerBound ? "\(last)" : "\(range.lowerBound)-\(last)"
        }
    }

    /// Whether no positions are left out.
    package var isWhole: Bool {
        ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } == count
    }
}

/// The row that marks a log made from an export from which entries were withheld (Formats,
/// *Tombstones*).
enum IncompleteCopy {
    /// The key of the row in the table `state`.
    static let key: [UInt8] = Array("withheld".utf8)

    /// Returns what was withheld from the log; `nil` if nothing was.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    static func entries(
        _ transaction: borrowing ReadTransaction,
        _ tables: LogTables
    ) throws -> WithheldEntries? {
        guard let value = try transaction.get(tables.state, key) else { return nil }
        guard let entries = WithheldEntries(value) else { throw damage }
        return entries
    }

    /// Returns what was withheld from the log; `nil` if nothing was.
    ///
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    static func entries(
        _ transaction: borrowing WriteTransaction,
        _ tables: LogTables
    ) throws -> WithheldEntries? {
        guard let value = try transaction.get(tables.state, key) else { return nil }
        guard let entries = WithheldEntries(value) else { throw damage }
        return entries
    }

    private static let damage = EventLogError.damaged(
        position: 0,
        "the row that says which entries were withheld is none"
    )
}
