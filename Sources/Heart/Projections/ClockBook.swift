import Geodesy
package import RowCoding
public import TripEvents
package import TripTracking

/// What people said about clocks that were wrong.
public struct ClockBook: Hashable, Sendable {
    private struct Saying: Hashable, Sendable {
        let order: EventOrder
        let from: Timestamp
        let to: Timestamp
        let milliseconds: Int64

        /// The group of the source by which it was said, the only one that it concerns; `nil` for
        /// all, if it was the owner's.
        let group: String?
    }

    /// What was said of each source, by the bytes of its name.
    private var sayings: [[UInt8]: [Saying]] = [:]

    /// Creates the book from decisions in any order; only those about clocks count.
    public init(_ decisions: [Decision] = []) {
        for decision in decisions { add(decision) }
    }

    /// The names of the sources about which something was said, in no order.
    package var sources: [String] { sayings.keys.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether nothing was said.
    public var isEmpty: Bool { sayings.isEmpty }

    /// Takes another decision, and returns the source that it is about; `nil` if it is about no
    /// clock.
    @discardableResult
    package mutating func add(_ decision: Decision) -> String? {
        guard case .clockShifted(let shift) = decision.event.body,
            let milliseconds = shift.byMilliseconds
        else { return nil }
        let saying = Saying(
            order: decision.order,
            from: shift.from.timestamp,
            to: shift.to.timestamp,
            milliseconds: milliseconds,
            group: decision.group
        )
        sayings[Array(shift.appliesTo.utf8), default: []].append(saying)
        return shift.appliesTo
    }

    /// Returns how the clock of a source was wrong: at each instant what was said of it last, by
    /// sources of its group or of the ledger's owner.
    public func shifts(ofSource name: String, in group: String?) -> ClockShifts {
        guard !sayings.isEmpty, let sayings = sayings[Array(name.utf8)] else {
            return ClockShifts()
        }
        let said = sayings.filter { $0.group == nil || $0.group.hasSameBytes(as: group) }
        let edges = Set(said.flatMap { [$0.from, $0.to] }).sorted()
        var shifts = Array(repeating: Int64?.none, count: edges.count)
        // Each stretch between two edges is set once: `next` skips those that are set already.
        var next = Array(0...edges.count)
        for saying in said.sorted(by: { $1.order < $0.order }) {
            var index = Self.open(Self.index(of: saying.from, in: edges), &next)
            while index < edges.count, edges[index] < saying.to {
                shifts[index] = saying.milliseconds
                next[index] = index + 1
                index = Self.open(index, &next)
            }
        }
        let stretches = edges.indices.compactMap { index -> ClockShifts.Stretch? in
            guard let shift = shifts[index] else { return nil }
            return ClockShifts.Stretch(
                from: edges[index],
                to: edges[index + 1],
                milliseconds: shift
            )
        }
        return ClockShifts(stretches)
    }

    /// Returns the first stretch from one on that is not known yet.
    private static func open(_ index: Int, _ next: inout [Int]) -> Int {
        var end = index
        while next[end] != end { end = next[end] }
        var step = index
        while step != end { (step, next[step]) = (next[step], end) }
        return end
    }

    private static func index(of instant: Timestamp, in edges: [Timestamp]) -> Int {
        var range = edges.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if edges[middle] < instant {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

/// How the clock of one source was wrong, so that its events count as having happened at other
/// times than it said.
public struct ClockShifts: Hashable, Sendable {
    /// A range of times by the source's clock, and how wrong the clock was in it, as a person said.
    public struct Stretch: Hashable, Sendable {
        /// The first of them.
        public let from: Timestamp

        /// The first time after them.
        public let to: Timestamp

        /// The time by which the clock was behind, in milliseconds; negative if it was ahead, and
        /// nothing if it was right.
        public let milliseconds: Int64
    }

    /// In order of time; stretches that touch and have the same shift are joined.
    public let stretches: [Stretch]

    /// A clock that was right.
    public init() {
        stretches = []
    }

    /// Creates shifts from stretches in order of time, none of which overlap.
    init(_ stretches: [Stretch]) {
        var joined: [Stretch] = []
        for stretch in stretches {
            if let last = joined.last, last.to == stretch.from,
                last.milliseconds == stretch.milliseconds
            {
                joined[joined.count - 1] = Stretch(
                    from: last.from,
                    to: stretch.to,
                    milliseconds: stretch.milliseconds
                )
            } else {
                joined.append(stretch)
            }
        }
        self.stretches = joined
    }

    /// Whether the clock was right all the time.
    public var isEmpty: Bool { stretches.allSatisfy { $0.milliseconds == 0 } }

    /// Returns whether a person has said how wrong the clock was when it showed a time.
    package func tell(of reported: Timestamp) -> Bool { stretch(of: reported) != nil }

    /// Returns when an event counts as having happened.
    ///
    /// - Parameter reported: When it happened by the clock of the source.
    /// - Returns: The same time, or the time as corrected by a person's statement.
    public func time(of reported: Timestamp) -> Timestamp {
        guard let stretch = stretch(of: reported) else { return reported }
        let time = reported.advanced(byMilliseconds: stretch.milliseconds)
        return min(max(time, RFC3339.writable.lowerBound), RFC3339.writable.upperBound)
    }

    private func stretch(of reported: Timestamp) -> Stretch? {
        var range = stretches.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stretches[middle].to <= reported {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        guard range.lowerBound < stretches.endIndex else { return nil }
        let stretch = stretches[range.lowerBound]
        return stretch.from <= reported ? stretch : nil
    }

    /// Returns the earliest time that a source's clock can have shown for an event that counts as
    /// having happened at an instant or later.
    public func earliestReported(from instant: Timestamp) -> Timestamp {
        let most = stretches.reduce(0) { max($0, $1.milliseconds) }
        return instant.milliseconds < .min + most
            ? instant : instant.advanced(byMilliseconds: -most)
    }

    /// Returns the latest time that a source's clock can have shown for an event that counts as
    /// having happened at an instant or earlier.
    public func latestReported(until instant: Timestamp) -> Timestamp {
        let least = stretches.reduce(0) { min($0, $1.milliseconds) }
        return instant.milliseconds > .max + least
            ? instant : instant.advanced(byMilliseconds: -least)
    }

    /// The earliest time to which or from which an event is shifted; `nil` if none is.
    public var earliestEffect: Timestamp? {
        stretches.map { $0.from.advanced(byMilliseconds: min(0, $0.milliseconds)) }.min()
    }
}

extension ClockShifts {
    /// Writes the shifts.
    package func write(to writer: inout RowEncoder) {
        writer.write(UInt64(stretches.count))
        for stretch in stretches {
            writer.write(stretch.from)
            writer.write(stretch.to)
            writer.write(stretch.milliseconds)
        }
    }

    /// Reads shifts.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        var stretches: [Stretch] = []
        for _ in 0..<(try reader.readAmount()) {
            let from = try reader.readTimestamp()
            let to = try reader.readTimestamp()
            stretches.append(
                Stretch(from: from, to: to, milliseconds: try reader.readInt64())
            )
        }
        self.stretches = stretches
    }
}

/// Notices that the clock of a source goes back while the source goes on, fix by fix as they
/// arrive.
///
/// Old fixes that are sent late look nearly the same. The sender's counter tells the two apart: it
/// continues only where the clock was changed. Without a counter, the clock was changed if the
/// source was driving and could have reached the next fix.
package struct ArrivalClock: Hashable, Sendable {
    /// The least step back that matters, in milliseconds.
    private static let leastStep: Int64 = 60_000

    /// The farthest that clocks in different zones can be apart, in milliseconds: 26 hours.
    private static let mostStep: Int64 = 93_600_000

    /// The longest time between two arrivals whose fixes are still compared, in milliseconds.
    private static let mostWait: Int64 = 600_000

    /// The speed below which a source may be standing, in metres per second.
    private static let drivingSpeed = 3.0

    /// The highest speed of a driving source, in metres per second.
    private static let mostSpeed = 60.0

    /// A fix as it arrived.
    fileprivate struct Arrival: Hashable, Sendable {
        var at: Timestamp
        var coordinate: Coordinate
        var recordedAt: Timestamp
        var sequence: UInt64?
    }

    /// The fix that arrived last.
    private var last: Arrival?

    /// The fix that arrived before it, if its time is the earlier one.
    private var previous: Arrival?

    /// The last time that the clock went back; `nil` if it never did.
    package private(set) var step: ClockStep?

    /// Creates the clock of a source from which no fix has arrived.
    package init() {}

    /// Takes a fix as it arrives.
    package mutating func take(_ recorded: RecordedFix, sequence: UInt64?) {
        let next = Arrival(
            at: recorded.fix.occurredAt,
            coordinate: recorded.fix.coordinate,
            recordedAt: recorded.recordedAt,
            sequence: sequence
        )
        if let last {
            if next.at > last.at {
                previous = last
            } else if next.at < last.at {
                if goesBack(from: last, to: next) {
                    let interval = previous.map { last.at.milliseconds(since: $0.at) } ?? 0
                    step = ClockStep(from: last.at, to: next.at, intervalMilliseconds: interval)
                }
                previous = nil
            }
        }
        last = next
        step?.take(next.at)
    }

    /// Takes fixes that arrived one after the other, each later than the one before it.
    package mutating func take(_ fixes: Span<RecordedFix>, sequences: ArraySlice<UInt64>?) {
        guard fixes.count > 0 else { return }
        let first = sequences?.startIndex ?? 0
        take(fixes[0], sequence: sequences?[first])
        // If the clock is right, only the last two fixes matter for those to come.
        let isWatched = step.map { !$0.isOver } ?? false
        var index = isWatched ? 1 : max(1, fixes.count - 2)
        while index < fixes.count {
            take(fixes[index], sequence: sequences?[first + index])
            index += 1
        }
    }

    private func goesBack(from last: Arrival, to next: Arrival) -> Bool {
        let back = last.at.milliseconds(since: next.at)
        guard back > Self.leastStep else { return false }
        if let old = last.sequence, let new = next.sequence { return new > old }
        guard back <= Self.mostStep, let previous,
            abs(next.recordedAt.milliseconds(since: last.recordedAt))
                <= Self.mostWait
        else { return false }
        let interval = last.at.milliseconds(since: previous.at)
        guard interval <= Self.mostWait else { return false }
        let seconds = Double(interval) / 1_000
        return Self.meters(from: previous, to: last) >= Self.drivingSpeed * seconds
            && Self.meters(from: last, to: next) <= Self.mostSpeed * 2 * seconds
    }

    private static func meters(from: Arrival, to: Arrival) -> Double {
        Double(from.coordinate.distance(to: to.coordinate).millimeters) / 1_000
    }
}

/// A time when the clock of a source went back.
public struct ClockStep: Hashable, Sendable {
    /// The last time before the clock went back, as the clock showed it.
    public let from: Timestamp

    /// The first time after the clock went back, as the clock showed it.
    public let to: Timestamp

    /// How long the source had waited between its last two fixes before, in milliseconds; 0 if that
    /// is not known.
    public let intervalMilliseconds: Int64

    /// The latest time since then that is still by the set-back clock.
    public private(set) var until: Timestamp

    /// How many fixes have come with times of the set-back clock.
    public private(set) var fixes: Int64 = 0

    /// Whether the clock has gone forward again, or fixes of another time have come.
    private(set) var isOver = false

    init(from: Timestamp, to: Timestamp, intervalMilliseconds: Int64) {
        self.from = from
        self.to = to
        self.intervalMilliseconds = intervalMilliseconds
        until = to
    }

    /// The time by which the clock went back, in milliseconds: whole quarters of an hour if the
    /// times allow that, because a wrong zone or summer time shifts a clock by such a step.
    public var milliseconds: Int64 {
        let back = from.milliseconds(since: to) + intervalMilliseconds
        let quarter: Int64 = 900_000
        let rounded = (back + quarter / 2).flooredQuotient(by: quarter) * quarter
        let isClose = abs(rounded - back) <= max(intervalMilliseconds, 60_000)
        return isClose && rounded > 0 ? rounded : back
    }

    /// Takes the time of the next fix by the clock.
    mutating func take(_ time: Timestamp) {
        guard !isOver else { return }
        let gone = time.milliseconds(since: until)
        // A jump forward by half of the step back is a change of the clock, not a wait.
        guard gone >= 0, gone < from.milliseconds(since: to) / 2 || time <= from else {
            isOver = true
            return
        }
        until = time
        fixes += 1
    }
}

extension ArrivalClock {
    /// Writes the clock.
    package func write(to writer: inout RowEncoder) {
        writer.write(last) { $1.write(to: &$0) }
        writer.write(previous) { $1.write(to: &$0) }
        writer.write(step) { $1.write(to: &$0) }
    }

    /// Reads a clock.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        last = try reader.readOptional(Arrival.init(from:))
        previous = try reader.readOptional(Arrival.init(from:))
        step = try reader.readOptional(ClockStep.init(from:))
    }
}

extension ArrivalClock.Arrival {
    fileprivate func write(to writer: inout RowEncoder) {
        writer.write(at)
        writer.write(coordinate)
        writer.write(recordedAt)
        writer.write(sequence) { $0.write($1) }
    }

    fileprivate init(from reader: inout RowDecoder) throws(RowCodingError) {
        at = try reader.readTimestamp()
        coordinate = try reader.readCoordinate()
        recordedAt = try reader.readTimestamp()
        sequence = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readUInt64()
        }
    }
}

extension ClockStep {
    fileprivate func write(to writer: inout RowEncoder) {
        writer.write(from)
        writer.write(to)
        writer.write(intervalMilliseconds)
        writer.write(until)
        writer.write(fixes)
        writer.write(isOver)
    }

    fileprivate init(from reader: inout RowDecoder) throws(RowCodingError) {
        from = try reader.readTimestamp()
        to = try reader.readTimestamp()
        intervalMilliseconds = try reader.readAmount()
        until = try reader.readTimestamp()
        fixes = try reader.readAmount()
        isOver = try reader.readBool()
    }
}
