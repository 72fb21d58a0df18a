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

    /// The store of the devices' items that wait for their owner.
    let store: OpenedServerState

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/devices",
                "Devices by their tokens, with what they delivered since the server was started",
                [.cursor, .longLimit],
                as: .page(of: "device"),
                reaching: .seen,
                list
            )
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let (store, register) = (store, devices)
        let sight = call.sight
        return try await reader.answer(call) { snapshot, bytes in
            let now = WallClock.now
            let shares = try store.state?.setAsideShares() ?? []
            let full = shares.filter { $0.isNearlyFull() }
            let adopted = try snapshot.rulesByLedger()
            let tokens =
                try store.state?.tokens()
                .filter { $0.isDevice(at: now) && sight.seesDevice(for: $0.sources, of: $0.group) }
                ?? []
            let devices = DeliveringDevice.all(register.devices(seenBy: sight), tokens)
            let known = try Self.sources(of: devices, in: snapshot)
            let fixes = try snapshot.latestFixes(of: Set(known.map(\.source)))
            let silent = snapshot.clock == nil ? [] : try snapshot.silentSources(asOf: now)
            let rows = devices.map { device in
                var device = device
                device.command = full.first { $0.token.hasSameBytes(as: device.token) }?.command
                guard let source = device.source, known.contains(source) else { return device }
                let name = source.source
                device.recording = fixes[name].map { RecordingQuality($0) }
                device.silentSince = silent.first { NameKey($0.name) == name }?.since
                device.preset =
                    adopted.first { $0.appliesTo.hasSameBytes(as: name.name) }?.preset
                    .flatMap(TrackingPreset.init)
                return device
            }
            let page = try ListPage(of: rows, call.query) { $0.token }
            RowPage.append(
                page.rows,
                DeliveringDevice.columns,
                next: page.next,
                by: snapshot.clock,
                to: &bytes
            )
        }
    }
}

extension DevicesEndpoint {
    /// Returns the sources that devices deliver for and that the log has in the devices' groups: a
    /// device's source may have a name that belongs to another group.
    private static func sources(
        of devices: [DeliveringDevice],
        in snapshot: borrowing Snapshot
    ) throws -> Set<SourceKey> {
        var known: Set<SourceKey> = []
        for device in devices {
            guard let name = device.sources.first, let source = device.source,
                try snapshot.seesSource(named: name, of: device.group)
            else { continue }
            known.insert(source)
        }
        return known
    }
}

extension DeliveringDevice {
    /// The source that it delivers for; `nil` if it may be any.
    fileprivate var source: SourceKey? { sources.first.map { SourceKey($0, of: group) } }

    /// Joins the devices that were heard from and the tokens of devices, in order of their names.
    fileprivate static func all(
        _ heard: [DeviceRegister.Device],
        _ tokens: [Token]
    ) -> [DeliveringDevice] {
        var devices = heard.map { device in
            DeliveringDevice(
                token: device.token,
                sources: device.sources,
                group: device.group,
                contact: device.contact
            )
        }
        for token in tokens {
            var index = devices.firstIndex { token.isNamed($0.token) }
            if index == nil {
                devices.append(
                    DeliveringDevice(
                        token: token.name,
                        sources: token.sources,
                        group: token.group,
                        contact: nil
                    )
                )
                index = devices.count - 1
            }
            guard let index else { continue }
            devices[index].madeAt = token.createdAt
            devices[index].lastDay = token.lastUsed
        }
        return devices.sorted { $0.token.utf8.lexicographicallyPrecedes($1.token.utf8) }
    }
}

extension Token {
    /// Whether it is valid and a device's: it delivers or presses, and does nothing else.
    fileprivate func isDevice(at now: Timestamp) -> Bool {
        use == .program && isOfDevice && revokedAt == nil && !hasExpired(at: now)
    }

    /// Whether it delivers or presses, and does nothing else.
    fileprivate var isOfDevice: Bool { scopes == [.ingest] || scopes == [.press] }
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
        BodyMember("language", .word(Language.allCases.map(\.rawValue))),
        BodyMember("dense", .word(["on-trips"])),
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
        let language = try said.language("language")
        var token = try Self.token(named: name, said, madeBy: call.access)
        token.recordsDenselyOnTrips = try Self.isDense(said, app)
        token.name = try said.tokenName(by: call.access) ?? name
        let (ledger, store, made, sight) = (reader.ledger, store, token, call.sight)
        let (bytes, size) = try await reader.run {
            var random = BufferedRandom()
            let text = TokenText(of: made, using: &random)
            let setup = AppSetup(app, at: address, showing: text, of: made)
            let others = try store.orCreated().tokens()
                .filter {
                    made.deliversBeside($0, at: made.createdAt)
                        && sight.seesDevice(for: $0.sources, of: $0.group)
                }
            let device = NewDevice(made, text, setup, beside: others, in: language)
            guard let device else {
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

    /// Returns the facts about the token: it has no more rights than its maker, and no later end.
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

    /// Returns whether the app is told to record densely during trips, and only then.
    private static func isDense(_ said: TextMembers, _ app: DeliveryApp) throws(Problem) -> Bool {
        guard let text = said["dense"] else { return false }
        guard text == "on-trips", app == .owntracks else {
            throw .invalidParameter("dense", "on-trips, and only for owntracks")
        }
        return true
    }

    private func revoke(_ call: Call) async throws(Problem) -> Response {
        let name = try call.query.require(.tokenName)
        let (store, sight) = (store, call.sight)
        try await reader.run {
            try store.revoke(named: name) {
                $0.isOfDevice && sight.seesDevice(for: $0.sources, of: $0.group)
            }
        }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
}
