import TripEvents
public import TripTracking

/// What people decide about other things than trips: the book keeps each decision in a row of its
/// own, in event order, and they are put together when read.
public enum BookShelf: CaseIterable, Sendable {
    /// Places that were saved and removed: a ``PlaceBook``.
    case places

    /// Vehicles that were registered and odometers that were read: a ``VehicleBook``.
    case vehicles

    private static let formatVersion: UInt8 = 1

    /// The shelf for a decision, or `nil` if it is about trips.
    init?(for decision: Decision) {
        switch decision.event.body {
        case .placeSaved, .placeRemoved: self = .places
        case .vehicleRegistered, .odometerRead: self = .vehicles
        default: return nil
        }
    }

    /// The first byte of the keys of the book's rows for these decisions.
    public var keyPrefix: UInt8 {
        switch self {
        case .places: UInt8(ascii: "P")
        case .vehicles: UInt8(ascii: "V")
        }
    }

    /// Reads a decision from its row of the book.
    ///
    /// - Throws: why the bytes are no decision of this version; the view is then rebuilt.
    public static func decision(decoding bytes: [UInt8]) throws(StateError) -> Decision {
        var reader = try StateReader(bytes, version: formatVersion)
        let decision = try Decision(from: &reader)
        try reader.finish()
        return decision
    }

    /// Puts a decision into its row.
    func put<Rows: RowStore & ~Copyable>(_ decision: Decision, in rows: inout Rows) throws {
        var writer = StateWriter(version: Self.formatVersion)
        decision.write(to: &writer)
        let key = [keyPrefix] + BookKey.order(of: decision)
        try rows.put(writer.bytes, key: key, orderKey: key)
    }
}
