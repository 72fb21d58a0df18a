import Geodesy
import TripEvents
package import TripTracking

extension Trip {
    /// Creates the trip that is made of several, given in order of their starts: the first one's
    /// id and start, the last one's end, and everything measured together.
    ///
    /// The way between two parts was not measured and is a gap. The sampling interval is that of
    /// the part that was sampled most sparsely: the merged distance is no better than its worst.
    package init(merging first: Trip, with others: [Trip]) {
        self = first
        var last = first
        for part in others {
            addGap(from: last, to: part)
            distance += part.distance
            gaps.count += part.gaps.count
            gaps.milliseconds += part.gaps.milliseconds
            gaps.distance += part.gaps.distance
            for verdict in Verdict.allCases {
                fixes[verdict] += part.fixes[verdict]
            }
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                part.maximumSpeedMetersPerSecond
            )
            movingMilliseconds += part.movingMilliseconds
            if let sampling = part.samplingMilliseconds {
                samplingMilliseconds = max(samplingMilliseconds ?? 0, sampling)
            }
            flags.formUnion(part.flags)
            vehicle = vehicle ?? part.vehicle
            start = start ?? part.start
            recorded.firstAt = min(recorded.firstAt, part.recorded.firstAt)
            recorded.lastAt = max(recorded.lastAt, part.recorded.lastAt)
            if part.endsAfter(last) { last = part }
        }
        endedAt = last.endedAt
        endedBy = last.endedBy
        end = last.end ?? end
        let statuses = [first.status] + others.map(\.status)
        status =
            statuses.contains(.active)
            ? .active : statuses.contains(.completed) ? .completed : .abandoned
        abandonReason = status == .abandoned ? abandonReason : nil
    }

    private mutating func addGap(from earlier: Trip, to later: Trip) {
        guard let endedAt = earlier.endedAt else { return }
        let milliseconds = later.startedAt.timestamp.milliseconds(since: endedAt.timestamp)
        guard milliseconds > 0 else { return }
        gaps.count += 1
        gaps.milliseconds += milliseconds
        if let end = earlier.end, let start = later.start {
            gaps.distance += end.distance(to: start)
        }
    }

    private func endsAfter(_ other: Trip) -> Bool {
        guard let otherEnd = other.endedAt else { return false }
        guard let endedAt else { return true }
        return endedAt.timestamp >= otherEnd.timestamp
    }
}
