import RowCoding

/// How long a source may be silent before it is a gap: a multiple of its own median interval.
///
/// A fixed limit of 20 to 60 s would book kilometres of a 32-second logger's drive as gaps, or miss
/// a one-second receiver's tunnels. The intervals are those between consecutive kept fixes of a
/// trip; they are kept across trips.
struct GapLimit: Sendable {
    /// How many intervals the median is taken over.
    static let capacity = 16

    /// How many intervals must be known before their median is used.
    static let fewest = 4

    /// No silence is longer: 34 years.
    private static let longestMilliseconds: Int64 = 1 << 40

    /// The latest intervals in milliseconds, a ring.
    private var ring = InlineArray<16, Int64>(repeating: 0)

    /// How many intervals were ever recorded, counted on from `capacity` in a circle, so that it
    /// tells both where the next one goes and whether the ring is full.
    private var recorded = 0

    init() {}

    /// Creates a limit that has seen `intervals`, oldest first, in milliseconds.
    init(intervals: some Sequence<Int64>) {
        for interval in intervals {
            record(interval)
        }
    }

    /// The known intervals, oldest first, in milliseconds.
    var intervals: [Int64] {
        let count = min(recorded, Self.capacity)
        return (recorded - count..<recorded).map { ring[$0 % Self.capacity] }
    }

    /// Records the interval before a kept fix.
    @inline(__always)
    mutating func record(_ milliseconds: Int64) {
        ring[recorded & (Self.capacity - 1)] = milliseconds
        recorded += 1
        if recorded == 2 * Self.capacity {
            recorded = Self.capacity
        }
    }

    /// Returns whether a silence is a gap.
    @inline(__always)
    func isExceeded(by milliseconds: Int64, rules: TrackingRules) -> Bool {
        milliseconds > self.milliseconds(rules: rules)
    }

    /// Returns the limit in milliseconds: max(30 s, 4 × median), at most 15 min; 120 s while fewer
    /// than four intervals are known.
    @inline(__always)
    func milliseconds(rules: TrackingRules) -> Int64 {
        guard let twiceMedian else { return rules.unknownIntervalGapMilliseconds }
        let limit = Self.limit(ofMedians: rules.medianIntervalsPerGap, twiceMedian: twiceMedian)
        return min(max(limit, rules.minimumGapMilliseconds), rules.maximumGapMilliseconds)
    }

    /// Returns the silence in milliseconds beyond which the recorder may have been switched off:
    /// max(`silence`, 8 × median).
    func silenceMilliseconds(rules: TrackingRules) -> Int64 {
        max(
            rules.silenceMilliseconds,
            Self.limit(
                ofMedians: rules.medianIntervalsPerSilence,
                twiceMedian: twiceMedian ?? 0
            )
        )
    }

    @inline(__always)
    private static func limit(ofMedians count: Int64, twiceMedian: Int64) -> Int64 {
        // Intervals of a damaged state can be of any size, and instants must stay countable.
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: twiceMedian)
        return isTooLarge ? longestMilliseconds : min(product / 2, longestMilliseconds)
    }

    /// Twice the median interval in milliseconds, so that it is whole; `nil` while fewer than four
    /// intervals are known.
    @inline(never)
    var twiceMedian: Int64? {
        let sorted = intervals.sorted()
        guard sorted.count >= Self.fewest else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 0 ? sorted[middle - 1] + sorted[middle] : 2 * sorted[middle]
    }
}

extension GapLimit: Hashable {
    static func == (left: GapLimit, right: GapLimit) -> Bool {
        left.intervals == right.intervals
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(intervals)
    }
}

extension GapLimit {
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(intervals.count))
        for interval in intervals {
            writer.write(interval)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        let count = try reader.readUInt64()
        guard count <= Self.capacity else { throw .invalidValue }
        self.init()
        for _ in 0..<count {
            record(try reader.readAmount())
        }
    }
}

/// The median of any number of intervals, from at most 32 of them that are spread evenly.
///
/// It keeps every interval until it is full, then every second one, then every fourth, and so on.
struct IntervalSample: Sendable {
    private static let capacity = 32
    private static let maximumStride: UInt32 = 1 << 30

    /// The kept intervals in milliseconds; those up to `count` count.
    private var kept = InlineArray<32, UInt32>(repeating: 0)
    private var count = 0

    /// One interval out of `stride` is kept; `passed` counts those since the last kept one.
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
