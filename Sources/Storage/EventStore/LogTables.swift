import LMDB
import Platform
import Proofs

/// The handles of the log's tables (Formats, *The log's tables*).
struct LogTables: Sendable {
    /// First position → block.
    let blocks: Table

    /// Subtree number → root over 256 leaves.
    let tree: Table

    /// `"log"` → size, last recorded_at, frontier.
    let state: Table

    /// Source number → its state.
    let sources: Table

    /// Source name → number.
    let names: Table

    /// Source, time, position of every 64th in-order event.
    let times: Table

    /// Source, sender's id → position.
    let ids: Table

    /// Source, time, digest of late events → position.
    let late: Table

    /// The tables' names, in the order of the initialiser's argument.
    static let names = ["blocks", "tree", "state", "sources", "names", "times", "ids", "late"]

    /// Names the handles, which come in the order of `names`.
    init?(_ tables: [Table]) {
        guard tables.count == Self.names.count else { return nil }
        blocks = tables[0]
        tree = tables[1]
        state = tables[2]
        sources = tables[3]
        names = tables[4]
        times = tables[5]
        ids = tables[6]
        late = tables[7]
    }
}

/// The keys of the log's tables: big-endian, so that LMDB's byte order is numeric order.
enum LogKey {
    /// The bytes of a key of `times` and `late`.
    static let momentByteCount = 20

    /// The key of `blocks` and `tree`.
    static func number(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes
    }

    /// The key of `sources`.
    static func source(_ source: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        append(source, to: &bytes)
        return bytes
    }

    /// The key of `times` and `late`; `last` is a position there and a digest here.
    static func moment(_ source: UInt32, _ occurredAt: Int64, _ last: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(momentByteCount)
        append(source, occurredAt, last, to: &bytes)
        return bytes
    }

    /// Adds the key of `times` and `late` to other bytes.
    static func append(
        _ source: UInt32,
        _ occurredAt: Int64,
        _ last: UInt64,
        to bytes: inout [UInt8]
    ) {
        append(source, to: &bytes)
        bytes.append(bigEndian: UInt64(bitPattern: occurredAt) ^ 1 << 63)
        bytes.append(bigEndian: last)
    }

    private static func append(_ source: UInt32, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt64(source.byteSwapped), byteCount: 4)
    }

    /// The key of `ids`.
    static func id(_ source: UInt32, _ id: Span<UInt8>) -> [UInt8] {
        var bytes = Self.source(source)
        bytes.append(contentsOf: id)
        return bytes
    }

    /// Reads a key of `times` or `late`, or returns `nil` if it is not valid.
    static func parseMoment(
        _ key: Span<UInt8>
    ) -> (source: UInt32, occurredAt: Int64, last: UInt64)? {
        guard key.count == momentByteCount else { return nil }
        let source = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(key[$1]) }
        return (
            source, Int64(bitPattern: key.bigEndian(at: 4) ^ 1 << 63), key.bigEndian(at: 12)
        )
    }
}

/// Reads the rows of `names`, `ids` and `late`, whose values are numbers of eight bytes.
enum LogValue {
    /// Reads a number, or returns `nil` if there are more or fewer than eight bytes.
    static func number(_ value: Span<UInt8>) -> UInt64? {
        value.count == 8 ? value.littleEndian(at: 0) : nil
    }

    /// Reads a position.
    ///
    /// - Throws: `EventLogError.damaged` if it is not valid.
    static func position(_ value: Span<UInt8>) throws(EventLogError) -> UInt64 {
        guard let number = number(value), LogLimits.positions.contains(number) else {
            throw .damaged(position: 0, "a row of an index holds no position")
        }
        return number
    }

    /// Reads the number of a source.
    ///
    /// - Throws: `EventLogError.damaged` if it is not valid.
    static func sourceNumber(_ value: Span<UInt8>) throws(EventLogError) -> UInt32 {
        guard let number = number(value).flatMap(UInt32.init(exactly:)),
            LogLimits.sourceNumbers.contains(number)
        else { throw .damaged(position: 0, "a source's name leads to no number of a source") }
        return number
    }
}

