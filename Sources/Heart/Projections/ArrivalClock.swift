import Geodesy
package import RowCoding
public import TripEvents
package import TripTracking

/// Notices that the clock of a source goes back while the source goes on, fix by fix as they
/// arrive.
///
/// Old fixes that are sent late look nearly the same. What tells both apart is the sender's
/// counter, which goes on only where the clock was changed; without one, that the source was
/// driving, and that the next fix lies where it could drive to.
package struct ArrivalClock: Hashable, Sendable {
    /// A clock that is set back by less, in milliseconds, does nothing that matters.
    private static let leastStep: Int64 = 60_000

    /// The farthest that clocks in different zones can be apart, in milliseconds: 26 hours.
    private static let mostStep: Int64 = 93_600_000

    /// Fixes that arrive farther apart, in milliseconds, tell nothing of each other.
    private static let mostWait: Int64 = 600_000

    /// Slower than this, in metres per second, a source may as well stand.
    private static let drivingSpeed = 3.0

    /// Faster than this, in metres per second, nothing drives.
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

    /// The one before, if it is the earlier of both.
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
    /// The last time before, by the clock.
    public let from: Timestamp

    /// The first time after.
    public let to: Timestamp

    /// How long the source had waited between its last two fixes before, in milliseconds; 0 if that
    /// is not known.
    public let intervalMilliseconds: Int64

    /// The latest time since that is still by the clock that went back.
    public private(set) var until: Timestamp

    /// How many fixes have come by that clock.
    public private(set) var fixes: Int64 = 0

    /// Whether the clock has gone forward again, or fixes of another time have come.
    private(set) var isOver = false

    init(from: Timestamp, to: Timestamp, intervalMilliseconds: Int64) {
        self.from = from
        self.to = to
        self.intervalMilliseconds = intervalMilliseconds
        until = to
    }

    /// The time by which the clock went back, in milliseconds: a whole number of quarters of an
    /// hour if it can have been one, as it is where a zone or summer time was at fault.
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
        // Half of the way back is a change of the clock and no wait.
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
