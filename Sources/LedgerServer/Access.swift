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
        // The source of decisions is the owner's; each group has its own.
        let decisionSource = Ledger.decisionSource(of: token.group)
        if token.group != nil, source == Ledger.decisionSource { throw .otherSource(source) }
        if token.sources.isEmpty || token.sources.contains(source) { return }
        guard kind.scope != .ingest, source == decisionSource else { throw .otherSource(source) }
    }

    /// Requires that a decision may be asked for.
    ///
    /// - Throws: `Problem` if its kind is not of the token's scopes, or the source not its own.
    func require(toDecide request: DecisionRequest) throws(Problem) {
        guard case .holder(let token) = self else { return }
        let scope = request.decision.kind.scope
        // What a device may report, a person who edits may say.
        try scope == .ingest ? require(.edit, or: .ingest, .admin) : require(scope, or: .admin)
        // The source of decisions is the owner's; each group has its own.
        let decisionSource = Ledger.decisionSource(of: token.group)
        let source = request.source ?? decisionSource
        if token.group != nil, source == Ledger.decisionSource { throw .otherSource(source) }
        guard
            token.sources.isEmpty || token.sources.contains(source) || source == decisionSource
        else { throw .otherSource(source) }
    }

    /// Who asks, by the name of the token; `nil` for the owner.
    var actor: String? {
        if case .holder(let token) = self { token.name } else { nil }
    }

    /// Returns the source of an event that names none.
    func source(of kind: EventKind?) -> String {
        guard case .holder(let token) = self else { return Ledger.decisionSource }
        let decisionSource = Ledger.decisionSource(of: group)
        return kind?.scope == .ingest ? token.sources.first ?? decisionSource : decisionSource
    }

    /// The group of everything that is stored, and of all that is read beside the owner's settings;
    /// `nil` if each event may name its own, and everything is read.
    var group: String? {
        guard case .holder(let token) = self else { return nil }
        return token.group
    }

    /// What is listed and added up for a token of a group, or else what a request asks for.
    func selection(in query: Query) -> GroupSelection? {
        if let group { return GroupSelection(group) }
        return query.text(Parameter.group.name).map { GroupSelection($0.isEmpty ? nil : $0) }
    }

    /// Returns whether something is read that belongs to a group, or is a setting of the owner's.
    func reads(_ other: String?) -> Bool {
        group == nil || other == nil || other.hasSameBytes(as: group)
    }

    /// The paths that tokens of a group may ask, beside those by which events are delivered: what
    /// they answer is of the group alone, or a setting of the owner's.
    private static let pathsOfGroups: Set<String> = [
        "/v1/trips", "/v1/trips/{trip}", "/v1/trips/{trip}/explanation",
        "/v1/trips/{trip}/history", "/v1/trips/{trip}/track", "/v1/totals", "/v1/places",
        "/v1/vehicles", "/v1/routines", "/v1/fields",
    ]

    /// Requires that a path may be asked: one that tells of all groups is none for a token of one.
    ///
    /// - Throws: `Problem`.
    func require(_ route: Route) throws(Problem) {
        guard group != nil, !route.scopes.isEmpty, !route.scopes.contains(.ingest),
            !Self.pathsOfGroups.contains(route.path)
        else { return }
        throw .notForGroups
    }

    /// Returns who decided, for an event that does not say it; `nil` for facts, which were seen.
    func actor(of kind: EventKind?) -> String? {
        guard case .holder(let token) = self, let kind, kind.scope != .ingest else { return nil }
        return token.name
    }
}
