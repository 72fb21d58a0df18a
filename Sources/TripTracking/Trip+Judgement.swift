import Geodesy

extension Trip {
    /// Adds what follows from one fix.
    @inline(__always)
    mutating func add(_ judgement: Judgement) {
        fixes[judgement.verdict] += 1
        if judgement.verdict == .accepted {
            distance += judgement.added
            movingMilliseconds += judgement.elapsedMilliseconds
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                judgement.speedMetersPerSecond
            )
        } else if judgement.verdict == .afterGap {
            gaps.count += 1
            gaps.milliseconds += judgement.elapsedMilliseconds
            gaps.distance += judgement.gap
        }
    }
}
