package import ServerStore
package import TripEvents
package import TripLedger

/// The client that makes a request, and its rights.
package enum Access: Sendable {
    /// The ledger's owner, through the unix socket, who may do everything.
    case owner

    /// The holder of a token.
    case holder(Token)

    /// Requires that the token allows one of several things.
    ///
    /// - Throws: `Problem` that names the first of them.
    package func require(_ scope: TokenScope, or others: TokenScope...) throws(Problem) {
        guard isAllowed([scope] + others) else { throw .scope(scope) }
    }

    /// Returns whether one of several things is allowed.
    package func isAllowed(_ scopes: [TokenScope]) -> Bool {
        guard case .holder(let token) = self else { return true }
        return scopes.contains(where: token.scopes.contains)
    }

    /// Whether trips and lists may be read, and so may stand in answers to what was asked for.
    package var mayRead: Bool { isAllowed([.read, .admin]) }

    /// What is allowed.
    package var scopes: [TokenScope] {
        guard case .holder(let token) = self else { return TokenScope.allCases }
        return TokenScope.allCases.filter(token.scopes.contains)
    }

    /// An empty collection of corrections of odometer readings; it refuses corrections of readings
    /// that others made.
    package var noCorrections: ReadingCorrections {
        ReadingCorrections(seenBy: sight, for: group)
    }

    /// What is seen of the ledger.
    package var sight: Sight {
        if case .holder(let token) = self { token.sight } else { .everything }
    }

    /// Requires that an event may be stored.
    ///
    /// A decision is requested at `/v1/decisions`. As an event it is a fact of another ledger,
    /// which requires a token that may say everything, or one of a ledger that exchanges events.
    ///
    /// - Throws: `Problem` if its kind is not of the token's scopes, or the source not its own.
    package func require(_ kind: EventKind, of source: String) throws(Problem) {
        guard case .holder(let token) = self else { return }
        try require(kind.scope, or: .admin, .sync)
        if kind.scope != .ingest {
            // Nothing here checks which trips and sources it is about.
            let isKnown = sight.isEverything || ![.trips, .namedSource].contains(kind.bearing)
            guard !kind.isAskable || isKnown && isAllowed([.admin, .sync]) else {
                throw .useDecisions
            }
            try require(kind.bearing)
        }
        // The source of decisions is the owner's; each group has its own.
        let decisionSource = Ledger.decisionSource(of: token.group)
        guard !isKept(token, from: source) else { throw .otherSource(source) }
        if token.sources.isEmpty || token.isOf(source) { return }
        guard kind.scope != .ingest, source == decisionSource else { throw .otherSource(source) }
    }

    /// Requires that a decision may be asked for.
    ///
    /// - Throws: `Problem` if its kind is not of the token's scopes, or the source not its own.
    package func require(toDecide request: DecisionRequest) throws(Problem) {
        guard case .holder(let token) = self else { return }
        let scope = request.decision.kind.scope
        // A person who edits may also report what a device may report.
        try scope == .ingest ? require(.edit, or: .ingest, .admin) : require(scope, or: .admin)
        // The source of decisions is the owner's; each group has its own.
        let decisionSource = Ledger.decisionSource(of: token.group)
        let source = request.source ?? decisionSource
        guard !isKept(token, from: source) else { throw .otherSource(source) }
        guard
            token.sources.isEmpty || token.isOf(source) || source == decisionSource
        else { throw .otherSource(source) }
        try require(request.decision.kind.bearing, applyingTo: request.decision.namedSource)
        // A token must see what it adds, so the source must be its own.
        if self.source(toDecide: request.decision.kind) != nil, !token.isOf(source) {
            throw .otherSource(source)
        }
        // Beginnings of ids, tried one after another, would tell which trips there are.
        guard mayRead || !request.decision.references.contains(where: \.isAbbreviated) else {
            throw .abbreviatedTrip
        }
    }

    /// Returns the source of a decision that must be there already; `nil` if it may be new.
    ///
    /// A source is of the group that names it first. So a token of a group may only give it one if
    /// it may deliver, or is of that source.
    package func knownSource(of request: DecisionRequest) -> String? {
        guard case .holder(let token) = self, token.group != nil, let source = request.source,
            !source.hasSameBytes(as: Ledger.decisionSource(of: token.group)),
            !token.isOf(source), !isAllowed([.ingest, .admin, .sync])
        else { return nil }
        return source
    }

    /// Requires that the client sees everything that an event concerns, regardless of its scopes.
    ///
    /// So a token of some sources cannot store events that apply to others, and a token of a group
    /// only events that apply to that group.
    ///
    /// - Parameters:
    ///   - bearing: What the event concerns.
    ///   - source: The source that it names.
    /// - Throws: `Problem` if the client does not see all of it.
    private func require(
        _ bearing: EventKind.Bearing,
        applyingTo source: String? = nil
    ) throws(Problem) {
        guard case .holder(let token) = self, !sight.isEverything else { return }
        switch bearing {
        case .trips: return
        case .namedSource:
            guard token.group != nil || source.map(token.isOf) ?? false else {
                throw .notForSources
            }
        case .allSources: if token.group == nil { throw .notForSources }
        case .ledger: throw token.group == nil ? .notForSources : .ledgersAlone
        }
    }

    /// Requires that the actor of a decision, if it names one, is the client that sends it.
    ///
    /// A client that exchanges events with another ledger names the person who decided there.
    ///
    /// - Throws: `Problem` if it names another one.
    package func requireOwn(actor: String?) throws(Problem) {
        guard case .holder(let token) = self, let actor, !token.isNamed(actor) else { return }
        throw .otherActor(token.name)
    }

    /// Returns the source of a decision that names none, if it is not that of all decisions.
    ///
    /// A token of some sources adds events to the first of them, so that it sees them. One of a
    /// group sees all that the group says, and what its device has read is a fact of that device.
    package func source(toDecide kind: EventKind) -> String? {
        guard case .holder(let token) = self, !sight.isEverything else { return nil }
        return switch kind {
        case .odometerRead: token.sources.first
        case .tripReported, .expenseRecorded: token.group == nil ? token.sources.first : nil
        default: nil
        }
    }

    /// Limits a token that is made for the one who asks.
    ///
    /// It names its maker, covers no other sources than its maker does, and expires with its maker,
    /// unless that is a session. A person's session ends sooner than the devices that it sets up.
    ///
    /// - Parameters:
    ///   - made: The token.
    ///   - isSourceSaid: Whether its source was said, and not taken from its name.
    /// - Throws: `Problem` if the source that was said is another one.
    package func limit(_ made: inout Token, isSourceSaid: Bool) throws(Problem) {
        guard case .holder(let maker) = self else { return }
        made.maker = maker.name
        made.group = maker.group
        if maker.use == .program { made.expiresAt = maker.expiresAt }
        guard let source = made.sources.first, !maker.sources.isEmpty, !sight.isEverything,
            !maker.isOf(source)
        else { return }
        guard !isSourceSaid else { throw .otherSource(source) }
        made.sources = [maker.sources[0]]
    }

    /// Returns the name of a token that the asker makes and has named.
    ///
    /// A name is given only once. So that names do not reveal those that others have given, the
    /// names by a maker who does not see all tokens end with the maker's own name.
    package func name(ofMade name: String) -> String {
        guard case .holder(let maker) = self, !sight.isEverything else { return name }
        return "\(name) (\(maker.name))"
    }

    /// When the asker's access expires; `nil` for never.
    package var end: Timestamp? {
        if case .holder(let token) = self { token.expiresAt } else { nil }
    }

    /// The holder whose share of common resources a request uses: the name of the token; `nil` for
    /// the owner.
    package var holder: String? { actor }

    /// The asker, by the name of the token; `nil` for the owner.
    package var actor: String? {
        if case .holder(let token) = self { token.name } else { nil }
    }

    /// Returns the source of an event that names none.
    package func source(of kind: EventKind?) -> String {
        guard case .holder(let token) = self else { return Ledger.decisionSource }
        let decisionSource = Ledger.decisionSource(of: group)
        return kind?.scope == .ingest ? token.sources.first ?? decisionSource : decisionSource
    }

    /// The group of everything that is stored, and of all that is read beside the owner's settings;
    /// `nil` if each event may name its own, and everything is read.
    package var group: String? {
        guard case .holder(let token) = self else { return nil }
        return token.group
    }

    /// The group that is listed and added up: that of the token, or else the one that a request
    /// asks for.
    package func selection(in query: Query) -> GroupSelection? {
        if let group { return GroupSelection(group) }
        return query.text(Parameter.group.name).map { GroupSelection($0.isEmpty ? nil : $0) }
    }

    /// Requires that a path may be asked: a path about the whole ledger is closed to those who do
    /// not see everything.
    ///
    /// - Throws: `Problem`.
    package func require(_ route: Route) throws(Problem) {
        guard !sight.isEverything else { return }
        switch route.reach {
        case .whole: throw group == nil ? .notForSources : .notForGroups
        case .sources: if group != nil { throw .notForGroups }
        case .seen: return
        }
    }

    /// Returns who decided, for an event that does not say it; `nil` for facts, which are observed
    /// and not decided, and for events of another ledger, where they were decided.
    package func actor(of kind: EventKind?) -> String? {
        guard case .holder(let token) = self, let kind, kind.scope != .ingest,
            isAllowed([.admin])
        else { return nil }
        return token.name
    }
}

extension LedgerDecision {
    /// The source to which it applies, if it names one.
    fileprivate var namedSource: String? {
        switch self {
        case .adoptRules(let rules): rules.appliesTo
        case .shiftClock(let shift): shift.appliesTo
        default: nil
        }
    }
}

extension Access {
    /// Returns whether a source is that of the decisions of others than a token's: of the owner, or
    /// of a group.
    ///
    /// Who delivered in its name first would keep them from deciding. Facts of another ledger come
    /// under all names.
    private func isKept(_ token: Token, from source: String) -> Bool {
        guard !source.hasSameBytes(as: Ledger.decisionSource(of: token.group)) else { return false }
        if Ledger.isDecisionSourceOfGroup(source) {
            return token.group != nil || !isAllowed([.admin, .sync])
        }
        return token.group != nil && source.hasSameBytes(as: Ledger.decisionSource)
    }
}
