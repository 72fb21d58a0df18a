import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Papers
import Platform
import Proofs
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Makes, lists and revokes links that show others where one trip in progress is, or one report
/// that was handed out.
struct SharesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The store of the links.
    let store: OpenedServerState

    /// The members that the body may have.
    private static let members = [
        BodyMember("trip", .text(most: 200)), BodyMember("report", .text(most: 200)),
        BodyMember("expires_at", .instant), BodyMember("name", .text(most: 128)),
        BodyMember("url", .address), BodyMember("key", .text(most: mostBytesOfKey)),
    ]

    /// The most bytes of a verifier key that accompanies a link: its name may be long.
    private static let mostBytesOfKey = 1_100

    /// The hours for which a link is valid: by default, and at most.
    private struct Hours {
        var usual: Int64
        var most: Int64

        static let ofTrip = Hours(usual: 24, most: 30 * 24)
        static let ofReport = Hours(usual: 30 * 24, most: 366 * 24)
    }

    private static let millisecondsPerHour: Int64 = 3_600_000

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/shares",
                "Makes a link by which others see where a trip is, or a report that was issued",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: .object("new-share"),
                for: [.edit, .admin],
                reaching: .seen,
                make
            ),
            Route(
                .get,
                "/v1/shares",
                "The links by which others see a trip or a report, without their secrets",
                [.cursor, .longLimit],
                as: .page(of: "token"),
                for: [.edit, .admin],
                reaching: .seen,
                list
            ),
            Route(
                .delete,
                "/v1/shares",
                "Revokes such a link",
                [.tokenName],
                as: .nothing,
                for: [.admin],
                reaching: .seen,
                revoke
            ),
        ]
    }

    private func make(_ call: Call) async throws(Problem) -> Response {
        let said = try await TextMembers(of: call, Self.members.names)
        try Self.requireKey(said["key"])
        guard let report = said["report"] else { return try await shareTrip(call, said) }
        guard said["trip"] == nil else { throw .invalidParameter("trip", "left out of a report") }
        return try await shareReport(named: report, call, said)
    }

    /// A link that is to be stored, and the answer about it.
    private struct NewLink: Sendable {
        /// The token, with the name that was given, or else one to which a number may be added.
        var token: Token
        var isNamed: Bool

        /// The thing that it shows: the member of the answer and its value.
        var subject: (name: String, value: String)

        /// The path before the secret.
        var path: String

        /// The address of the server, and the key that accompanies the link, if they are given.
        var address: ServerAddress?
        var key: String?
    }

    /// Makes the link of a report, which shows its bytes, its event in the log, and the proof.
    private func shareReport(
        named report: String,
        _ call: Call,
        _ said: TextMembers
    ) async throws(Problem) -> Response {
        // A link shows nothing that its maker may not see: a report tells of the whole ledger.
        try call.access.require(.read, or: .admin)
        guard call.sight.isEverything else { throw .notForSources }
        let now = WallClock.now
        var end = try Self.end(said, .ofReport, now)
        // A session may end sooner than the links that a person makes with it, as with devices.
        if case .holder(let maker) = call.access, maker.use == .program,
            let last = maker.expiresAt
        {
            end = min(end, last)
        }
        let name = try said.tokenName(by: call.access)
        let address = try Self.address(said)
        let (id, size) = try await reader.read(seenBy: call.sight) { snapshot in
            (try snapshot.issuedReport(report).id, snapshot.head.size)
        }
        var token = Token.link(to: id, named: name ?? "report \(id)", now: now, until: end)
        token.maker = call.access.actor
        let link = NewLink(
            token: token,
            isNamed: name != nil,
            subject: ("report", id),
            path: ReportLinkEndpoint.path,
            address: address,
            key: said["key"]
        )
        return try await answer(link, at: size)
    }

    /// Stores a link, and answers with its address, which is shown this once.
    private func answer(_ link: NewLink, at size: UInt64) async throws(Problem) -> Response {
        let store = store
        let bytes = try await reader.run {
            var token = link.token
            if !link.isNamed { token.name = try Self.freeName(token.name, in: store.orCreated()) }
            var random = BufferedRandom()
            let text = TokenText(of: token, using: &random)
            try store.add(token, shownAs: text)
            let path = link.path + text.text
            var bytes: [UInt8] = []
            JSONWriter.append(
                Self.members(of: token, link.subject, path)
                    + Self.code(of: path, at: link.address, link.key),
                to: &bytes
            )
            return bytes
        }
        return reader.response(bytes, at: size)
    }

    /// The whole address of a link, with the accompanying key after `#`, where no server sees it,
    /// and the same as a code to scan; nothing if the server's address is not given.
    private static func code(
        of path: String,
        at address: ServerAddress?,
        _ key: String?
    ) -> [JSONValue.Member] {
        guard let address else { return [] }
        let link = address.text + path + (key.map { "#\(PercentEncoding.encoded($0))" } ?? "")
        let code = QRCode(Array(link.utf8))
        return [
            JSONValue.Member(name: "link", value: .text(link)),
            JSONValue.Member(name: "qr_svg", value: code.map { JSONValue.text($0.svg) } ?? .null),
        ]
    }

    /// Requires that the given key of the ledger's owner is a valid key, because the reader of a
    /// link trusts it.
    private static func requireKey(_ text: String?) throws(Problem) {
        guard let text else { return }
        guard VerifierKey(text)?.kind == .text else {
            throw .invalidParameter(
                "key",
                "the verifier key of the ledger, NAME+ID+BASE64, as `ledger key show` prints it"
            )
        }
    }

    /// Returns the address of the server, if it is given.
    private static func address(_ said: TextMembers) throws(Problem) -> ServerAddress? {
        guard let text = said["url"] else { return nil }
        guard let address = ServerAddress(text) else {
            throw .invalidParameter("url", "https://HOST, perhaps with a port and a path")
        }
        return address
    }

    private func shareTrip(_ call: Call, _ said: TextMembers) async throws(Problem) -> Response {
        // A link shows nothing that its maker may not see.
        try call.access.require(.live, or: .read, .admin)
        guard let reference = TripReference(try said.require("trip")) else {
            throw .invalidParameter("trip", "active, last or the beginning of the id of a trip")
        }
        let now = WallClock.now
        let asked = try Self.end(said, .ofTrip, now)
        let end = min(asked, call.access.end ?? asked)
        let name = try said.tokenName(by: call.access)
        let address = try Self.address(said)
        let (trip, size) = try await reader.read(seenBy: call.sight) { snapshot in
            let booked = try snapshot.trip(reference).booked
            guard try SharedTrip(booked, in: snapshot, asOf: now)?.isShown ?? false else {
                throw Problem.tripIsOver
            }
            return (booked.trip, snapshot.head.size)
        }
        var token = Token.share(
            of: trip.id,
            from: trip.source,
            in: trip.group,
            named: name ?? "trip \(trip.id.short)",
            now: now,
            until: end
        )
        token.maker = call.access.actor
        let link = NewLink(
            token: token,
            isNamed: name != nil,
            subject: ("trip", trip.id.description),
            path: LiveEndpoint.path,
            address: address,
            key: said["key"]
        )
        return try await answer(link, at: size)
    }

    /// Returns when a link expires, whether the trip is over or not.
    private static func end(
        _ said: TextMembers,
        _ hours: Hours,
        _ now: Timestamp
    ) throws(Problem) -> Timestamp {
        let latest = now.advanced(byMilliseconds: hours.most * millisecondsPerHour)
        guard let text = said["expires_at"] else {
            return now.advanced(byMilliseconds: hours.usual * millisecondsPerHour)
        }
        guard let end = RFC3339.time(text)?.timestamp, end > now, end <= latest else {
            throw .invalidParameter(
                "expires_at",
                "a time such as 2026-03-14T18:00:00Z, within \(hours.most / 24) days"
            )
        }
        return end
    }

    /// Returns a name that no valid token has.
    private static func freeName(_ name: String, in state: ServerState) throws -> String {
        let now = WallClock.now
        let living = try state.tokens().filter { $0.revokedAt == nil && !$0.hasExpired(at: now) }
        let taken = Set(living.map { NameKey($0.name) })
        var (number, free) = (1, name)
        while taken.contains(NameKey(free)) {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }

    private static func members(
        of token: Token,
        _ subject: (name: String, value: String),
        _ path: String
    ) -> [JSONValue.Member] {
        let members = [
            ("name", token.name), (subject.name, subject.value),
            ("created_at", RFC3339.text(token.createdAt)),
            ("expires_at", token.expiresAt.map { RFC3339.text($0) } ?? ""),
            ("path", path),
        ]
        return members.map { JSONValue.Member(name: $0, value: .text($1)) }
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let (store, ledger, sight) = (store, reader.ledger, call.sight)
        let (rows, size) = try await reader.run {
            let now = WallClock.now
            let shares =
                try store.state?.tokens()
                .filter { $0.isLink(seenBy: sight) } ?? []
            return (shares.map { ListedToken($0, asOf: now) }, try ledger.head().size)
        }
        let page = try ListPage(of: rows, call.query) { $0.token.name }
        var bytes: [UInt8] = []
        RowPage.append(page.rows, ListedToken.columns, next: page.next, by: nil, to: &bytes)
        return reader.response(bytes, at: size)
    }

    private func revoke(_ call: Call) async throws(Problem) -> Response {
        let name = try call.query.require(.tokenName)
        let (store, sight) = (store, call.sight)
        try await reader.run {
            try store.revoke(named: name) { $0.isLink(seenBy: sight) }
        }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
}

extension Token {
    /// Whether it is a link to something that is seen: the link of a report tells of the ledger as
    /// a whole, whatever sources it names.
    fileprivate func isLink(seenBy sight: Sight) -> Bool {
        switch use {
        case .share: sight.sees(sources, of: group)
        case .report: sight.isEverything
        case .program, .login, .session: false
        }
    }
}

extension Problem {
    /// The trip is over, and so is what others may see of it.
    fileprivate static let tripIsOver = Problem(
        kind: "conflict",
        status: .conflict,
        title: "The trip is over",
        detail: "Only a trip that goes on is shared, or one that has ended just now."
    )
}