extension Cursor {
    /// Steps to the block that holds `position` if any does, or returns `false` if the table has no
    /// block that starts at or before it.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    mutating func seek(toBlockOf position: UInt64) throws -> Bool {
        guard try seek(toKeyAtOrAfter: LogKey.number(position)) else { return try last() }
        if try blockPosition == position { return true }
        return try previous()
    }

    /// Steps to the last key that is less than `key`, or returns `false` if there is none.
    // A step changes the position, not what the cursor borrows.
    @_lifetime(self: copy self)
    mutating func seek(toLastKeyBefore key: [UInt8]) throws(LMDBError) -> Bool {
        try seek(toKeyAtOrAfter: key) ? previous() : last()
    }

    /// Returns the block at the cursor's position, checked.
    // A plain block lies in the map, as the cursor's value does; a compact one in the buffer.
    // Not inlined, because the optimizer of Swift 6.3.1 crashes in some callers otherwise.
    @inline(never)
    @_lifetime(copy self, &buffer)
    func block(decodedInto buffer: inout BlockBuffer) throws(EventLogError) -> BlockView {
        try BlockView(value, at: blockPosition, decodedInto: &buffer)
    }

    /// The position of the first entry of the block at the cursor's position, from its key.
    var blockPosition: UInt64 {
        get throws(EventLogError) {
            guard key.count == 8 else { throw .notALog("a block's key is not a position") }
            return key.bigEndian(at: 0)
        }
    }
}

/// The one row of the table `state`: how far the log is and what commits to it.
struct LogState: Hashable, Sendable {
    static let version: UInt8 = 1
    static let key: [UInt8] = Array("log".utf8)
    private static let fixedByteCount = 20

    /// The roots that commit to the entries; its size is the log's.
    var frontier = MerkleFrontier()

    /// The recorded_at of the last entry: milliseconds since 1970.
    var lastRecordedAt = Int64.min

    /// The oldest version of the program that reads the log.
    private var oldestReader = ProgramVersion.first

    /// Creates the state of an empty log.
    init() {}

    /// Reads the row's value.
    ///
    /// - Throws: `EventLogError.newerFormat` or `.notALog`.
    init(_ value: Span<UInt8>) throws(EventLogError) {
        guard value.count >= Self.fixedByteCount else { throw .notALog("its state is cut short") }
        // It comes first: whatever else has changed, it says which version knows it.
        oldestReader = try ProgramVersion(needed: value.extracting(droppingFirst: 1))
        guard value[0] == Self.version else { throw .newerFormat("log version \(value[0])") }
        let size = value.littleEndian(at: 4)
        guard LogLimits.positions.contains(size) else {
            throw .notALog("its state has an impossible size")
        }
        let hashes = value.extracting(droppingFirst: Self.fixedByteCount)
        guard hashes.count == size.nonzeroBitCount * Digest.byteCount else {
            throw .notALog("its frontier does not belong to its size")
        }
        var roots: [Digest] = []
        for index in 0..<size.nonzeroBitCount {
            let start = index * Digest.byteCount
            if let root = Digest(hashes.extracting(start..<start + Digest.byteCount)) {
                roots.append(root)
            }
        }
        guard let frontier = MerkleFrontier(size: size, roots: roots) else {
            throw .notALog("its frontier does not belong to its size")
        }
        self.frontier = frontier
        lastRecordedAt = Int64(bitPattern: value.littleEndian(at: 12))
        guard LogLimits.times.contains(lastRecordedAt) else {
            throw .notALog("its state has an impossible recorded_at")
        }
    }

    /// The row's value.
    var value: [UInt8] {
        var bytes: [UInt8] = [Self.version] + oldestReader.needed
        bytes.append(littleEndian: frontier.size)
        bytes.append(littleEndian: UInt64(bitPattern: lastRecordedAt))
        for root in frontier.roots {
            bytes.append(contentsOf: root.bytes.span)
        }
        return bytes
    }
}

/// The ranges that Formats promises: what lies outside was not written by us.
enum LogLimits {
    /// Positions, sizes and counters stay below the point where arithmetic could overflow.
    static let positions: ClosedRange<UInt64> = 0...1 << 56

    /// Times that fit into 48 bits either way: milliseconds since 1970.
    static let times: ClosedRange<Int64> = -(1 << 47 - 1)...1 << 47 - 1

    /// The numbers that sources have; 0 is the ledger itself.
    ///
    /// Entries have room for larger ones. The limit ensures that what audits remember of each
    /// source fits into memory.
    static let sourceNumbers: ClosedRange<UInt32> = 1...1_000_000

    /// How many bytes of UTF-8 the identity digest lets a source's name have.
    static let sourceNameByteCounts = 1...255

    /// How many bytes of UTF-8 the name of a group has.
    static let groupByteCounts = 1...64
}
