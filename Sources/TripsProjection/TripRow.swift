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
        Self.orderKey(from: trip.startedAt.timestamp) + key
    }

    /// The same row as if the ledger had stored everything when it started.
    public var withoutArrival: TripRow { TripRow(booked.withoutArrival) }

    /// Returns the key of the row of a trip.
    public static func key(of id: TripID) -> [UInt8] {
        bigEndianBytes(id.high) + bigEndianBytes(id.low)
    }

    /// Returns the lowest order key of trips that start at `instant` or later: its milliseconds
    /// with the sign bit flipped, highest byte first.
    public static func orderKey(from instant: Timestamp) -> [UInt8] {
        bigEndianBytes(UInt64(bitPattern: instant.milliseconds) ^ (1 << 63))
    }

    private static func bigEndianBytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
}
