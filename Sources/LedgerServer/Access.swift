import ServerStore
import TripEvents
import TripLedger

/// Who asks, and what that allows.
enum Access: Sendable {
    /// The ledger's owner, by way of the unix socket: everything.
    case owner

    /// The holder of a token.
    case holder(Token)

    /// Requires that the token allows one of several things.
    ///
    /// - Throws: `Problem` that names the first of them.
    func require(_ scope: TokenScope, or others: TokenScope...) throws(Problem) {
        guard isAllowed([scope] + others) else { throw .scope(scope) }
    }

    /// Returns whether one of several things is allowed.
    func isAllowed(_ scopes: [TokenScope]) -> Bool {
        guard case .holder(let token) = self else { return true }
        return scopes.contains(where: token.scopes.contains)
    }

    /// Requires that an event may be stored.
    ///
    /// Decisions are about trips of any source, and stand under the source of decisions as those of
    /// the command do.
    ///
    /// - Throws: `Problem` if its kind is not of the token's scopes, or the source not its own.
    func require(_ kind: EventKind, of source: String) throws(Problem) {
        guard case .holder(let token) = self else { return }
        // Who may say everything may say facts and decisions too.
        try require(kind.scope, or: .admin)
        if token.sources.isEmpty || token.sources.contains(source) { return }
        guard kind.scope != .ingest, source == Ledger.decisionSource else {
            throw .otherSource(source)
        }
    }

    /// Returns the source of an event that names none.
    func source(of kind: EventKind?) -> String {
        guard case .holder(let token) = self, kind?.scope == .ingest else {
            return Ledger.decisionSource
        }
        return token.sources.first ?? Ledger.decisionSource
    }

    /// Returns who decided, for an event that does not say it; `nil` for facts, which were seen.
    func actor(of kind: EventKind?) -> String? {
        guard case .holder(let token) = self, let kind, kind.scope != .ingest else { return nil }
        return token.name
    }
}
