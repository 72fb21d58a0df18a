import Geodesy

extension Trip {
    /// Adds what follows from one fix.
    @inline(__always)
    mutating func add(_ judgement: Judgement) {
        fixes[judgement.verdict] += 1
        switch judgement.verdict {
        case .accepted:
            distance += judgement.added
            movingMilliseconds += judgement.elapsedMilliseconds
            maximumSpeedMetersPerSecond = max(
                maximumSpeedMetersPerSecond,
                judgement.speedMetersPerSecond
            )
        case .afterGap:
            gaps.count += 1
            gaps.milliseconds += judgement.elapsedMilliseconds
            gaps.distance += judgement.gap
        case .jitter, .poorAccuracy, .stale, .impossibleSpeed, .nullCoordinate, .mock:
            break
        }
    }
}
