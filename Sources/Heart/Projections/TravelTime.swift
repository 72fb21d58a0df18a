public import TripEvents
import TripTracking

/// When a trip was under way: from its start to its end, but not in the pauses between the parts of
/// a merged one.
public struct TravelTime: Hashable, Sendable {
    /// When it started.
    public let startedAt: Timestamp

    /// When it ended.
    public let endedAt: Timestamp

    /// The pauses, in order of time: nearly always none.
    public let pauses: [Range<Timestamp>]

    /// Creates the time of a trip.
    ///
    /// - Parameters:
    ///   - start: When it started.
    ///   - end: When it ended.
    ///   - pauses: When it was not under way, in order of time; all are between both.
    public init(from start: Timestamp, to end: Timestamp, without pauses: [Range<Timestamp>]) {
        startedAt = start
        endedAt = end
        self.pauses = pauses
    }

    /// Returns the times when none of some trips was under way, given in order of their starts.
    static func pauses(between trips: [Trip]) -> [Range<Timestamp>] {
        zip(trips, trips.dropFirst())
            .compactMap { earlier, later in
                let from = (earlier.endedAt ?? earlier.startedAt).timestamp
                let to = later.startedAt.timestamp
                return from < to ? from..<to : nil
            }
    }

    /// How long it was under way, in milliseconds.
    public var milliseconds: Int64 {
        pauses.reduce(endedAt.milliseconds(since: startedAt)) { $0 - $1.milliseconds }
    }

    /// When it was under way without a pause, in order of time.
    private var legs: [Range<Timestamp>] {
        let starts = [startedAt] + pauses.map(\.upperBound)
        let ends = pauses.map(\.lowerBound) + [endedAt]
        return zip(starts, ends).compactMap { $0 < $1 ? $0..<$1 : nil }
    }

    /// Returns whether it was under way together with another trip.
    public func overlaps(_ other: TravelTime) -> Bool {
        let (first, last) = (max(startedAt, other.startedAt), min(endedAt, other.endedAt))
        guard first < last, !pauses.isEmpty || !other.pauses.isEmpty else { return first < last }
        return milliseconds(in: other.legs) > 0
    }

    /// Returns how long it was under way together with another trip, in milliseconds.
    public func milliseconds(with other: TravelTime) -> Int64 {
        let first = max(startedAt, other.startedAt)
        let last = min(endedAt, other.endedAt)
        guard first < last else { return 0 }
        // Fast path: few trips are merged.
        guard !pauses.isEmpty || !other.pauses.isEmpty else {
            return last.milliseconds(since: first)
        }
        return milliseconds(in: other.legs)
    }

    /// Returns how long it was under way together with one or more of several trips, in
    /// milliseconds.
    public func milliseconds(withAnyOf others: [TravelTime]) -> Int64 {
        var joined: [Range<Timestamp>] = []
        for leg in others.flatMap(\.legs).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, leg.lowerBound <= last.upperBound {
                let end = max(last.upperBound, leg.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(leg)
            }
        }
        return milliseconds(in: joined)
    }

    /// Returns how long it was under way within spans that are in order of time and do not overlap.
    private func milliseconds(in spans: [Range<Timestamp>]) -> Int64 {
        let legs = legs
        var (leg, span) = (0, 0)
        var milliseconds: Int64 = 0
        while leg < legs.count, span < spans.count {
            milliseconds += legs[leg].clamped(to: spans[span]).milliseconds
            if legs[leg].upperBound < spans[span].upperBound { leg += 1 } else { span += 1 }
        }
        return milliseconds
    }
}

extension Range<Timestamp> {
    /// From its lower bound to its upper bound, in milliseconds.
    fileprivate var milliseconds: Int64 { upperBound.milliseconds(since: lowerBound) }
}
