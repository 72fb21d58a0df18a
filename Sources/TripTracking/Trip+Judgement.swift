import Geodesy

extension Trip {
    /// Adds what follows from one fix.
    @inline(__always)
    mutating func add(_ judgement: Judgement) {
        fixes[judgement.verdict] += 1
        distance += judgement.added
        if judgement.verdict == .afterGap {
            gaps.count += 1
            gaps.milliseconds += judgement.gapMilliseconds
            gaps.distance += judgement.gap
        }
    }
}
