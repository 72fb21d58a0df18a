import CChecksum
import LMDB

/// A stored block, checked when it is made: a plain one in place, a compact one decoded.
package struct BlockView: ~Escapable {
    /// The header of the block.
    private(set) var header: BlockHeader

    /// The block as it is stored.
    let bytes: Span<UInt8>

    /// The entries, one after the other.
    private var content: Span<UInt8>

    /// Checks the checksum and the header of a block.
    ///
    /// - Parameters:
    ///   - bytes: The value as stored.
    ///   - position: The key, which the header MUST repeat.
    ///   - buffer: Where the entries of a compact block go.
    /// - Throws: `EventLogError.damaged` that names the position.
    @_lifetime(copy bytes, &buffer)
    package init(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        decodedInto buffer: inout BlockBuffer
    ) throws(EventLogError) {
        guard let header = BlockHeader(bytes) else {
            throw .damaged(position: position, "the block is shorter than its header")
        }
        guard header.length == bytes.count else {
            throw .damaged(position: position, "the block is not as long as it says")
        }
        guard header.checksum == Checksum.crc32c(bytes.extracting(droppingFirst: 4)) else {
            throw .damaged(position: position, "the block's checksum is wrong")
        }
        let isCompact = header.version == CompactBlock.version
        guard isCompact || header.version == BlockHeader.version, header.flags == 0 else {
            throw .newerFormat("block version \(header.version), flags \(header.flags)")
        }
        guard header.firstPosition == position, LogLimits.positions.contains(position) else {
            throw .damaged(position: position, "the block belongs to another position")
        }
        let maximumCount = isCompact ? CompactBlock.maximumCount : BlockHeader.maximumCount
        guard 1...maximumCount ~= header.count else {
            throw .damaged(position: position, "the block has an impossible number of entries")
        }
        let rest = bytes.extracting(droppingFirst: BlockHeader.byteCount)
        if isCompact {
            guard buffer.decode(rest, count: header.count) else {
                throw .damaged(position: position, "the compact block cannot be decoded")
            }
            // This block depends on the buffer too, which therefore cannot change while the block
            // exists.
            content = unsafe _overrideLifetime(buffer.entries, copying: bytes)
        } else {
            guard header.length <= BlockHeader.maximumLength || header.count == 1 else {
                throw .damaged(position: position, "the block is longer than it may be")
            }
            content = rest
        }
        self.header = header
        self.bytes = bytes
    }

    /// The position of the first entry.
    package var firstPosition: UInt64 { header.firstPosition }

    /// The number of entries.
    package var count: Int { header.count }

    /// Whether the entries are compressed, so that nothing can be added to them.
    var isCompact: Bool { header.version == CompactBlock.version }

    /// The position after the last entry.
    package var endPosition: UInt64 { firstPosition + UInt64(count) }

    /// The entries, in order of position.
    package var entries: EntryIterator {
        @_lifetime(copy self)
        get {
            EntryIterator(content, firstPosition: firstPosition, count: count)
        }
    }

    /// Returns the block with only the entries before a position; itself if it has no others.
    ///
    /// - Throws: `EventLogError.damaged`, as ``entries`` does.
    @_lifetime(copy self)
    func cut(at end: UInt64) throws(EventLogError) -> BlockView {
        guard end < endPosition else { return self }
        var rest = entries
        var byteCount = 0
        while rest.position < end, let entry = try rest.next() { byteCount += entry.bytes.count }
        var cut = self
        cut.header.count = Int(rest.position - firstPosition)
        cut.content = content.extracting(first: byteCount)
        return cut
    }

    /// Hands over the entries in descending order of position, each with its position, until `body`
    /// returns `false`.
    ///
    /// - Throws: `EventLogError.damaged`, as ``entries`` does, before anything is handed over; and
    ///   what `body` throws.
    /// - Returns: Whether all were handed over.
    package func eachEntryReversed(
        _ body: (EntryView, UInt64) throws -> Bool
    ) throws -> Bool {
        var starts: [Int] = []
        starts.reserveCapacity(count)
        var entries = entries
        var start = 0
        while let entry = try entries.next() {
            starts.append(start)
            start += entry.bytes.count
        }
        for (index, start) in starts.enumerated().reversed() {
            // It has just been read as one.
            guard let entry = EntryView(startOf: content.extracting(droppingFirst: start)),
                try body(entry, firstPosition + UInt64(index))
            else { return false }
        }
        return true
    }
}

