import HTTPTypes
import JSONText
import ServerStore

extension Problem {
    /// The token has asked as often as it may for now (IETF draft ratelimit-headers).
    static func quotaExceeded(_ kind: Quotas.Kind, _ refusal: Quotas.Refusal) -> Problem {
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
