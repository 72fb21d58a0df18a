import RowCoding

/// How long a source may be silent before it is a gap: a multiple of its own median interval.
///
/// A fixed limit of 20 to 60 s would book kilometres of a 32-second logger's drive as gaps, or miss
/// a one-second receiver's tunnels. The intervals are those between consecutive kept fixes of a
/// trip; they are kept across trips.
struct GapLimit: Sendable {
    /// How many intervals the median is taken over.
    static let capacity = 16

    /// How many intervals must be known before their median is believed.
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
