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

    /// How long the confirmation of a drive may take, in milliseconds, unless the source reports
    /// more seldom than that.
    private static let longestConfirmation: Int64 = 120_000

    /// How far the fixes of a stay lie from the first of them, in metres.
    private static let stayMeters = 15.0

    /// The number of parts into which the window is divided; one fix of each is kept, which bounds
    /// the memory.
    private static let parts: Int64 = 60

    /// The fixes, oldest first, at most two more than there are parts.
    private(set) var entries: [Entry] = []

    /// When the latest usable fix was taken, since the last trip.
    private(set) var latestAt: Timestamp?

    /// The fixes of a drive that seems to have begun, until another fix confirms it: one outlier
    /// starts nothing.
    private(set) var departure: [Entry] = []

    /// Where the source was before the first of these fixes, since the last trip.
    private(set) var origin: Coordinate?

    /// Where the source was before the first fix of `departure`.
    private(set) var departedFrom: Coordinate?

    private var metric = LocalMetric()

    init() {}

    /// Creates a window in a stored state.
    private init(
        entries: [Entry],
        departure: [Entry],
        latestAt: Timestamp?,
        origin: Coordinate?,
        departedFrom: Coordinate?
    ) {
        self.entries = entries
        self.departure = departure
        self.latestAt = latestAt
        self.origin = origin
        self.departedFrom = departedFrom
    }

    /// Where the source was last, since the last trip.
    var lastSeen: Coordinate? { entries.last?.fix.coordinate ?? origin }

    /// Takes the next usable fix.
    ///
    /// - Parameters:
    ///   - next: the fix.
    ///   - rules: the rules in force.
    ///   - intervals: the latest intervals between usable fixes while there is no trip.
    /// - Returns: the fixes of the drive that it shows to have begun, or `nil`. They begin with the
    ///   last one that stood: idling before it is not driving.
    mutating func take(
        _ next: Entry,
        rules: TrackingRules,
        intervals: inout GapLimit
    ) -> ArraySlice<Entry>? {
        let now = next.fix.occurredAt
        if let latestAt {
            guard now > latestAt else { return nil }
            intervals.record(now.milliseconds(since: latestAt))
        }
        latestAt = now
        // One and a half median intervals, if the source is so slow.
        let span = max(rules.startWindowMilliseconds, (intervals.twiceMedian ?? 0) * 3 / 4)
        let first = entries.firstIndex { now.milliseconds(since: $0.fix.occurredAt) <= span }
        let past = first ?? entries.count
        if past > 0 { origin = entries[past - 1].fix.coordinate }
        entries.removeFirst(past)
        if let first = departure.first {
            let limit = max(Self.longestConfirmation, 2 * span)
            if now.milliseconds(since: departure[departure.count - 1].fix.occurredAt) <= limit,
                metric.distance(from: first.fix.coordinate, to: next.fix.coordinate)
                    >= rules.startDisplacement
            {
                return departure[...] + [next]
            }
            departure = []
        }
        if let far = entries.lastIndex(where: { isDrive(from: $0.fix, to: next.fix, rules) }) {
            let start = beginning(before: far, rules: rules)
            departedFrom = start > 0 ? entries[start - 1].fix.coordinate : origin
            departure = entries[start...] + [next]
            // The outlier must not begin a drive back to where the source has been all the time.
            return nil
        }
        let latest = entries.last?.fix.occurredAt
        if latest.map({ now.milliseconds(since: $0) >= span / Self.parts }) ?? true {
            entries.append(next)
        }
        return nil
    }

    /// Returns where the movement began that had come to the fix at `index`.
    private mutating func beginning(before index: Int, rules: TrackingRules) -> Int {
        var index = index
        while index > 0, !stands(at: entries[index].fix, after: entries[index - 1].fix, rules) {
            index -= 1
        }
        return min(index, edgeOfStay)
    }

    /// The last of the fixes that lie where the oldest does, if that one stands: a short stop after
    /// leaving is part of the drive.
    private var edgeOfStay: Int {
        guard entries.count > 1 else { return 0 }
        var metric = metric
        let first = entries[0].fix.coordinate
        var index = 0
        while index + 1 < entries.count,
            metric.geodesicMeters(from: first, to: entries[index + 1].fix.coordinate)
                <= Self.stayMeters
        { index += 1 }
        return index > 0 ? index : entries.count
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
    /// Writes the window.
    ///
    /// - Parameters:
    ///   - writer: receives the bytes.
    ///   - intervals: the latest intervals between usable fixes while there is no trip.
    func write(to writer: inout RowEncoder, intervals: GapLimit) {
        for fixes in [entries, departure] {
            writer.write(UInt64(fixes.count))
            for entry in fixes {
                entry.write(to: &writer)
            }
        }
        intervals.write(to: &writer)
        writer.write(latestAt) { $0.write($1) }
        writer.write(origin) { $0.write($1) }
        writer.write(departedFrom) { $0.write($1) }
    }

    /// Reads a window.
    ///
    /// - Parameters:
    ///   - reader: stands before it.
    ///   - intervals: receives the latest intervals between usable fixes while there is no trip.
    /// - Throws: why the bytes are not one.
    init(
        from reader: inout RowDecoder,
        intervals: inout GapLimit
    ) throws(RowCodingError) {
        var fixes: [[Entry]] = [[], []]
        for index in fixes.indices {
            for _ in 0..<(try reader.readUInt64()) {
                fixes[index].append(try Entry(from: &reader))
            }
        }
        intervals = try GapLimit(from: &reader)
        self.init(
            entries: fixes[0],
            departure: fixes[1],
            latestAt: try reader.readOptionalTimestamp(),
            origin: try reader.readBool() ? try reader.readCoordinate() : nil,
            departedFrom: try reader.readBool() ? try reader.readCoordinate() : nil
        )
    }
}

extension StartWindow.Entry {
    func write(to writer: inout RowEncoder) {
        writer.write(fix)
        writer.write(recordedAt)
        writer.write(position)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            fix: try reader.readFix(),
            recordedAt: try reader.readTimestamp(),
            position: try reader.readUInt64()
        )
    }
}
