import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import ServerStore
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