/// Walks over the entries of a block, in order of position.
public struct EntryIterator: BitwiseCopyable, ~Escapable {
    /// The position of the entry that `next()` returns next.
    @inlinable public var position: UInt64 {
        @inline(__always) get { nextPosition }
    }

    @usableFromInline var nextPosition: UInt64
    @usableFromInline var rest: Span<UInt8>
    @usableFromInline var remaining: Int

    // Entries lie in the block's bytes, wherever those are.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, firstPosition: UInt64, count: Int) {
        rest = bytes
        nextPosition = firstPosition
        remaining = count
    }

    /// Returns the next entry, or `nil` after the last.
    ///
    /// - Throws: `EventLogError.damaged` if the bytes there are no entry, or if bytes are left over
    ///   after the last one.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func next() throws(EventLogError) -> EntryView? {
        guard remaining > 0 else {
            guard rest.isEmpty else {
                throw .damaged(position: position, "bytes follow the block's last entry")
            }
            return nil
        }
        guard let entry = EntryView(startOf: rest) else {
            throw .damaged(position: position, "the entry's length is impossible")
        }
        rest = rest.extracting(droppingFirst: entry.bytes.count)
        nextPosition += 1
        remaining -= 1
        return entry
    }
}

/// The first 32 bytes of a block (Formats, *Blocks*).
struct BlockHeader: Hashable, Sendable {
    static let byteCount = 32
    static let version: UInt8 = 1

    /// The bytes that one LMDB overflow page holds, and so the most that a block of several entries
    /// has.
    static let maximumLength = 4_080

    /// The most entries that fit, if all are as short as possible.
    static let maximumCount =
        (maximumLength - byteCount) / EntryView.minimumByteCount

    /// The greatest span that is stored; it stands for every longer one, too.
    static let longestSpan = Int64(UInt32.max)

    var checksum: UInt32
    var count: Int
    var version: UInt8
    var flags: UInt8
    var length: Int
    var span: UInt32
    var baseTime: Int64
    var firstPosition: UInt64

    /// Reads a header, or returns `nil` if there are not enough bytes.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= Self.byteCount else { return nil }
        let start = bytes.littleEndian(at: 0)
        let middle = bytes.littleEndian(at: 8)
        checksum = UInt32(truncatingIfNeeded: start)
        count = Int(start >> 32 & 0xFFFF)
        version = UInt8(truncatingIfNeeded: start >> 48)
        flags = UInt8(truncatingIfNeeded: start >> 56)
        length = Int(middle & 0xFFFF_FFFF)
        span = UInt32(truncatingIfNeeded: middle >> 32)
        baseTime = Int64(bitPattern: bytes.littleEndian(at: 16))
        firstPosition = bytes.littleEndian(at: 24)
    }

    /// Creates the header of a block without its checksum.
    init(count: Int, length: Int, times: ClosedRange<Int64>, firstPosition: UInt64) {
        checksum = 0
        self.count = count
        version = Self.version
        flags = 0
        self.length = length
        span = UInt32(min(times.upperBound - times.lowerBound, Self.longestSpan))
        baseTime = times.lowerBound
        self.firstPosition = firstPosition
    }

    /// Writes the header over the first 32 of `bytes`.
    func write(to bytes: inout [UInt8]) {
        Self.write(UInt64(checksum), to: &bytes, at: 0, width: 4)
        Self.write(UInt64(count), to: &bytes, at: 4, width: 2)
        bytes[6] = version
        bytes[7] = flags
        Self.write(UInt64(length), to: &bytes, at: 8, width: 4)
        Self.write(UInt64(span), to: &bytes, at: 12, width: 4)
        Self.write(UInt64(bitPattern: baseTime), to: &bytes, at: 16, width: 8)
        Self.write(firstPosition, to: &bytes, at: 24, width: 8)
    }

    /// Returns the block that this header and what follows it make up, with its checksum.
    func sealing(_ content: [UInt8]) -> [UInt8] {
        var bytes = Array(repeating: UInt8(0), count: Self.byteCount) + content
        seal(&bytes)
        return bytes
    }

    /// Writes the header, completed by the checksum, over the first 32 of a block's bytes.
    func seal(_ bytes: inout [UInt8]) {
        var header = self
        header.write(to: &bytes)
        header.checksum = Checksum.crc32c(bytes.span.extracting(droppingFirst: 4))
        header.write(to: &bytes)
    }

    private static func write(
        _ value: UInt64,
        to bytes: inout [UInt8],
        at offset: Int,
        width: Int
    ) {
        for index in 0..<width {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
        }
    }
}

