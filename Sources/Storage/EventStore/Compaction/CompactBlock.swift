/// The entries of several plain blocks, byte for byte, in one zstd frame (Formats, *Compact
/// blocks*).
enum CompactBlock {
    /// The version in the header of a compact block.
    static let version: UInt8 = 2

    /// The most bytes that the entries of one compact block have.
    ///
    /// A lookup of one entry decodes them all, so that a larger block costs time; a smaller one
    /// costs room (Proposals, 0004, has both measured).
    static let maximumContentLength = 65_536

    /// The most entries that fit, if all are as short as possible.
    static let maximumCount = maximumContentLength / EntryView.minimumByteCount

    /// Writes some entries as a compact block.
    ///
    /// - Parameters:
    ///   - entries: At most `maximumContentLength` bytes of whole entries, one after the other.
    ///   - firstPosition: The position of the first.
    ///   - count: How many there are.
    ///   - encoder: Compresses them.
    /// - Returns: The block, or `nil` if it would not be shorter, or would not give back the same
    ///   entries.
    /// - Throws: `EventLogError.damaged` if these are no entries.
    static func encode(
        _ entries: Span<UInt8>,
        firstPosition: UInt64,
        count: Int,
        with encoder: Zstd.Encoder
    ) throws(EventLogError) -> [UInt8]? {
        guard 1...maximumCount ~= count, entries.count <= maximumContentLength else { return nil }
        var iterator = EntryIterator(entries, firstPosition: firstPosition, count: count)
        var earliest = Int64.max
        var latest = Int64.min
        while let entry = try iterator.next() {
            earliest = min(earliest, entry.occurredAt)
            latest = max(latest, entry.occurredAt)
        }
        var columns = EntryColumns()
        guard let content = columns.separate(entries, count: count) else { return nil }
        let frame = encoder.frame(of: content.span)
        var buffer = BlockBuffer()
        guard BlockHeader.byteCount + frame.count < entries.count,
            buffer.decode(frame.span, count: count),
            buffer.entries.hasSameBytes(as: entries)
        else { return nil }
        var header = BlockHeader(
            count: count,
            length: BlockHeader.byteCount + frame.count,
            times: earliest...latest,
            firstPosition: firstPosition
        )
        header.version = version
        return header.sealing(frame)
    }
}

/// Memory into which compact blocks are decoded, reused from block to block.
///
/// It has a fixed size, whatever the blocks say, and is allocated for the first compact block:
/// plain blocks need none.
package struct BlockBuffer: ~Copyable {
    private var decoder: Zstd.Decoder?
    private var columns = EntryColumns()

    /// The content of the frame.
    private var content: [UInt8] = []

    /// The entries, one after the other, in the first `length` bytes.
    private var decoded: [UInt8] = []
    private var length = 0

    /// Creates an empty buffer.
    package init() {}

    /// Decodes the entries of a compact block.
    ///
    /// - Parameters:
    ///   - frame: What follows the header.
    ///   - count: How many entries the header says there are.
    /// - Returns: Whether the frame is sound and has the size of so many entries; they are in
    ///   `entries` then, as a plain block has them.
    mutating func decode(_ frame: Span<UInt8>, count: Int) -> Bool {
        length = 0
        guard 1...CompactBlock.maximumCount ~= count else { return false }
        if decoder == nil {
            decoder = Zstd.Decoder()
            content = Array(repeating: 0, count: CompactBlock.maximumContentLength)
            decoded = content
        }
        guard let size = decoder?.decode(frame, into: &content),
            columns.join(content, byteCount: size, count: count, into: &decoded)
        else { return false }
        length = size
        return true
    }

    /// The entries that were decoded last, one after the other.
    var entries: Span<UInt8> {
        @_lifetime(borrow self)
        get { decoded.span.extracting(first: length) }
    }
}

/// Puts the bytes of entries in an order that zstd compresses better, and back (Formats, *Compact
/// blocks*): byte 0 of every entry, then byte 1 of every entry, and so on.
///
/// The entries of a drive differ in the same few bytes, so that most of a column is repetition, and
/// the random nonces are apart from the rest. It saves a sixth of the bytes of real fixes, and a
/// third of those with few decimals (Proposals, 0004).
struct EntryColumns {
    /// How many bytes at the start of an entry are in columns; the rest of longer ones follows.
    static let columnCount = 64

