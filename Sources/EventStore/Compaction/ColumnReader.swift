/// Unpacks the numbers of one column, frame by frame (Formats, *Compact blocks*).
struct ColumnReader {
    /// The number read last; before the first, the column's base.
    private var previous: UInt64

    /// The difference between the last two numbers.
    private var difference: UInt64 = 0

    init(base: UInt64) {
        previous = base
    }

    /// Reads a frame's numbers and steps over it.
    ///
    /// - Parameters:
    ///   - reader: Stands where the frame starts.
    ///   - values: Where the numbers go.
    ///   - places: The places for them there, as many as the frame has numbers.
    /// - Returns: `false` if there is no such frame.
    @inline(__always)
    mutating func read(
        _ reader: inout ByteReader,
        into values: inout MutableSpan<UInt64>,
        _ places: Range<Int>
    ) -> Bool {
        let bytes = reader.bytes
        guard reader.offset < bytes.count else { return false }
        let mark = bytes[reader.offset]
        let width = Int(mark & ~CompactBlock.secondDifferencesFlag)
        let start = reader.offset + 1
        let end = start + CompactBlock.packedByteCount(count: places.count, width: width)
        guard width <= CompactBlock.maximumWidth, end + CompactBlock.paddingByteCount <= bytes.count
        else { return false }
        reader.offset = end
        if mark & CompactBlock.secondDifferencesFlag == 0 {
            readDifferences(bytes, at: start, width: width, into: &values, places)
        } else {
            readSecondDifferences(bytes, at: start, width: width, into: &values, places)
        }
        return true
    }

    @inline(__always)
    private mutating func readDifferences(
        _ bytes: Span<UInt8>,
        at start: Int,
        width: Int,
        into values: inout MutableSpan<UInt64>,
        _ places: Range<Int>
    ) {
        var previous = previous
        var difference: UInt64 = 0
        if width == 0 {
            for index in places { values[index] = previous }
        } else {
            let mask: UInt64 = 1 << UInt64(width) - 1
            var bit = 8 * start
            for index in places {
                let packed = bytes.littleEndian(at: bit >> 3) >> UInt64(bit & 7) & mask
                difference = UInt64(bitPattern: packed.unzigzagged)
                previous &+= difference
                values[index] = previous
                bit += width
            }
        }
        self.previous = previous
        self.difference = difference
    }

    @inline(__always)
    private mutating func readSecondDifferences(
        _ bytes: Span<UInt8>,
        at start: Int,
        width: Int,
        into values: inout MutableSpan<UInt64>,
        _ places: Range<Int>
    ) {
        var previous = previous
        var difference = difference
        let mask: UInt64 = 1 << UInt64(width) - 1
        var bit = 8 * start
        for index in places {
            let packed = bytes.littleEndian(at: bit >> 3) >> UInt64(bit & 7) & mask
            difference &+= UInt64(bitPattern: packed.unzigzagged)
            previous &+= difference
            values[index] = previous
            bit += width
        }
        self.previous = previous
        self.difference = difference
    }
}
