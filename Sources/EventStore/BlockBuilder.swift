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