/// CRC32C, the checksum of blocks and views: a fast test for damage, not for tampering.
package enum Checksum {
    /// Returns the CRC32C (RFC 3720 §12.1) of `bytes`, or of those with the checksum `earlier`
    /// and `bytes` after them.
    package static func crc32c(_ bytes: Span<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
        // The pointer lives as long as the call.
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe cchecksum_crc32c(earlier, buffer.baseAddress, buffer.count)
        }
    }
}

/// A block that is being filled: the log's open last block, or one on its way there.
struct BlockBuilder {
    /// The position of the block's first entry.
    let firstPosition: UInt64

    /// The number of entries.
    private(set) var count = 0

    private var bytes: [UInt8]
    private var earliest = Int64.max
    private var latest = Int64.min

    /// Creates an empty block that starts at `firstPosition`.
    init(firstPosition: UInt64) {
        self.firstPosition = firstPosition
        bytes = []
        bytes.reserveCapacity(BlockHeader.maximumLength)
        bytes.append(contentsOf: repeatElement(0, count: BlockHeader.byteCount))
    }

    /// Continues the last stored block; a compact one is full.
    ///
    /// - Throws: `EventLogError.damaged` if the block is not what it should be.
    init(after block: BlockView) throws(EventLogError) {
        self.init(firstPosition: block.isCompact ? block.endPosition : block.firstPosition)
        guard !block.isCompact else { return }
        var entries = block.entries
        while let entry = try entries.next() {
            append(entry.bytes, occurredAt: entry.occurredAt)
        }
    }

    /// The position that the next entry gets.
    var endPosition: UInt64 { firstPosition + UInt64(count) }

    /// Returns whether an entry of `byteCount` bytes belongs into this block: whether it fits, or
    /// the block is empty and the entry too large for any other.
    func accepts(_ byteCount: Int) -> Bool {
        count == 0 || bytes.count + byteCount <= BlockHeader.maximumLength
    }

    /// Adds an entry; `accepts(_:)` MUST have said so.
    mutating func append(_ entry: Span<UInt8>, occurredAt: Int64) {
        append(byteCount: entry.count, occurredAt: occurredAt) { $0.append(contentsOf: entry) }
    }

    /// Adds an entry that `write` writes; `accepts(_:)` MUST have said so.
    @inline(__always)
    mutating func append(
        byteCount: Int,
        occurredAt: Int64,
        _ write: (inout OutputSpan<UInt8>) -> Void
    ) {
        precondition(accepts(byteCount), "the block is full")
        let end = bytes.count + byteCount
        bytes.append(addingCapacity: byteCount, initializingWith: write)
        precondition(bytes.count == end, "an entry is as long as it says")
        count += 1
        earliest = min(earliest, occurredAt)
        latest = max(latest, occurredAt)
    }

    /// Completes the header and returns the block's bytes, or `nil` if the block is empty.
    mutating func finish() -> [UInt8]? {
        guard count > 0 else { return nil }
        let header = BlockHeader(
            count: count,
            length: bytes.count,
            times: earliest...latest,
            firstPosition: firstPosition
        )
        header.seal(&bytes)
        return bytes
    }

    /// The entries so far, header bytes left out.
    var entries: EntryIterator {
        @_lifetime(borrow self)
        get {
            EntryIterator(
                bytes.span.extracting(droppingFirst: BlockHeader.byteCount),
                firstPosition: firstPosition,
                count: count
            )
        }
    }
}

extension BlockBuilder {
    /// Continues the last block of a log, or starts one if the log is empty.
    init(
        endOf tables: LogTables,
        size: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.last() else {
            guard size == 0 else {
                throw EventLogError.damaged(position: 0, "there are no blocks")
            }
            self.init(firstPosition: 0)
            return
        }
        var buffer = BlockBuffer()
        try self.init(after: cursor.block(decodedInto: &buffer))
        guard endPosition == size else {
            throw EventLogError.damaged(
                position: min(endPosition, size),
                "the log says it holds \(size) entries, its blocks end at \(endPosition)"
            )
        }
    }
}
