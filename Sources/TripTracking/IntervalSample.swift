import RowCoding

/// The median of any number of intervals, from at most 32 of them that are spread evenly.
///
/// It keeps every interval until it is full, then every second one, then every fourth, and so on.
struct IntervalSample: Sendable {
    private static let capacity = 32
    private static let maximumStride: UInt32 = 1 << 30

    /// The kept intervals in milliseconds; those up to `count` count.
    private var kept = InlineArray<32, UInt32>(repeating: 0)
    private var count = 0

    /// Of how many intervals one is kept, and how many have passed since the last kept one.
    private var stride: UInt32 = 1
    private var passed: UInt32 = 0

    init() {}

    /// The median in milliseconds, the lower one of two; `nil` without intervals.
    var medianMilliseconds: Int64? {
        let sorted = (0..<count).map { kept[$0] }.sorted()
        return sorted.isEmpty ? nil : Int64(sorted[(sorted.count - 1) / 2])
    }

    /// Takes an interval.
    @inline(__always)
    mutating func record(_ milliseconds: Int64) {
        passed += 1
        if passed == stride {
            keep(milliseconds)
        }
    }

    @inline(never)
    private mutating func keep(_ milliseconds: Int64) {
        passed = 0
        kept[count] = UInt32(clamping: milliseconds)
        count += 1
        guard count == Self.capacity else { return }
        count /= 2
        for index in 0..<count {
            kept[index] = kept[2 * index + 1]
        }
        stride = min(2 * stride, Self.maximumStride)
    }
}

extension IntervalSample: Hashable {
    static func == (left: IntervalSample, right: IntervalSample) -> Bool {
        left.count == right.count && left.stride == right.stride && left.passed == right.passed
            && (0..<left.count).allSatisfy { left.kept[$0] == right.kept[$0] }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(stride)
        hasher.combine(passed)
        for index in 0..<count {
            hasher.combine(kept[index])
        }
    }
}

extension IntervalSample {
    /// Writes the sample.
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(stride))
        writer.write(UInt64(passed))
        writer.write(UInt64(count))
        for index in 0..<count {
            writer.write(UInt64(kept[index]))
        }
    }

    /// Reads a sample.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        let stride = try reader.readUInt64()
        let passed = try reader.readUInt64()
        let count = try reader.readUInt64()
        guard (1...UInt64(Self.maximumStride)).contains(stride), passed < stride,
            count < Self.capacity
        else { throw .invalidValue }
        self.stride = UInt32(stride)
        self.passed = UInt32(passed)
        self.count = Int(count)
        for index in 0..<self.count {
            guard let interval = UInt32(exactly: try reader.readUInt64()) else {
                throw .invalidValue
            }
            kept[index] = interval
        }
    }
}
