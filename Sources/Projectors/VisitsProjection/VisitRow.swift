public import Projections
public import RowCoding
public import TripEvents

/// A row of the view of visits.
///
/// It names its place and no more: which version of the place it was follows from the book of
/// places and the instant at which the visit began.
public struct VisitRow: ViewRow {
    private static let formatVersion: UInt8 = 2

    /// The number of the source that made the visit.
    public let source: UInt32

    /// The name of the place.
    public let place: String

    /// When the visit began.
    public let enteredAt: EventTime

    /// When the last usable fix was taken within the radius.
    public let lastInsideAt: EventTime

    /// When the visit ended; `nil` while it goes on.
    public let leftAt: EventTime?

    /// The beginning of the visit among those of its source.
    public let entrance: Entrance

    /// Whether the last fix was within the radius.
    public let isWithinRadius: Bool

    /// The instant of the fix that ended the visit; `nil` while it goes on.
    public let endedBy: Timestamp?

    /// Creates the row of a visit that a source made.
    public init(_ found: FoundVisit, of source: UInt32) {
        self.source = source
        place = found.visit.place.name
        enteredAt = found.visit.enteredAt
        lastInsideAt = found.visit.lastInsideAt
        leftAt = found.visit.leftAt
        entrance = found.entrance
        isWithinRadius = found.isWithinRadius
        endedBy = found.endedBy
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        source = try Self.readNumber(&reader)
        place = try reader.readText()
        enteredAt = try reader.readEventTime()
        lastInsideAt = try reader.readEventTime()
        leftAt = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readEventTime()
        }
        entrance = Entrance(
            at: enteredAt.timestamp,
            number: try Self.readNumber(&reader),
            chainFrom: try reader.readTimestamp()
        )
        isWithinRadius = try reader.readBool()
        endedBy = try reader.readOptionalTimestamp()
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(UInt64(source))
        writer.write(place)
        writer.write(enteredAt)
        writer.write(lastInsideAt)
        writer.write(leftAt) { $0.write($1) }
        writer.write(UInt64(entrance.number))
        writer.write(entrance.chainFrom)
        writer.write(isWithinRadius)
        writer.write(endedBy) { $0.write($1) }
        return writer.bytes
    }

    private static func readNumber(_ reader: inout RowDecoder) throws(RowCodingError) -> UInt32 {
        guard let number = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        return number
    }
}

extension VisitRow {
    /// The source's number, then the beginning: 16 bytes.
    public var key: [UInt8] { Self.key(of: source, entrance) }

    /// The beginning, so that rows are in order of it, with the source's number: 16 bytes.
    public var orderKey: [UInt8] {
        Self.orderKey(from: entrance.at, of: source, number: entrance.number)
    }

    /// The row itself: the ledger compares views of one log, in which sources keep their numbers.
    public var withoutArrival: VisitRow { self }

    /// Returns the key of a source's visit with a beginning; without one, the beginning of the keys
    /// of the source.
    static func key(of source: UInt32, _ entrance: Entrance? = nil) -> [UInt8] {
        guard let entrance else { return bytes(of: source) }
        return bytes(of: source) + bytes(of: entrance.at) + bytes(of: entrance.number)
    }

    /// Returns the order key of a visit that begins at an instant; without a source, the lowest one
    /// at that instant.
    public static func orderKey(
        from instant: Timestamp,
        of source: UInt32 = 0,
        number: UInt32 = 0
    ) -> [UInt8] {
        bytes(of: instant) + bytes(of: source) + bytes(of: number)
    }

    /// Returns an instant as eight bytes, highest first, with the sign bit flipped.
    private static func bytes(of instant: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        return bytes
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }
}

extension VisitRow {
    /// Returns the visit, or `nil` if there was no place of its name when it began.
    ///
    /// - Parameter places: What the source's group calls places.
    /// - Returns: The visit, as it was found.
    public func found(in places: PlaceBook) -> FoundVisit? {
        places.place(named: place, on: enteredAt.timestamp).map(found)
    }

    /// Returns the visit of the place that it names.
    public func found(at place: SavedPlace) -> FoundVisit {
        FoundVisit(
            visit: Visit(
                place: place,
                enteredAt: enteredAt,
                lastInsideAt: lastInsideAt,
                leftAt: leftAt
            ),
            entrance: entrance,
            isWithinRadius: isWithinRadius,
            endedBy: endedBy
        )
    }
}
