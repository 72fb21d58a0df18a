import HTTPTypes
import JSONText
import LedgerHTTP
import ServerStore
import Synchronization

/// How often each token has asked, counted for all requests together.
final class SharedQuotas: Sendable {
    private let quotas: Mutex<Quotas>

    init(_ quotas: Quotas) {
        self.quotas = Mutex(quotas)
    }

    /// Counts a request to a route.
    ///
    /// - Throws: `Problem` if its token has asked as often as it may.
    func count(_ access: Access, to route: Route) throws(Problem) {
        guard case .holder(let token) = access, let kind = route.quota(for: token) else {
            return
        }
        let refusal = quotas.withLock { $0.refusal(of: kind, by: token.name, at: .now) }
        if let refusal { throw .quotaExceeded(kind, refusal) }
    }
}

extension Problem {
    /// The token has asked as often as it may for now (IETF draft ratelimit-headers).
    fileprivate static func quotaExceeded(_ kind: Quotas.Kind, _ refusal: Quotas.Refusal) -> Problem
    {
        let parts = refusal.wait.components
        // A client that comes back in time is not refused once more.
        let seconds = parts.seconds + (parts.attoseconds > 0 ? 1 : 0)
        let name = kind.rawValue
        let window = Quotas.window.components.seconds
        return Problem(
            kind: "quota-exceeded",
            status: .tooManyRequests,
            title: "Too many requests",
            detail: "\(refusal.most) \(name) per minute are allowed.",
            members: [
                JSONValue.Member(name: "retry_after", value: .number(literal: "\(seconds)"))
            ],
            headers: [
                .retryAfter: "\(seconds)",
                .rateLimitPolicy: #""\#(name)";q=\#(refusal.most);w=\#(window)"#,
                .rateLimit: #""\#(name)";r=0;t=\#(seconds)"#,
            ]
        )
    }
}
