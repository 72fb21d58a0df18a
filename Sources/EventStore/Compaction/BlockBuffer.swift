/// Room in which the entries of compact blocks are laid out, used again from block to block.
///
/// It takes no memory before the first one.
package struct BlockBuffer: ~Copyable {
    /// An entry that ends within the limit may have been begun right before it.
    private static let slack = 1_024

    /// The entries of one group after the other, or of the only one.
    private var grouped: [UInt8] = []

    /// The entries in order of position, where there are several groups.
    private var merged: [UInt8] = []

    /// Whether the entries are in `merged` in the end.
    private var isMerged = false

    /// How many bytes the entries have.
    private var length = 0

    /// The numbers of one frame, column after column.
    private var columns: [UInt64] = []

    /// The group of each entry.
    private var order: [UInt64] = []

    /// Creates an empty buffer.
    package init() {}

    /// Decodes the entries of a compact block.
    ///
    /// - Parameters:
    ///   - content: What follows the header.
    ///   - count: How many entries the header says there are.
    /// - Returns: Whether these are entries; they are in `entries` then, as a plain block has them.
    mutating func decode(_ content: Span<UInt8>, count: Int) -> Bool {
        length = 0
        var reader = ByteReader(content)
        guard 1...CompactBlock.maximumCount ~= count,
            let length = reader.number(byteCount: 4).map({ Int($0) }),
            length <= CompactBlock.maximumContentLength,
            let groupCount = reader.byte(), groupCount > 0
        else { return false }
        prepare()
        if groupCount > 1 {
            guard readOrder(&reader, count: count) else { return false }
        }
        var end = 0
        var entryCount = 0
        var starts: [Int] = []
        for _ in 0..<groupCount {
            starts.append(end)
            guard let groupSize = readGroup(&reader, at: &end) else { return false }
            entryCount += groupSize
        }
        guard entryCount == count, end == length,
            reader.offset + CompactBlock.paddingByteCount == content.count
        else { return false }
        if groupCount > 1 {
            guard merge(starts, count: count, length: length) else { return false }
        }
        isMerged = groupCount > 1
        self.length = length
        return true
    }

    /// The entries that were decoded last, one after the other.
    var entries: Span<UInt8> {
        @_lifetime(borrow self)
        get { (isMerged ? merged.span : grouped.span).extracting(first: length) }
    }

    private mutating func prepare() {
        guard grouped.isEmpty else { return }
        let room = CompactBlock.maximumContentLength + Self.slack
        grouped = Array(repeating: 0, count: room)
        let columnCount = CompactBlock.commonColumnCount + CompactBlock.maximumFieldCount
        columns = Array(repeating: 0, count: columnCount * CompactBlock.frameCount)
    }
}

// MARK: - Groups

extension BlockBuffer {
    /// Reads a group and lays its entries out from `end` on.
    ///
    /// - Returns: How many entries it has, or `nil` if there is no group.
    private mutating func readGroup(_ reader: inout ByteReader, at end: inout Int) -> Int? {
        guard let count = reader.number(byteCount: 2).map({ Int($0) }), count > 0,
            let mark = reader.byte()
        else { return nil }
        if mark == CompactBlock.rawMark {
            guard readRawEntries(&reader, at: &end) else { return nil }
        } else {
            guard let group = CompactGroup(&reader, fieldCount: mark, count: count),
                readColumns(group, &reader, at: &end)
            else { return nil }
        }
        return count
    }

    private mutating func readRawEntries(_ reader: inout ByteReader, at end: inout Int) -> Bool {
        guard let length = reader.number(byteCount: 4).map({ Int($0) }),
            length <= CompactBlock.maximumContentLength - end,
            length <= reader.bytes.count - reader.offset
        else { return false }
        for index in 0..<length {
            grouped[end + index] = reader.bytes[reader.offset + index]
        }
        reader.offset += length
        end += length
        return true
    }

    private mutating func readColumns(
        _ group: CompactGroup,
        _ reader: inout ByteReader,
        at end: inout Int
    ) -> Bool {
        var columnReaders = group.bases.map { ColumnReader(base: $0) }
        var rest = group.count
        while rest > 0 {
            let count = min(rest, CompactBlock.frameCount)
            rest -= count
            for column in columnReaders.indices {
                let start = column * CompactBlock.frameCount
                var values = columns.mutableSpan
                let isRead = columnReaders[column]
                    .read(&reader, into: &values, start..<start + count)
                guard isRead else { return false }
            }
            let nonces = reader.offset
            reader.offset += 8 * count
            guard reader.offset <= reader.bytes.count else { return false }
            let isLaidOut = Self.layOut(
                group,
                columns,
                nonces: reader.bytes.extracting(nonces..<reader.offset),
                into: &grouped,
                from: &end
            )
            guard isLaidOut else { return false }
        }
        return true
    }

