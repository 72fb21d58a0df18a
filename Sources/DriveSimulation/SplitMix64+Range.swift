extension SplitMix64 {
    /// Returns a number in `range`, the same in every version of the standard library.
    ///
    /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019),
    /// without its last step: the ranges here are so small that the bias cannot be seen.
    mutating func integer(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound + 1)
        return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
    }
}
