package import RowCoding
public import TripEvents

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
        // Each stretch between two edges is asked for once: `next` leads over those that are known.
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

    /// In order of time; none touches one that is as much behind.
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
    /// - Returns: The same, or the time that a person's word makes of it.
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
