/// The time limits for the body of a request: a body that arrives too slowly, or never ends, holds
/// a connection and memory that other requests may need.
///
/// It may start late, but must then arrive at a rate that every network reaches, without long
/// pauses, and within a maximum time.
package struct BodyPace: Sendable {
    /// How long all of it may take, if nothing else is said.
    package static let longest = Duration.seconds(60)

    /// How long it may take besides the time that its bytes need, and how long it may pause.
    package static let patience = Duration.seconds(15)

    /// The fewest bytes a second that a usable network carries.
    package static let leastBytesPerSecond = 1_024

    private let start: ContinuousClock.Instant
    private let longest: Duration
    private var latest: ContinuousClock.Instant
    private var byteCount = 0

    /// Begins with the head of a request, or with the answer to the one before it.
    ///
    /// - Parameters:
    ///   - start: When that was.
    ///   - longest: How long all of it may take, in whole seconds.
    package init(
        from start: ContinuousClock.Instant,
        lastingUpTo longest: Duration = BodyPace.longest
    ) {
        self.start = start
        self.longest = longest
        latest = start
    }

    /// Notes that bytes have come.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - now: When.
    package mutating func note(_ count: Int, at now: ContinuousClock.Instant) {
        byteCount += count
        // A part without bytes is no progress.
        if count > 0 { latest = now }
    }

    /// When it will have taken too long, unless more bytes come.
    package var end: ContinuousClock.Instant {
        // No more than the longest time, so that no product overflows.
        let most = Int(clamping: longest.components.seconds)
        let seconds = min(byteCount / Self.leastBytesPerSecond, most)
        let paced = min(longest, Self.patience + .seconds(seconds))
        return min(start + paced, latest + Self.patience)
    }
}
