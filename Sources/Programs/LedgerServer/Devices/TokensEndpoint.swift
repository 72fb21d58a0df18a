import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Platform
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Lists and revokes tokens, links and the sessions of browsers, and makes the link that signs in
/// the next browser.
struct TokensEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The store of the tokens.
    let store: OpenedServerState

    /// What the holder of a link can do.
    private enum Rights: String, CaseIterable {
        /// The same as its maker.
        case same

        /// Read, and decide about trips.
        case edit

        /// Read.
        case read

        /// Returns the scopes, among those of the link's maker.
        func scopes(madeBy access: Access) -> Set<TokenScope> {
            switch self {
            case .same:
                // The owner has every scope, and the page needs no more than these.
                access.actor == nil ? [.admin, .audit] : Set(access.scopes)
            case .edit: [.edit, .read]
            case .read: [.read]
            }
        }
    }

    /// The members that the body of a link may have.
    private static let members = [
        BodyMember("url", .address, isRequired: true), BodyMember("name", .text(most: 128)),
        BodyMember("rights", .word(Rights.allCases.map(\.rawValue))),
    ]

    private static let madeAt = Parameter(
        "created_at",
        .instant,
        "Only the one that was made then, such as one session of several of a name"
    )

    private static let withMade = Parameter(
        "made",
        .word(["keep", "revoke"]),
        "Whether the devices that it has made are kept or revoked; kept if it is not said"
    )

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/tokens",
                "Tokens, links and the sessions of browsers, without their secrets",
                [.cursor, .longLimit],
                as: .page(of: "token"),
                for: [.admin],
                list
            ),
            Route(
                .delete,
                "/v1/tokens",
                "Revokes the token or the sessions of a name, with the links that it has made",
                [.tokenName, Self.madeAt, Self.withMade],
                as: .nothing,
                for: [.admin],
                revoke
            ),
            Route(
                .post,
                "/v1/links",
                "Makes a link that signs in one browser, within ten minutes",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: .object("new-link"),
                for: [.admin],
                reaching: .seen,
                makeLink
            ),
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let (store, ledger) = (store, reader.ledger)
        let (rows, size) = try await reader.run {
            let now = WallClock.now
            let rows = try store.state?.tokens().map { ListedToken($0, asOf: now) } ?? []
            return (rows, try ledger.head().size)
        }
        // Sessions of one person have one name.
        let page = try ListPage(of: rows, call.query) { row in
            "\(row.token.createdAt.milliseconds) \(row.token.name)"
        }
        var bytes: [UInt8] = []
        RowPage.append(page.rows, ListedToken.columns, next: page.next, by: nil, to: &bytes)
        return reader.response(bytes, at: size)
    }

    private func revoke(_ call: Call) async throws(Problem) -> Response {
        let name = try call.query.require(.tokenName)
        let madeAt = try call.query.text(Self.madeAt.name).map(Self.instant)
        let revokesMade = call.query.text(Self.withMade.name) == "revoke"
        let store = store
        try await reader.run {
            guard let state = try store.state else { throw Problem.unknown }
            func isMeant(_ token: Token) -> Bool {
                token.revokedAt == nil && (madeAt.map { $0 == token.createdAt } ?? true)
            }
            guard try state.tokens().contains(where: { $0.isNamed(name) && isMeant($0) }) else {
                throw Problem.unknown
            }
            _ = try state.revoke(
                named: name,
                dropsDeliveries: false,
                revokesDevices: revokesMade,
                where: madeAt == nil ? nil : isMeant,
                now: WallClock.now
            )
        }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    private static func instant(_ text: String) throws(Problem) -> Timestamp {
        guard let time = RFC3339.time(text) else {
            throw .invalidParameter(madeAt.name, "a time such as 2026-01-31T08:30:00.000Z")
        }
        return time.timestamp
    }

    private func makeLink(_ call: Call) async throws(Problem) -> Response {
        let said = try await TextMembers(of: call, Self.members.names)
        guard let address = ServerAddress(try said.require("url")) else {
            throw .invalidParameter("url", "https://HOST, perhaps with a port and a path")
        }
        let login = try Self.login(said, madeBy: call.access)
        let (store, ledger) = (store, reader.ledger)
        let (bytes, size) = try await reader.run {
            var random = BufferedRandom()
            let text = TokenText(of: login, using: &random)
            guard let link = NewPageLink(login, text, at: address) else {
                throw Problem.invalidParameter("url", "shorter: the link is too long for a code")
            }
            try Self.requireOwn(login, among: store.state?.tokens() ?? [])
            try store.add(login, shownAs: text)
            var bytes: [UInt8] = []
            NewPageLink.columns.appendJSON(link, to: &bytes, by: nil)
            return (bytes, try ledger.head().size)
        }
        return reader.response(bytes, at: size)
    }

    /// Throws if others have the name: the decisions of a session are stored under its name.
    private static func requireOwn(_ login: Token, among tokens: [Token]) throws(Problem) {
        guard let maker = login.maker else { return }
        let isTaken = tokens.contains { token in
            token.isNamed(login.name) && token.revokedAt == nil
                && !token.hasExpired(at: login.createdAt)
                && !(token.maker?.hasSameBytes(as: maker) ?? false)
        }
        guard !isTaken else {
            throw .invalidParameter("name", "another name, for this one is somebody else's")
        }
    }

    /// Returns the code of a link, which permits no more than its maker may do and see.
    private static func login(
        _ said: TextMembers,
        madeBy access: Access
    ) throws(Problem) -> Token {
        // A session lasts for 30 days, so one that a program's token made would outlive the token.
        if case .holder(let maker) = access, maker.use == .program, maker.expiresAt != nil {
            throw .makerExpires
        }
        var rights = Rights.same
        if let word = said["rights"] {
            guard let known = Rights(rawValue: word) else {
                let all = Rights.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidParameter("rights", "one of \(all)")
            }
            rights = known
        }
        let name = try said.tokenName(by: access) ?? access.actor ?? "page"
        var login = Token.login(of: name, rights.scopes(madeBy: access), now: WallClock.now)
        guard case .holder(let maker) = access else { return login }
        login.sources = maker.sources
        login.group = maker.group
        // A session in the maker's own name ends with the maker's access.
        login.maker = maker.isNamed(name) ? maker.maker : maker.name
        return login
    }
}

extension Problem {
    /// The token that makes the link expires.
    fileprivate static let makerExpires = Problem(
        kind: "scope",
        status: .forbidden,
        title: "The token does not allow this",
        detail: "It expires, and the session of a link may last longer. Make the link with "
            + "`ledger token new NAME --page`."
    )
}
