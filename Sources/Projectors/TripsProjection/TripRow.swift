public import Projections
public import RowCoding
public import TripEvents
public import TripTracking

/// A trip as the view of trips shows it.
public struct TripRow: ViewRow {
    /// The trip, with what people decided about it, and without the sketch of its way, which the
    /// view of trips' ends has.
    public var booked: BookedTrip

    /// Creates the row of a trip.
    public init(_ booked: BookedTrip) {
        self.booked = booked
        self.booked.trip.way = WaySketch()
    }

    /// Creates the row of a trip without decisions.
    public init(_ trip: Trip) {
        self.init(BookedTrip(trip))
    }

    /// The trip's figures.
    public var trip: Trip { booked.trip }

    /// The trip's id: 16 bytes.
    public var key: [UInt8] {
        Self.key(of: trip.id)
    }

    /// The trip's start and id, so that rows are in order of start: 24 bytes.
    public var orderKey: [UInt8] {
        var bytes = Self.orderKey(from: trip.startedAt.timestamp)
        bytes.append(bigEndian: trip.id.high)
        bytes.append(bigEndian: trip.id.low)
        return bytes
    }

    /// The same row as if the ledger had stored everything when it started.
    public var withoutArrival: TripRow { TripRow(booked.withoutArrival) }

    /// Returns the key of the row of a trip.
    public static func key(of id: TripID) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: id.high)
        bytes.append(bigEndian: id.low)
        return bytes
    }

    /// Returns the lowest order key of trips that start at `instant` or later: its milliseconds
    /// with the sign bit flipped, highest byte first.
    public static func orderKey(from instant: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ (1 << 63))
        return bytes
    }
}

extension TripRow {
    /// The version of the row's format.
    private static let formatVersion: UInt8 = 8

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        booked.write(to: &writer)
        return writer.bytes
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        self.init(try Self.bookedTrip(decoding: value))
    }

    /// Reads the trip of a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public static func bookedTrip(decoding value: [UInt8]) throws(RowCodingError) -> BookedTrip {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        let booked = try BookedTrip(from: &reader)
        try reader.finish()
        return booked
    }
}

/// Makes the view of all trips, one row each: voided ones and parts of merged ones too.
public struct TripsProjector: Projector {
    /// The row of one trip.
    public typealias Row = TripRow

    /// The name of the view.
    public static let name = "trips"

    /// The version of the view.
    public static let version: UInt32 = 13

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row as it is after the change, or removes it.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        guard case .trip(let change) = change else { return }
        if let new = change.new {
            try rows.put(TripRow(new))
        } else if let old = change.old {
            try rows.remove(key: TripRow.key(of: old.id))
        }
    }
}
