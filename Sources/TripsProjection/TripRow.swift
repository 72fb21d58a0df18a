public import Projections
public import TripEvents
public import TripTracking

/// A trip as the view of trips shows it.
public struct TripRow: ViewRow {
    /// The trip, with what people decided about it.
    public var booked: BookedTrip

    /// Creates the row of a trip.
    public init(_ booked: BookedTrip) {
        self.booked = booked
    }

    /// Creates the row of a trip about which nobody decided anything.
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