    /// Where each entry starts among the others, and where the last one ends.
    private var starts: [Int] = []

    /// Returns the bytes of entries in columns, or `nil` if these are not `count` entries.
    mutating func separate(_ entries: Span<UInt8>, count: Int) -> [UInt8]? {
        starts = [0]
        for _ in 0..<count {
            guard let start = starts.last, start + EntryView.minimumByteCount <= entries.count
            else { return nil }
            let length = Self.length(entries[start], entries[start + 1], entries[start + 2])
            guard EntryView.minimumByteCount...entries.count - start ~= length else { return nil }
            starts.append(start + length)
        }
        guard starts.last == entries.count else { return nil }
        var columns: [UInt8] = []
        columns.reserveCapacity(entries.count)
        for column in 0..<Self.columnCount {
            for index in 0..<count where starts[index] + column < starts[index + 1] {
                columns.append(entries[starts[index] + column])
            }
        }
        for index in 0..<count where starts[index] + Self.columnCount < starts[index + 1] {
            let rest = starts[index] + Self.columnCount..<starts[index + 1]
            columns.append(contentsOf: entries.extracting(rest))
        }
        return columns
    }

    /// Writes the entries whose bytes are in columns.
    ///
    /// - Parameters:
    ///   - content: Starts with the columns.
    ///   - byteCount: The size of the columns, which is that of the entries.
    ///   - count: The number of entries, at least 1.
    ///   - entries: Room for as many bytes.
    /// - Returns: `false` if these are not the columns of `count` entries.
    mutating func join(
        _ content: [UInt8],
        byteCount: Int,
        count: Int,
        into entries: inout [UInt8]
    ) -> Bool {
        let columns = content.span.extracting(first: byteCount)
        guard byteCount <= entries.count, locateEntries(columns, count: count)
        else { return false }
        let starts = starts.span
        var entries = entries.mutableSpan
        var next = 0
        for column in 0..<EntryView.minimumByteCount {
            for index in 0..<count {
                // `locateEntries` has read `count` starts.
                let place = unsafe starts[unchecked: index] &+ column
                // Every entry has this column, and there are as many bytes as the entries have.
                unsafe entries[unchecked: place] = columns[unchecked: next &+ index]
            }
            next += count
        }
        for column in EntryView.minimumByteCount..<Self.columnCount {
            for index in 0..<count {
                // `locateEntries` has read `count` starts and the end of the last entry.
                let (start, end) = unsafe (starts[unchecked: index], starts[unchecked: index &+ 1])
                guard start &+ column < end else { continue }
                // The place lies in an entry, and each byte of the entries is counted once.
                unsafe entries[unchecked: start &+ column] = columns[unchecked: next]
                next &+= 1
            }
        }
        for index in 0..<count where starts[index] + Self.columnCount < starts[index + 1] {
            for place in starts[index] + Self.columnCount..<starts[index + 1] {
                entries[place] = columns[next]
                next += 1
            }
        }
        return true
    }

    /// Reads the lengths of entries, which the first three columns say.
    ///
    /// - Returns: Whether they add up to the bytes that are there.
    private mutating func locateEntries(_ columns: Span<UInt8>, count: Int) -> Bool {
        guard count * EntryView.minimumByteCount <= columns.count else { return false }
        starts.removeAll(keepingCapacity: true)
        var end = 0
        starts.append(end)
        for index in 0..<count {
            let length = Self.length(
                columns[index],
                columns[count + index],
                columns[2 * count + index]
            )
            guard EntryView.minimumByteCount...columns.count ~= length else { return false }
            end += length
            starts.append(end)
        }
        return end == columns.count
    }

    /// Returns the length that the first three bytes of an entry say (Formats, *Entries*).
    private static func length(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        first > 0 ? Int(first) : Int(second) | Int(third) << 8
    }
}
