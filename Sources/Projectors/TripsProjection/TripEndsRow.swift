public import Projections
public import RowCoding
import TripEvents
import TripTracking

/// The times and places at which a trip that is over began and ended: ways between trips are found
/// by them.
public struct TripEndsRow: ViewRow {
    private static let formatVersion: UInt8 = 5

    /// The ends.
    public let ends: TripEnds

    /// Creates a row.
    public init(_ ends: TripEnds) {
        self.ends = ends
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        ends = try TripEnds(from: &reader)
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        ends.write(to: &writer)
        return writer.bytes
    }

    /// The trip's start and id, so that rows are in order of start: 24 bytes.
    public var key: [UInt8] {
        TripRow.orderKey(from: ends.startedAt.timestamp) + TripRow.key(of: ends.trip)
    }

    /// The key too.
    public var orderKey: [UInt8] { key }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: TripEndsRow { self }
}

/// Makes the view of the ends of trips that are over, without voided ones and parts of others.
public struct TripEndsProjector: Projector {
    /// The row of one trip.
    public typealias Row = TripEndsRow

    /// The name of the view.
    public static let name = "trip_ends"

    /// The version of the view.
    public static let version: UInt32 = 9

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row as it is after the change, or removes it.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        guard case .trip(let change) = change else { return }
        let old = change.old.flatMap(TripEnds.init).map(TripEndsRow.init)
        let new = change.new.flatMap(TripEnds.init).map(TripEndsRow.init)
        // Byte by byte: `==` of `String` is true for canonically equivalent texts with other bytes.
        let value = new?.value
        guard old?.value != value else { return }
        if let old, old.key != new?.key { try rows.remove(key: old.key) }
        if let new, let value { try rows.put(value, key: new.key, orderKey: new.orderKey) }
    }
}
