import Geodesy
import TripEvents

extension Tracker {
    /// The version of the active-trip checkpoint's format.
    private static let formatVersion: UInt8 = 1

    /// Returns the active-trip checkpoint: everything that the tracker knows.
    public func encode() -> [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
        writer.write(source)
        rules.write(to: &writer)
        let intervals = gapLimit.intervals
        writer.write(UInt64(intervals.count))
        for interval in intervals {
            writer.write(interval)
        }
        writer.write(latestAt) { $0.write($1) }
        writer.write(awaitingDetails) { $0.write($1) }
        writer.write(open) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// Reads an active-trip checkpoint.
    ///
    /// - Throws: why the bytes are not one; the tracker is then derived from the log again.
    public init(decoding bytes: [UInt8]) throws(StateError) {
        var reader = try StateReader(bytes, version: Self.formatVersion)
        let source = try reader.readText()
        let rules = try TrackingRules(from: &reader)
        let count = try reader.readUInt64()
        guard count <= GapLimit.capacity else { throw .invalidValue }
        var intervals: [Int64] = []
        for _ in 0..<count {
            intervals.append(try reader.readAmount())
        }
        let latestAt = try reader.readOptional { reader throws(StateError) in
            try reader.readTimestamp()
        }
        let awaitingDetails = try reader.readOptional { reader throws(StateError) in
            try reader.readTripID()
        }
        let open = try reader.readOptional { reader throws(StateError) in
            try OpenTrip(from: &reader)
        }
        try reader.finish()
        self.init(
            source: source,
            rules: rules,
            open: open,
            awaitingDetails: awaitingDetails,
            gapLimit: GapLimit(intervals: intervals),
            latestAt: latestAt
        )
    }
}

extension TrackingRules {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(version)
        writer.write(maximumAccuracyMeters)
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(jitterRadius)
        writer.write(jitterSpeedMetersPerSecond)
        writer.write(minimumGapMilliseconds)
        writer.write(maximumGapMilliseconds)
        writer.write(unknownIntervalGapMilliseconds)
        writer.write(medianIntervalsPerGap)
        writer.write(Int64(reanchorFixes))
        writer.write(reanchorMilliseconds)
        writer.write(approximateStartMilliseconds)
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        self.init(
            version: try reader.readChoice(of: RulesVersion.self),
            maximumAccuracyMeters: try reader.readDouble(),
            maximumSpeedMetersPerSecond: try reader.readDouble(),
            jitterRadius: try reader.readDistance(),
            jitterSpeedMetersPerSecond: try reader.readDouble(),
            minimumGapMilliseconds: try reader.readAmount(),
            maximumGapMilliseconds: try reader.readAmount(),
            unknownIntervalGapMilliseconds: try reader.readAmount(),
            medianIntervalsPerGap: try reader.readAmount(),
            reanchorFixes: Int(try reader.readAmount()),
            reanchorMilliseconds: try reader.readAmount(),
            approximateStartMilliseconds: try reader.readAmount()
        )
        // No rules that make sense have more.
        guard medianIntervalsPerGap <= 1_000 else { throw .invalidValue }
    }
}
