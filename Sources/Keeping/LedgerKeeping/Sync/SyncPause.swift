/// How long to wait before repeating a request that had no answer, or whose answer may be better
/// later.
package enum SyncPause {
    /// The most seconds, whatever the other side asks for: a program that waits longer looks like
    /// one that hangs, and the next exchange goes on from here.
    package static let mostSeconds = 60

    /// Returns how long to wait.
    ///
    /// - Parameters:
    ///   - tries: How often the request was sent.
    ///   - seconds: How many seconds the other side asks for, any number; 0 if it does not say.
    ///   - random: Where chance comes from, so that many that were cut off together do not come
    ///     back together.
    /// - Returns: Milliseconds, at most ``mostSeconds``.
    package static func milliseconds(
        afterTries tries: Int,
        askedFor seconds: Int,
        using random: inout some RandomNumberGenerator
    ) -> UInt32 {
        let longest = min(mostSeconds, 1 << max(0, min(tries, 6))) * 1_000
        let asked = max(0, min(seconds, mostSeconds)) * 1_000
        return UInt32(max(asked, Int.random(in: 0...longest, using: &random)))
    }
}
