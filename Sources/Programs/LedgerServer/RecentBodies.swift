import Synchronization
import TripEvents

/// When the bodies that came last were received first.
///
/// An app that gets no answer sends the same again. If what it sends has no time of its own, the
/// time of receipt is that of the fix, and must be the same then.
final class RecentBodies: Sendable {
    /// The time for which the same body means the same, in milliseconds.
    private static let lastingMilliseconds: Int64 = 5_000

    /// Longer bodies are lists, whose positions have times.
    private static let mostBytes = 4_096

    /// The most bodies that are kept.
    private static let mostBodies = 256

    private struct Body {
        let token: String
        let door: String
        let content: [UInt8]
        let receivedAt: Timestamp
    }

    private let bodies = Mutex<[Body]>([])

    /// Returns when a body was received: now, or when the same one came a moment ago.
    func receipt(
        of content: [UInt8],
        from token: String,
        at door: String,
        now: Timestamp
    ) -> Timestamp {
        guard content.count <= Self.mostBytes else { return now }
        return bodies.withLock { bodies in
            bodies.removeAll {
                !(0...Self.lastingMilliseconds ~= now.milliseconds(since: $0.receivedAt))
            }
            let same = bodies.first {
                $0.content == content && $0.door == door && $0.token.hasSameBytes(as: token)
            }
            if let same { return same.receivedAt }
            if bodies.count == Self.mostBodies { bodies.removeFirst() }
            bodies.append(Body(token: token, door: door, content: content, receivedAt: now))
            return now
        }
    }
}
