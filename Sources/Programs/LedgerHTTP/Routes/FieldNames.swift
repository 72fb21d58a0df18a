package import HTTPTypes

/// Header fields that the HTTP library has no names for.
extension HTTPField.Name {
    /// The sender's name for a request.
    package static let idempotencyKey = named("Idempotency-Key")

    /// Whether a request is a repeat.
    package static let idempotencyReplayed = named("X-Idempotency-Replayed")

    /// How many entries the log has, or the position of a trip's last one.
    package static let ledgerPosition = named("Ledger-Position")

    /// The token's scopes, by which the page knows which buttons to offer.
    package static let ledgerScopes = named("Ledger-Scopes")

    /// Whether the token sees `everything` or a `part`: answers about a part must not be cached.
    package static let ledgerSight = named("Ledger-Sight")

    /// How many more requests a client may make, and until when (IETF draft ratelimit-headers).
    package static let rateLimit = named("RateLimit")

    /// How often a client may ask in each stretch of time.
    package static let rateLimitPolicy = named("RateLimit-Policy")

    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("the names of fields are tokens")
        }
        return name
    }
}
