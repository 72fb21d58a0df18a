package import CivilTime
import Proofs
import TripEvents

/// The times at which the most recent request bodies were first received.
///
/// An app that gets no answer sends the same again. If what it sends has no time of its own, the
/// time of receipt is that of the fix, and must be the same then.
package struct RecentBodies: Sendable {
    /// The time for which the same body means the same, in milliseconds.
    private static let lastingMilliseconds: Int64 = 5_000

    /// Longer bodies are lists, whose positions have times.
    private static let mostBytes = 4_096

    /// The most bodies that are known of one token.
    private static let mostBodies = 32

    private struct Body {
        let door: String
        let digest: Digest
        let receivedAt: Timestamp
    }

    /// The bodies by the names of their tokens, so that no token pushes out the bodies of another.
    private var bodies: [NameKey: [Body]] = [:]

    /// Knows no bodies yet.
    package init() {}

    /// Returns when a body was received: now, or when the same one came a moment ago.
    ///
    /// - Parameters:
    ///   - content: The body.
    ///   - token: The name of the token that delivers it.
    ///   - door: The door at which it does.
    ///   - now: The present.
    /// - Returns: The time of receipt.
    package mutating func receipt(
        of content: [UInt8],
        from token: String,
        at door: String,
        now: Timestamp
    ) -> Timestamp {
        guard content.count <= Self.mostBytes else { return now }
        // Only a digest is kept, because it stays until the token delivers again.
        let digest = SHA256.digest(content.span)
        var own = bodies[NameKey(token), default: []]
        own.removeAll {
            !(0...Self.lastingMilliseconds ~= now.milliseconds(since: $0.receivedAt))
        }
        defer { bodies[NameKey(token)] = own }
        if let same = own.first(where: { $0.digest == digest && $0.door == door }) {
            return same.receivedAt
        }
        if own.count == Self.mostBodies { own.removeFirst() }
        own.append(Body(door: door, digest: digest, receivedAt: now))
        return now
    }
}
