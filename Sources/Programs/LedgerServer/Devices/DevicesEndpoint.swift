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

/// Answers which devices deliver: `device.v1.schema.json` each.
struct DevicesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The register of devices that were heard from.
    let devices: DeviceRegister

    /// The state that holds the items of devices that wait for their owner.
    let store: OpenedServerState

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/devices",
                "Devices that have delivered since the server was started, by their tokens",
                [.cursor, .longLimit],
                as: .page(of: "device"),
                reaching: .seen,
                list
            )
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let page = try ListPage(of: devices.devices(seenBy: call.sight), call.query) { $0.token }
        let (ledger, store) = (reader.ledger, store)
        let (size, full) = try await reader.run {
            let shares = try store.state?.setAsideShares() ?? []
            return (try ledger.head().size, shares.filter { $0.isNearlyFull() })
        }
        var bytes: [UInt8] = []
        RowPage.append(
            itemCount: page.rows.count,
            next: page.next,
            hasMore: page.next != nil,
            to: &bytes
        ) { index, bytes in
            let device = page.rows[index]
            let share = full.first { $0.token.hasSameBytes(as: device.token) }
            JSONWriter.append(device.members(makingRoomBy: share?.command), to: &bytes)
        }
        return reader.response(bytes, at: size)
    }
}

extension DeviceRegister.Device {
    /// Returns the device as JSON.
    ///
    /// - Parameter command: The command that makes room for its waiting items; `nil` if there is
    ///   room.
    /// - Returns: Its members.
    fileprivate func members(makingRoomBy command: String?) -> [JSONValue.Member] {
        let members: [(String, JSONValue)] = [
            ("token", .text(token)), ("sources", .list(sources.map { .text($0) })),
            ("last_contact", .text(RFC3339.text(contactAt))), ("door", .text(door)),
            ("app", app.map { .text($0) } ?? .null),
            ("battery_percent", batteryPercent.map { .number(literal: "\($0)") } ?? .null),
            ("deliveries", .number(literal: "\(deliveries)")),
            ("refused", .number(literal: "\(refused)")),
            ("makes_room", command.map { .text($0) } ?? .null),
        ]
        return members.map { JSONValue.Member(name: $0, value: $1) }
    }
}

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
