import ServerStore
import Synchronization
import TripLedger

/// What was last heard of the devices that deliver, by the names of their tokens, since the server
/// was started: it is kept in memory alone.
final class DeviceRegister: Sendable {
    /// A device, or a program, that delivers.
    struct Device: Sendable {
        /// The name of its token.
        var token: String

        /// The sources that the token is for.
        var sources: [String]

        /// When it delivered last.
        var contactAt: Timestamp

        /// The door, or the path, at which it delivered last.
        var door: String

        /// What it calls itself, if it says.
        var app: String?

        /// The charge of its battery in percent, as it said last.
        var batteryPercent: Int?

        /// How often it has delivered.
        var deliveries = 0

        /// How many items of that could be no events.
        var refused = 0
    }

    /// The most bytes of a name that are kept.
    private static let mostBytesOfName = 200

    private let devices = Mutex<[String: Device]>([:])

    /// Notes that a device has delivered something.
    func note(
        _ token: Token,
        at door: String,
        now: Timestamp,
        app: String?,
        batteryPercent: Int? = nil,
        refused: Int = 0
    ) {
        devices.withLock { devices in
            var device =
                devices[token.name]
                ?? Device(token: token.name, sources: [], contactAt: now, door: door)
            device.sources = token.sources
            device.contactAt = now
            device.door = door
            device.app = app.map { String($0.prefix(Self.mostBytesOfName)) } ?? device.app
            device.batteryPercent = batteryPercent ?? device.batteryPercent
            device.deliveries += 1
            device.refused += refused
            devices[token.name] = device
        }
    }

    /// The devices, in order of the names of their tokens.
    var all: [Device] {
        devices.withLock { Array($0.values) }
            .sorted { $0.token.utf8.lexicographicallyPrecedes($1.token.utf8) }
    }
}
