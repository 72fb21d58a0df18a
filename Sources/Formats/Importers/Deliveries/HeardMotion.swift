package import TripEvents

/// The latest message of an app about the motion of its device.
///
/// Apps repeat the state with each message. A repeated event would mean that driving was noticed
/// anew, which begins a trip: after STOP that would be the trip that was just ended. So the state
/// becomes an event again only after a time without a report, when no one can say what happened in
/// between.
package struct HeardMotion: Hashable, Sendable {
    /// How long a state is taken to last without a further report.
    private static let lastingMilliseconds: Int64 = 300_000

    /// The state.
    package let state: MotionState

    /// When it was reported last.
    package let at: Timestamp

    /// Creates a report.
    package init(state: MotionState, at: Timestamp) {
        self.state = state
        self.at = at
    }

    /// How far the clock of a device may be ahead, in milliseconds.
    private static let mostAhead: Int64 = 60_000

    /// Returns the one of two reports that counts: the later one, unless it is from the future:
    /// such a report would count until its time has come.
    ///
    /// - Parameters:
    ///   - other: The other report.
    ///   - now: The present.
    /// - Returns: One of both.
    package func latest(beside other: HeardMotion, now: Timestamp) -> HeardMotion {
        let limit = now.advanced(byMilliseconds: Self.mostAhead)
        guard (at > limit) == (other.at > limit) else { return at > limit ? other : self }
        return at > other.at ? self : other
    }

    /// Whether a report adds nothing new: the same state, soon after.
    func goesOn(as state: MotionState, at instant: Timestamp) -> Bool {
        self.state == state
            && 0...Self.lastingMilliseconds ~= instant.milliseconds(since: at)
    }
}
