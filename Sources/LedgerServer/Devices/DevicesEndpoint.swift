import Hummingbird
import JSONText
import RowFormats
import TripEvents
import TripLedger

/// Answers which devices deliver: `device.v1.schema.json` each.
struct DevicesEndpoint: Sendable {
    /// What reads the ledger.
    let reader: LedgerReader

    /// What was heard of them.
    let devices: DeviceRegister

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/devices",
                "Devices that have delivered since the server was started, by their tokens",
                [.cursor, .longLimit],
                as: .page(of: "device"),
                list
            )
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let page = try ListPage(of: devices.all, call.query) { $0.token }
        let ledger = reader.ledger
        let size = try await reader.run { try ledger.head().size }
        var bytes: [UInt8] = []
        RowPage.append(
            itemCount: page.rows.count,
            next: page.next,
            hasMore: page.next != nil,
            to: &bytes
        ) { index, bytes in
            JSONWriter.append(page.rows[index].members, to: &bytes)
        }
        return reader.response(bytes, at: size)
    }
}

extension DeviceRegister.Device {
    /// The device as JSON.
    fileprivate var members: [JSONValue.Member] {
        let members: [(String, JSONValue)] = [
            ("token", .text(token)), ("sources", .list(sources.map { .text($0) })),
            ("last_contact", .text(RFC3339.text(contactAt))), ("door", .text(door)),
            ("app", app.map { .text($0) } ?? .null),
            ("battery_percent", batteryPercent.map { .number(literal: "\($0)") } ?? .null),
            ("deliveries", .number(literal: "\(deliveries)")),
            ("refused", .number(literal: "\(refused)")),
        ]
        return members.map { JSONValue.Member(name: $0, value: $1) }
    }
}
