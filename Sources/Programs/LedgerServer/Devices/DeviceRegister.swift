import LedgerRows
import ServerStore
import Synchronization
import TripEvents
import TripLedger

/// The latest news of the devices that deliver, by the names of their tokens, since the server was
/// started.
///
/// It is kept only in memory.
final class DeviceRegister: Sendable {
    /// A device, or a program, that delivers.
    struct Device: Sendable {
        /// The name of its token.
        var token: String

        /// The sources that the token is for.
        var sources: [String]

        /// The group that they belong to; `nil` for the owner's.
        var group: String?

        /// When it delivered last.
        var contactAt: Timestamp

        /// The door, or the path, at which it delivered last.
        var door: String

        /// Its name for itself, if it gives one.
        var app: String?

        /// The charge of its battery in percent, as it said last.
        var batteryPercent: Int?

        /// The names by which it called itself in the last days, each once, the latest first.
        private var ids: [(name: String, heardAt: Timestamp)] = []

        /// Whether one of them came back after another one: a device that only gets another name
        /// never has the old one again.
        private var isShared = false

        /// How often it has delivered.
        var deliveries = 0

        /// The number of delivered items that could not become events.
        var refused = 0

        /// Creates one that was not heard from yet.
        fileprivate init(token: String, at door: String, now: Timestamp) {
            self.token = token
            sources = []
            contactAt = now
            self.door = door
        }

        /// Notes the name by which it calls itself, and forgets what was not heard for long.
        fileprivate mutating func hear(_ id: String, now: Timestamp) {
            let id = String(id.prefix(DeviceRegister.mostBytesOfName))
            ids.removeAll {
                now.milliseconds(since: $0.heardAt) > DeviceRegister.idMemoryMilliseconds
            }
            let index = ids.firstIndex { $0.name.hasSameBytes(as: id) }
            if let index { ids.remove(at: index) }
            isShared = !ids.isEmpty && (isShared || (index ?? 0) > 0)
            ids.insert((id, now), at: 0)
            if ids.count > DeviceRegister.mostIDs { ids.removeLast() }
        }

        /// Whether it delivered for the group and the sources of a token.
        fileprivate func isOf(_ token: Token) -> Bool {
            group.hasSameBytes(as: token.group) && sources.allSatisfy(token.isOf)
        }

        /// The part of it that is shown.
        var contact: DeliveringDevice.Contact {
            DeliveringDevice.Contact(
                at: contactAt,
                door: door,
                app: app,
                batteryPercent: batteryPercent,
                deviceIDs: isShared
                    ? ids.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : [],
                deliveries: deliveries,
                refused: refused
            )
        }
    }

    /// The most bytes of a name that are kept.
    private static let mostBytesOfName = 200

    /// The most names of devices that are kept for a token.
    private static let mostIDs = 8

    /// How long a name is kept after it was heard.
    private static let idMemoryMilliseconds = 7 * Timestamp.millisecondsPerDay

    private let devices = Mutex<[NameKey: Device]>([:])

    /// Notes that a device has delivered something.
    func note(
        _ token: Token,
        at door: String,
        now: Timestamp,
        app: String?,
        batteryPercent: Int? = nil,
        deviceID: String? = nil,
        refused: Int = 0
    ) {
        let name = NameKey(token.name)
        devices.withLock { devices in
            // A token may have the name of a revoked one of another group.
            let known = devices[name].flatMap { $0.isOf(token) ? $0 : nil }
            var device = known ?? Device(token: token.name, at: door, now: now)
            device.sources = token.sources
            device.group = token.group
            device.contactAt = now
            device.door = door
            device.app = app.map { String($0.prefix(Self.mostBytesOfName)) } ?? device.app
            device.batteryPercent = batteryPercent ?? device.batteryPercent
            if let deviceID { device.hear(deviceID, now: now) }
            device.deliveries += 1
            device.refused += refused
            devices[name] = device
        }
    }

    /// Returns the devices all of whose sources are seen, in order of the names of their tokens.
    func devices(seenBy sight: Sight) -> [Device] {
        devices.withLock { $0.values.filter { sight.seesDevice(for: $0.sources, of: $0.group) } }
            .sorted { $0.token.utf8.lexicographicallyPrecedes($1.token.utf8) }
    }
}
