import Geodesy
import TripEvents

extension Tracker {
    /// The version of the active-trip checkpoint's format.
    private static let formatVersion: UInt8 = 3

    /// Returns the active-trip checkpoint: everything that the tracker knows.
    public func encode() -> [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
        writer.write(source)
        rules.write(to: &writer)
        gapLimit.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
        writer.write(heardAt) { $0.write($1) }
        writer.write(quietSince) { $0.write($1) }
        writer.write(awaitingDetails) { $0.write($1) }
        skipPlaces.write(to: &writer)
        window.write(to: &writer)
        writer.write(UInt64(awaitedSplits.count))
        for split in awaitedSplits {
            split.write(to: &writer)
        }
        writer.write(open) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// Reads an active-trip checkpoint.
    ///
    /// - Throws: why the bytes are not one; the tracker is then derived from the log again.
    public init(decoding bytes: [UInt8]) throws(StateError) {
        var reader = try StateReader(bytes, version: Self.formatVersion)
        let source = try reader.readText()
        self.init(source: source, rules: try TrackingRules(from: &reader))
        gapLimit = try GapLimit(from: &reader)
        latestAt = try reader.readOptionalTimestamp()
        heardAt = try reader.readOptionalTimestamp()
        quietSince = try reader.readOptionalTimestamp()
        awaitingDetails = try reader.readOptional { reader throws(StateError) in
            try reader.readTripID()
        }
        skipPlaces = try SkipPlaces(from: &reader)
        window = try StartWindow(from: &reader)
        for _ in 0..<(try reader.readUInt64()) {
            awaitedSplits.append(try StandingSplit(from: &reader))
        }
        open = try reader.readOptional(OpenTrip.init(from:))
        try reader.finish()
    }
}

extension GapLimit {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(UInt64(intervals.count))
        for interval in intervals {
            writer.write(interval)
        }
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        let count = try reader.readUInt64()
        guard count <= Self.capacity else { throw .invalidValue }
        self.init()
        for _ in 0..<count {
            record(try reader.readAmount())
        }
    }
}

extension SkipPlaces {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(UInt64(all.count))
        for place in all {
            writer.write(place.name)
            writer.write(place.center)
            writer.write(place.radius)
        }
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        for _ in 0..<(try reader.readUInt64()) {
            all.append(
                Place(
                    name: try reader.readText(),
                    center: try reader.readCoordinate(),
                    radius: try reader.readDistance()
                )
            )
        }
    }
}

extension StartWindow {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(UInt64(entries.count))
        for entry in entries {
            writer.write(entry.fix)
            writer.write(entry.recordedAt)
            writer.write(entry.position)
        }
        intervals.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        var entries: [Entry] = []
        for _ in 0..<(try reader.readUInt64()) {
            entries.append(
                Entry(
                    fix: try reader.readFix(),
                    recordedAt: try reader.readTimestamp(),
                    position: try reader.readUInt64()
                )
            )
        }
        self.init(
            entries: entries,
            intervals: try GapLimit(from: &reader),
            latestAt: try reader.readOptionalTimestamp()
        )
    }
}
