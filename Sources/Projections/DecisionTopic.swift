public import RowCoding
import TripEvents
import TripTracking

/// The topic of a decision that is not about trips.
///
/// The book keeps each of these decisions in a row of its own, in event order; a ``PlaceBook`` or
/// ``VehicleBook`` is made of them when it is read.
public enum DecisionTopic: CaseIterable, Sendable {
    /// Places that were saved and removed: a ``PlaceBook``.
    case places

    /// Vehicles that were registered and odometers that were read: a ``VehicleBook``.
    case vehicles

    private static let formatVersion: UInt8 = 1

    /// Creates the topic of a decision, or returns `nil` if it is about trips, routines or fields.
    init?(of decision: Decision) {
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
    public static func decision(decoding bytes: [UInt8]) throws(RowCodingError) -> Decision {
        var reader = try RowDecoder(bytes, version: formatVersion)
        let decision = try Decision(from: &reader)
        try reader.finish()
        return decision
    }

    /// Stores a decision in its row.
    func put<Rows: RowStore & ~Copyable>(_ decision: Decision, in rows: inout Rows) throws {
        var writer = RowEncoder(version: Self.formatVersion)
        decision.write(to: &writer)
        let key = [keyPrefix] + BookKey.order(of: decision)
        try rows.put(writer.bytes, key: key, orderKey: key)
    }
}
