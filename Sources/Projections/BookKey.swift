import RowCoding
import TripEvents
import TripTracking

/// The keys of the book's rows: a letter for the kind, then big-endian numbers or a name.
enum BookKey {
    /// How long before an instant a trip may have started to which a decision is attached, in
    /// hours.
    ///
    /// No drive lasts two days without a pause that ends the trip.
    static let reachHours: Int64 = 48

    private static let hourMilliseconds: Int64 = 3_600_000

    /// The key of the row that counts the lists of lost decisions (``lost(period:)``).
    static let lostCount = [UInt8(ascii: "N")]

    /// The key of the row with every custom field's definitions.
    static let fields = [UInt8(ascii: "F")]

    /// The first byte of the keys of orphans.
    static let orphanPrefix = UInt8(ascii: "O")

    /// The key of a trip's entry.
    static func entry(_ trip: TripID) -> [UInt8] {
        var bytes = [UInt8(ascii: "T")]
        bytes.append(bigEndian: trip.high)
        bytes.append(bigEndian: trip.low)
        return bytes
    }

    /// The key of the list of measured trips that start in an hour.
    static func trips(hour: Int64) -> [UInt8] {
        [UInt8(ascii: "H")] + number(UInt64(bitPattern: hour))
    }

    /// The key of the list of trip ids whose lost decisions say that they started within two days.
    static func lost(period: Int64) -> [UInt8] {
        [UInt8(ascii: "L")] + number(UInt64(bitPattern: period))
    }

    /// The key of a routine's versions.
    static func routine(_ name: String) -> [UInt8] {
        [UInt8(ascii: "R")] + name.utf8
    }

    /// The key of the list of trips to which a routine was applied in a month.
    ///
    /// Names hold no control characters, so the zero byte ends the name.
    static func applications(_ name: String, month: Int64) -> [UInt8] {
        [UInt8(ascii: "A")] + name.utf8 + [0] + number(UInt64(bitPattern: month))
    }

    /// The key of an orphan: its place in event order, then the trip.
    static func orphan(_ decision: Decision, of trip: TripID) -> [UInt8] {
        [orphanPrefix] + order(of: decision) + number(trip.high) + number(trip.low)
    }

    /// The part of a key by which decisions are in order of time, each in a place of its own.
    static func order(of decision: Decision) -> [UInt8] {
        let instant = UInt64(bitPattern: decision.order.occurredAt.milliseconds) ^ 1 << 63
        return number(instant) + (0..<4).flatMap { number(decision.order.identity.words[$0]) }
    }

    /// Returns the hour that an instant lies in, counted from 1970.
    static func hour(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: hourMilliseconds)
    }

    /// Returns the two days that an instant lies in, counted from 1970.
    static func period(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: reachHours * hourMilliseconds)
    }

    /// Returns the thirty days that an instant lies in, counted from 1970.
    static func month(of instant: Timestamp) -> Int64 {
        instant.milliseconds.flooredQuotient(by: 30 * 24 * hourMilliseconds)
    }

    private static func number(_ word: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: word)
        return bytes
    }
}

/// A stored list of trip ids in ascending order.
enum TripList {
    private static let formatVersion: UInt8 = 1

    /// Returns the trips of a stored list; none if there is no such list.
    static func trips(in stored: [UInt8]?) throws(RowCodingError) -> [TripID] {
        guard let stored else { return [] }
        var reader = try RowDecoder(stored, version: formatVersion)
        var trips: [TripID] = []
        for _ in 0..<(stored.count - 1) / 16 {
            trips.append(try reader.readTripID())
        }
        try reader.finish()
        return trips
    }

    /// Adds a trip to a list or takes it away, and returns whether that changed the list; an empty
    /// list has no row.
    static func set<Rows: RowStore & ~Copyable>(
        _ trip: TripID,
        isListed: Bool,
        key: [UInt8],
        in rows: inout Rows
    ) throws -> Bool {
        var trips = try trips(in: rows.value(forKey: key))
        let index = trips.firstIndex { $0 >= trip } ?? trips.count
        let wasListed = index < trips.count && trips[index] == trip
        guard wasListed != isListed else { return false }
        if isListed {
            trips.insert(trip, at: index)
        } else {
            trips.remove(at: index)
        }
        if trips.isEmpty {
            try rows.remove(key: key)
            return true
        }
        var writer = RowEncoder(version: formatVersion)
        for trip in trips {
            writer.write(trip)
        }
        try rows.put(writer.bytes, key: key, orderKey: key)
        return true
    }
}
