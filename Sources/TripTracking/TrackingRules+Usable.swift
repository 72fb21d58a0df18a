public import TripEvents

extension TrackingRules {
    /// Returns whether a fix is usable by itself: it is not made up, has a position, and is as
    /// accurate as the rules demand (rules 1 and 2).
    @inline(__always)
    public func canUse(_ fix: Fix) -> Bool {
        FixFilter.flaw(of: fix, rules: self) == nil
    }
}