    /// Writes the entries of a frame whose numbers have been read.
    private static func layOut(
        _ group: CompactGroup,
        _ columns: [UInt64],
        nonces: Span<UInt8>,
        into entries: inout [UInt8],
        from end: inout Int
    ) -> Bool {
        let frameCount = CompactBlock.frameCount
        let kindAndForm = UInt64(group.kind) << 8 | UInt64(group.form) << 16
        let values = columns.span
        let codes = group.codes.span
        var bytes = entries.mutableSpan
        // The bytes are plain numbers, and every store is checked to lie within them.
        var output = unsafe bytes.mutableBytes
        var start = end
        for index in 0..<nonces.count / 8 {
            guard start <= CompactBlock.maximumContentLength else { return false }
            let source = values[index] & 0xFF_FFFF
            let occurredAt = values[frameCount + index] & 0xFFFF_FFFF_FFFF
            let recordedAt = values[2 * frameCount + index]
            // Each number is written with more bytes than it has, and the next one over these.
            output.storeBytes(
                of: (kindAndForm | source << 24).littleEndian,
                toByteOffset: start,
                as: UInt64.self
            )
            output.storeBytes(
                of: (occurredAt | recordedAt << 48).littleEndian,
                toByteOffset: start + 6,
                as: UInt64.self
            )
            output.storeBytes(
                of: recordedAt.littleEndian,
                toByteOffset: start + 12,
                as: UInt64.self
            )
            output.storeBytes(
                of: nonces.littleEndian(at: 8 * index).littleEndian,
                toByteOffset: start + 18,
                as: UInt64.self
            )
            let next = writeFields(
                codes,
                values,
                at: CompactBlock.commonColumnCount * frameCount + index,
                to: &output,
                from: start + EntryView.minimumByteCount
            )
            output.storeBytes(
                of: UInt8(truncatingIfNeeded: next - start),
                toByteOffset: start,
                as: UInt8.self
            )
            start = next
        }
        end = start
        return start <= CompactBlock.maximumContentLength
    }

    /// Writes the payload of an entry.
    ///
    /// - Returns: Where it ends.
    @inline(__always)
    private static func writeFields(
        _ codes: Span<UInt8>,
        _ values: Span<UInt64>,
        at firstValue: Int,
        to output: inout MutableRawSpan,
        from start: Int
    ) -> Int {
        var next = start
        var column = firstValue
        for field in codes.indices {
            let code = codes[field]
            let value = values[column]
            column += CompactBlock.frameCount
            if code >= EntryField.firstDecimalCode {
                next = DecimalBytes.write(
                    Int64(bitPattern: value),
                    scale: code - EntryField.firstDecimalCode,
                    to: &output,
                    at: next
                )
            } else {
                output.storeBytes(of: value.littleEndian, toByteOffset: next, as: UInt64.self)
                next += Int(code)
            }
        }
        return next
    }
}

// MARK: - Order

extension BlockBuffer {
    private mutating func readOrder(_ reader: inout ByteReader, count: Int) -> Bool {
        if order.isEmpty {
            order = Array(repeating: 0, count: CompactBlock.maximumCount)
            merged = Array(repeating: 0, count: CompactBlock.maximumContentLength)
        }
        var columnReader = ColumnReader(base: 0)
        var start = 0
        while start < count {
            let end = min(start + CompactBlock.frameCount, count)
            var values = order.mutableSpan
            guard columnReader.read(&reader, into: &values, start..<end) else { return false }
            start = end
        }
        return true
    }

    /// Puts the entries of all groups in order of position.
    private mutating func merge(_ starts: [Int], count: Int, length: Int) -> Bool {
        var nexts = starts
        let ends = Array(starts.dropFirst()) + [length]
        var end = 0
        var index = 0
        while index < count {
            guard let group = Int(exactly: order[index]), group < nexts.count else { return false }
            // Entries that follow one another in both places are copied at once.
            let start = nexts[group]
            var next = start
            while index < count, order[index] == UInt64(group) {
                guard let entryEnd = Self.entryEnd(grouped.span, from: next, to: ends[group])
                else { return false }
                next = entryEnd
                index += 1
            }
            let size = next - start
            guard size <= length - end else { return false }
            merged.replaceSubrange(end..<end + size, with: grouped[start..<next])
            nexts[group] = next
            end += size
        }
        return end == length
    }

    /// Returns where the entry ends that begins at `start`, or `nil` if that is beyond `limit`.
    private static func entryEnd(_ bytes: Span<UInt8>, from start: Int, to limit: Int) -> Int? {
        guard start + EntryView.minimumByteCount <= limit else { return nil }
        let short = Int(bytes[start])
        let length = short > 0 ? short : Int(bytes[start + 1]) | Int(bytes[start + 2]) << 8
        return length > 0 && length <= limit - start ? start + length : nil
    }
}
