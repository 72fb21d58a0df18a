public import Projections
public import RowCoding
public import TripEvents
import TripTracking

/// A trip that is going on, with what people said about it so far.
public struct ActiveTripRow: ViewRow {
    private static let formatVersion: UInt8 = 3

    /// The trip's id.
    public let trip: TripID

    /// The source that records it.
    public let source: String

    /// When it started.
    public let startedAt: EventTime

    /// Its status: active, unless a person has already voided it or made it a part of another one.
    public let status: BookedStatus

    /// The trip that it is a part of, if it is one.
    public let mergedInto: TripID?

    /// Its details.
    public let details: TripDetails

    /// The routine that was applied last.
    public let routine: String?

    /// Creates the row of a trip that is going on.
    public init(_ booked: BookedTrip) {
        trip = booked.id
        source = booked.trip.source
        startedAt = booked.trip.startedAt
        status = booked.status
        mergedInto = booked.mergedInto
        details = booked.details
        routine = booked.routine
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        trip = try reader.readTripID()
        source = try reader.readText()
        startedAt = try reader.readEventTime()
        status = try reader.readBookedStatus()
        mergedInto = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readTripID()
        }
        details = try TripDetails(from: &reader)
        routine = try reader.readOptionalText()
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(trip)
        writer.write(source)
        writer.write(startedAt)
        writer.write(status)
        writer.write(mergedInto) { $0.write($1) }
        details.write(to: &writer)
        writer.write(routine) { $0.write($1) }
        return writer.bytes
    }

    /// The trip's id: 16 bytes.
    public var key: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: trip.high)
        bytes.append(bigEndian: trip.low)
        return bytes
    }

    /// The trip's start and id, so that rows are in order of start: 24 bytes.
    public var orderKey: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: startedAt.timestamp.milliseconds) ^ (1 << 63))
        return bytes + key
    }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: ActiveTripRow { self }
}

/// Makes the view of the trips that are going on: what people said about each so far.
///
/// How far a trip has got changes with every fix and is not in it: that is in the active-trip
/// checkpoint, the stored tracker of the trip's source.
public struct ActiveTripProjector: Projector {
    /// The row of one trip.
    public typealias Row = ActiveTripRow

    /// The name of the view.
    public static let name = "active_trips"

    /// The version of the view.
    public static let version: UInt32 = 5

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row while it goes on, and removes it when it has ended or gone.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        guard case .trip(let change) = change else { return }
        let old = Self.row(of: change.old)
        let new = Self.row(of: change.new)
        // Byte by byte: `==` of `String` is true for canonically equivalent texts with other bytes.
        let value = new?.value
        guard old?.value != value else { return }
        if let new, let value {
            try rows.put(value, key: new.key, orderKey: new.orderKey)
        } else if let old {
            try rows.remove(key: old.key)
        }
    }

    /// Returns the row of a trip, or `nil` if it has none because it does not go on.
    private static func row(of booked: BookedTrip?) -> ActiveTripRow? {
        guard let booked, booked.trip.status == .active else { return nil }
        return ActiveTripRow(booked)
    }
}
