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

/// Makes, lists and revokes links that show others where one trip in progress is.
struct SharesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The store of the links.
    let store: OpenedServerState

    /// The members that the body may have.
    private static let members = [
        BodyMember("trip", .text(most: 200), isRequired: true), BodyMember("expires_at", .instant),
        BodyMember("name", .text(most: 128)),
    ]

    /// The hours for which a link is of use: if its maker does not say it, and at most.
    private static let hours: (usual: Int64, most: Int64) = (24, 30 * 24)
    private static let millisecondsPerHour: Int64 = 3_600_000

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/shares",
                "Makes a link by which others see where a trip is, until it is over",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: .object("new-share"),
                for: [.edit, .admin],
                reaching: .seen,
                make
            ),
            Route(
                .get,
                "/v1/shares",
                "The links by which others see where a trip is, without their secrets",
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
        // A link shows nothing that its maker may not see.
        try call.access.require(.live, or: .read, .admin)
        let said = try await TextMembers(of: call, Self.members.names)
        guard let reference = TripReference(try said.require("trip")) else {
            throw .invalidParameter("trip", "active, last or the beginning of the id of a trip")
        }
        let now = WallClock.now
        let asked = try Self.end(said, now)
        let end = min(asked, call.access.end ?? asked)
        let name = try said.tokenName(by: call.access)
        let (trip, size) = try await reader.read(seenBy: call.sight) { snapshot in
            let booked = try snapshot.trip(reference).booked
            guard try SharedTrip(booked, in: snapshot, asOf: now)?.isShown ?? false else {
                throw Problem.tripIsOver
            }
            return (booked.trip, snapshot.head.size)
        }
        let (store, maker) = (store, call.access.actor)
        let bytes = try await reader.run {
            let name = try name ?? Self.freeName(for: trip.id, in: store.orCreated())
            var token = Token.share(
                of: trip.id,
                from: trip.source,
                in: trip.group,
                named: name,
                now: now,
                until: end
            )
            token.maker = maker
            var random = BufferedRandom()
            let text = TokenText(of: token, using: &random)
            try store.add(token, shownAs: text)
            var bytes: [UInt8] = []
            JSONWriter.append(Self.members(of: token, trip.id, text), to: &bytes)
            return bytes
        }
        return reader.response(bytes, at: size)
    }

    /// Returns when a link is of no more use, whether the trip goes on or not.
    private static func end(_ said: TextMembers, _ now: Timestamp) throws(Problem) -> Timestamp {
        let latest = now.advanced(byMilliseconds: hours.most * millisecondsPerHour)
        guard let text = said["expires_at"] else {
            return now.advanced(byMilliseconds: hours.usual * millisecondsPerHour)
        }
        guard let end = RFC3339.time(text)?.timestamp, end > now, end <= latest else {
            throw .invalidParameter(
                "expires_at",
                "a time such as 2026-03-14T18:00:00Z, within 30 days"
            )
        }
        return end
    }

    /// Returns a name that no token has which is of use.
    private static func freeName(for trip: TripID, in state: ServerState) throws -> String {
        let taken = Set(try state.tokens().filter { $0.revokedAt == nil }.map(\.name))
        let name = "trip \(trip.short)"
        var (number, free) = (1, name)
        while taken.contains(free) {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }

    private static func members(
        of token: Token,
        _ trip: TripID,
        _ text: TokenText
    ) -> [JSONValue.Member] {
        let members = [
            ("name", token.name), ("trip", trip.description),
            ("created_at", RFC3339.text(token.createdAt)),
            ("expires_at", token.expiresAt.map { RFC3339.text($0) } ?? ""),
            ("path", "\(LiveEndpoint.path)\(text.text)"),
        ]
        return members.map { JSONValue.Member(name: $0, value: .text($1)) }
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let (store, ledger, sight) = (store, reader.ledger, call.sight)
        let (rows, size) = try await reader.run {
            let now = WallClock.now
            let shares =
                try store.state?.tokens()
                .filter { $0.use == .share && sight.sees($0.sources, of: $0.group) } ?? []
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
            try store.revoke(named: name) {
                $0.use == .share && sight.sees($0.sources, of: $0.group)
            }
        }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
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
