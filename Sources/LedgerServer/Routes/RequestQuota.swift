import HTTPTypes
import JSONText
import Synchronization

/// How often a token may ask in a minute: reads and writes are counted apart, so that one who reads
/// years of changes can still say something.
///
/// A request that is refused counts for nothing, so that one who keeps asking is not kept out.
final class RequestQuota: Sendable {
    /// What is counted.
    enum Kind: Hashable, Sendable {
        case reads
        case writes

        /// How many there may be in a minute.
        var most: Int {
            switch self {
            case .reads: 600
            case .writes: 300
            }
        }
    }

    private static let window = Duration.seconds(60)

    private struct Name: Hashable {
        var token: String
        var kind: Kind
    }

    private struct Count: Sendable {
        var since: ContinuousClock.Instant
        var requests: Int
    }

    private let counts = Mutex<[Name: Count]>([:])

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - token: The name of the token.
    ///   - kind: What kind of request it is.
    ///   - now: The present.
    /// - Throws: `Problem` if there were too many.
    func take(
        _ token: String,
        _ kind: Kind,
        at now: ContinuousClock.Instant
    ) throws(Problem) {
        let wait = counts.withLock { counts -> Duration? in
            let name = Name(token: token, kind: kind)
            var count = counts[name] ?? Count(since: now, requests: 0)
            if now - count.since >= Self.window { count = Count(since: now, requests: 0) }
            guard count.requests < kind.most else { return Self.window - (now - count.since) }
            count.requests += 1
            counts[name] = count
            return nil
        }
        if let wait { throw .tooMany(kind, retryAfter: max(1, wait.components.seconds + 1)) }
    }
}

extension Problem {
    /// A token has asked too often.
    fileprivate static func tooMany(_ kind: RequestQuota.Kind, retryAfter: Int64) -> Problem {
        var headers: HTTPFields = [.retryAfter: "\(retryAfter)"]
        let fields = [
            ("RateLimit-Policy", #""\#(kind)";q=\#(kind.most);w=60"#),
            ("RateLimit", #""\#(kind)";r=0;t=\#(retryAfter)"#),
        ]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Problem(
            kind: "quota-exceeded",
            status: .tooManyRequests,
            title: "Too many requests",
            detail: "\(kind.most) \(kind) per minute are allowed.",
            members: [
                JSONValue.Member(name: "retry_after", value: .number(literal: "\(retryAfter)"))
            ],
            headers: headers
        )
    }
}
