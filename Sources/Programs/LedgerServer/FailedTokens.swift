import Synchronization

/// Counts the tokens that were of no use, by the address that they came from.
///
/// Addresses are never shut out: one that tries too many waits for each further answer. The owner
/// who has mistyped one is let in with the right one at once.
final class FailedTokens: Sendable {
    /// How long the answer to a further one takes.
    static let delay = Duration.seconds(1)

    /// How many are answered at once in ``window``.
    private static let mostAtOnce = 20

    /// The time in which they are counted.
    private static let window = Duration.seconds(60)

    /// The most addresses that are counted apart, so that they do not fill the memory.
    private static let mostAddresses = 1_024

    private struct Count {
        let start: ContinuousClock.Instant
        var tokens = 0
    }

    private let counts = Mutex<[String: Count]>([:])

    /// Notes one more, and says whether its answer is to be delayed.
    ///
    /// - Parameters:
    ///   - address: Where it came from.
    ///   - now: The present.
    /// - Returns: Whether more came from there than are answered at once.
    func isTooMany(from address: String, at now: ContinuousClock.Instant) -> Bool {
        counts.withLock { counts in
            if counts[address] == nil, counts.count >= Self.mostAddresses {
                counts = counts.filter { now - $0.value.start < Self.window }
            }
            // If even so there is no room, the rest is counted as one.
            let isKnown = counts[address] != nil || counts.count < Self.mostAddresses
            let key = isKnown ? address : ""
            var count = counts[key] ?? Count(start: now)
            if now - count.start >= Self.window { count = Count(start: now) }
            count.tokens += 1
            counts[key] = count
            return count.tokens > Self.mostAtOnce
        }
    }
}
