import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerRows
import Platform
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Sets up devices: makes the token of one with what sets up its app, and revokes it.
struct NewDevicesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The tokens.
    let store: OpenedServerState

    /// The members that the body may have.
    private static let members = [
        BodyMember("name", .text(most: 128), isRequired: true),
        BodyMember("app", .word(DeliveryApp.allCases.map(\.rawValue)), isRequired: true),
        BodyMember("url", .address, isRequired: true),
        BodyMember("source", .text(most: 128)), BodyMember("time_zone", .text(most: 100)),
    ]

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/devices",
                "Makes the token of a device and what sets up its app, which is shown this once",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: .object("new-device"),
                for: [.admin],
                reaching: .seen,
                make
            ),
            Route(
                .delete,
                "/v1/devices",
                "Revokes the token of a device, which keeps its queue until it has another one",
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
        let name = try said.requireSourceName("name")
        guard let app = DeliveryApp(rawValue: try said.require("app")) else {
            let names = DeliveryApp.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("app", "one of \(names)")
        }
        guard let address = ServerAddress(try said.require("url")) else {
            throw .invalidParameter("url", "https://HOST, perhaps with a port and a path")
        }
        var token = try Self.token(named: name, said, madeBy: call.access)
        token.name = try said.tokenName(by: call.access) ?? name
        let (ledger, store, made, sight) = (reader.ledger, store, token, call.sight)
        let (bytes, size) = try await reader.run {
            var random = BufferedRandom()
            let text = TokenText(of: made, using: &random)
            let setup = AppSetup(app, at: address, showing: text, of: made)
            let others = try store.orCreated().tokens()
                .filter {
                    made.deliversBeside($0, at: made.createdAt)
                        && sight.sees($0.sources, of: $0.group)
                }
            guard let device = NewDevice(made, text, setup, beside: others) else {
                throw Problem.invalidParameter(
                    "name",
                    "shorter, as the link is too long for a code"
                )
            }
            try store.add(made, shownAs: text)
            var bytes: [UInt8] = []
            NewDevice.columns.appendJSON(device, to: &bytes, by: nil)
            return (bytes, try ledger.head().size)
        }
        return reader.response(bytes, at: size)
    }

    /// Returns what will be known of the token: it lets do no more than the one that makes it, and
    /// is of use no longer.
    private static func token(
        named name: String,
        _ said: TextMembers,
        madeBy access: Access
    ) throws(Problem) -> Token {
        var token = Token(name: name, scopes: [.ingest], createdAt: WallClock.now)
        token.sources = [name]
        if said["source"] != nil { token.sources = [try said.requireSourceName("source")] }
        try access.limit(&token, isSourceSaid: said["source"] != nil)
        token.timeZone = said["time_zone"]
        if let zone = token.timeZone, !MachineTimeZone.isKnown(zone) {
            throw .invalidParameter("time_zone", "a time zone such as Europe/Amsterdam")
        }
        return token
    }

    private func revoke(_ call: Call) async throws(Problem) -> Response {
        let name = try call.query.require(.tokenName)
        let (store, sight) = (store, call.sight)
        try await reader.run {
            try store.revoke(named: name) {
                $0.scopes == [.ingest] && sight.sees($0.sources, of: $0.group)
            }
        }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
}
