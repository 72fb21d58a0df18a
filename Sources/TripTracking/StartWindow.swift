import Geodesy
import RowCoding
import TripEvents

/// The usable fixes between trips: enough of them to see that a drive has begun, and where.
struct StartWindow: Hashable, Sendable {
    /// A fix with what a trip needs to know of it.
    struct Entry: Hashable, Sendable {
        var fix: Fix
        var recordedAt: Timestamp

        /// Where the fix stands in the log.
        var position: UInt64

        /// When the fix was taken and stored.
        var stamp: EventStamp {
            EventStamp(occurredAt: fix.occurredAt, recordedAt: recordedAt, position: position)
        }
    }

    /// Into how many parts the window is divided; one fix of each is kept, which bounds the memory.
    private static let parts: Int64 = 60

    /// The fixes, oldest first, at most two more than there are parts.
    private(set) var entries: [Entry] = []

    /// The latest intervals between usable fixes while there is no trip.
    private(set) var intervals = GapLimit()

    /// When the latest usable fix was taken, since the last trip.
    private(set) var latestAt: Timestamp?

    private var metric = LocalMetric()

    init() {}

    /// Creates a window in a stored state.
    init(entries: [Entry], intervals: GapLimit, latestAt: Timestamp?) {
        self.entries = entries
        self.intervals = intervals
        self.latestAt = latestAt
    }

    /// Removes all fixes, which belong to a trip now.
    mutating func removeAll() {
        entries = []
        latestAt = nil
    }

    /// Takes the next usable fix.
    ///
    /// - Returns: the fixes of the drive that it shows to have begun, or `nil`. They begin with the
    ///   last one that stood: idling before it is not driving.
    mutating func take(_ next: Entry, rules: TrackingRules) -> ArraySlice<Entry>? {
        let now = next.fix.occurredAt
        if let latestAt {
            guard now > latestAt else { return nil }
            intervals.record(now.milliseconds(since: latestAt))
        }
        latestAt = now
        let span = self.span(rules: rules)
        let first = entries.firstIndex { now.milliseconds(since: $0.fix.occurredAt) <= span }
        entries.removeFirst(first ?? entries.count)
        if let far = entries.lastIndex(where: { isDrive(from: $0.fix, to: next.fix, rules) }) {
            return entries[beginning(before: far, rules: rules)...] + [next]
        }
        let latest = entries.last?.fix.occurredAt
        if latest.map({ now.milliseconds(since: $0) >= span / Self.parts }) ?? true {
            entries.append(next)
        }
        return nil
    }

    /// How long the window is in milliseconds: one and a half median intervals, if the source is so
    /// slow.
    private func span(rules: TrackingRules) -> Int64 {
        max(rules.startWindowMilliseconds, (intervals.twiceMedian ?? 0) * 3 / 4)
    }

    /// Returns where the movement began that had come to the fix at `index`.
    private mutating func beginning(before index: Int, rules: TrackingRules) -> Int {
        var index = index
        while index > 0, !stands(at: entries[index].fix, after: entries[index - 1].fix, rules) {
            index -= 1
        }
        return index
    }

    /// Returns whether the source stands at a fix: by its reported speed, else by the way from the
    /// fix before, in which there is noise.
    private mutating func stands(at fix: Fix, after last: Fix, _ rules: TrackingRules) -> Bool {
        if let speed = fix.speedMetersPerSecond {
            return speed < rules.jitterSpeedMetersPerSecond
        }
        let way = metric.distance(from: last.coordinate, to: fix.coordinate)
        return way < rules.jitterRadius
    }

    private mutating func isDrive(from start: Fix, to end: Fix, _ rules: TrackingRules) -> Bool {
        let way = metric.distance(from: start.coordinate, to: end.coordinate)
        let milliseconds = end.occurredAt.milliseconds(since: start.occurredAt)
        return way >= rules.startDisplacement && rules.allows(way, inMilliseconds: milliseconds)
            && rules.isDriving(way, inMilliseconds: milliseconds)
    }
}

extension StartWindow {
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(entries.count))
        for entry in entries {
            writer.write(entry.fix)
            writer.write(entry.recordedAt)
            writer.write(entry.position)
        }
        intervals.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
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
