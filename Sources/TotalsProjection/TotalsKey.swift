import RowCoding
public import TripEvents
import TripTracking

/// What trips have in common that are added up in one cell.
///
/// Whole minutes keep every grouping exact that comes later: RFC 3339 and time zones know no
/// offsets in between, so all trips of a cell start on one local day, whatever the zone.
public struct TotalsKey: Hashable, Sendable {
    static let millisecondsPerMinute: Int64 = 60_000

    /// The minute of the start, counted from 1970-01-01T00:00Z.
    public let startMinute: Int64

    /// The trip's own offset from UTC at the start, if it is known.
    public let utcOffset: UTCOffset?

    /// The source.
    public let source: String

    /// The vehicle, if it is known.
    public let vehicle: String?

    /// The class.
    public let tripClass: TripClass

    /// The client, if there is one.
    public let client: String?

    /// Creates a key.
    public init(
        startMinute: Int64,
        utcOffset: UTCOffset?,
        source: String,
        vehicle: String?,
        tripClass: TripClass,
        client: String?
    ) {
        self.startMinute = startMinute
        self.utcOffset = utcOffset
        self.source = source
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.client = client
    }

    /// Returns the local day on which the trips start.
    func daysSince1970(by rule: LocalDay) -> Int {
        let start = Timestamp(milliseconds: startMinute * Self.millisecondsPerMinute)
        return rule.daysSince1970(of: EventTime(start, utcOffset: utcOffset))
    }

    /// The key as bytes, by which cells are told apart and ordered.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: 1)
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the key.
    func write(to writer: inout RowEncoder) {
        writer.write(startMinute)
        writer.write(utcOffset)
        writer.write(source)
        writer.write(vehicle) { $0.write($1) }
        writer.write(tripClass)
        writer.write(client) { $0.write($1) }
    }

    /// Reads a key.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        startMinute = try reader.readInt64()
        utcOffset = try reader.readOptionalUTCOffset()
        source = try reader.readText()
        vehicle = try reader.readOptionalText()
        tripClass = try reader.readTripClass()
        client = try reader.readOptionalText()
    }
}
