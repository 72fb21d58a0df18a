public import Geodesy
public import Projections
public import RowCoding
public import TripEvents
public import TripTracking

/// The totals of the trips that start in one hour UTC and have a key in common.
///
/// Keys may be too long for those of a table, so a short hash stands for the key: in the rare case
/// that keys of one hour have the same hash, their cells share the row.
public struct TotalsRow: ViewRow {
    private static let formatVersion: UInt8 = 6

    /// The hour, counted from 1970-01-01T00Z.
    public let hour: Int64

    /// The short hash of the cells' keys.
    private let shortHash: UInt32

    /// The cells in ascending order of their keys' bytes: nearly always one.
    public private(set) var cells: [TotalsCell] = []

    /// Creates the row in which the trips with a key are added up, without trips.
    init(for key: TotalsKey) {
        hour = key.hour
        shortHash = key.shortHash
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        hour = try reader.readInt64()
        shortHash = UInt32(truncatingIfNeeded: try reader.readUInt64())
        for _ in 0..<(try reader.readAmount()) {
            let key = try TotalsKey(from: &reader)
            cells.append(TotalsCell(key: key, sums: try TotalsSums(from: &reader)))
        }
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(hour)
        writer.write(UInt64(shortHash))
        writer.write(UInt64(cells.count))
        for cell in cells {
            cell.key.write(to: &writer)
            cell.sums.write(to: &writer)
        }
        return writer.bytes
    }

    /// The hour and the short hash: 12 bytes.
    public var key: [UInt8] {
        Self.key(hour: hour) + (0..<4).map { UInt8(truncatingIfNeeded: shortHash >> (24 - 8 * $0)) }
    }

    /// The key too: rows are in order of time.
    public var orderKey: [UInt8] { key }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: TotalsRow { self }

    /// Returns with what the keys of the rows of the hour begin in which an instant lies.
    public static func key(of instant: Timestamp) -> [UInt8] {
        key(hour: instant.milliseconds.flooredQuotient(by: 3_600_000))
    }

    /// Returns with what the keys of an hour's rows begin: the number with the sign bit flipped,
    /// highest byte first.
    private static func key(hour: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: hour) ^ (1 << 63))
        return bytes
    }

    /// Adds a trip that counts.
    mutating func add(_ sums: TotalsSums, to key: TotalsKey) {
        let (index, isThere) = position(of: key)
        if isThere {
            cells[index].sums += sums
        } else {
            cells.insert(TotalsCell(key: key, sums: sums), at: index)
        }
    }

    /// Takes a trip away that was added before.
    mutating func subtract(_ sums: TotalsSums, from key: TotalsKey) {
        let (index, isThere) = position(of: key)
        guard isThere else { return }
        cells[index].sums -= sums
        if cells[index].sums.trips == 0 { cells.remove(at: index) }
    }

    private func position(of key: TotalsKey) -> (index: Int, isThere: Bool) {
        let bytes = key.encoded
        for (index, cell) in cells.enumerated() {
            let other = cell.key.encoded
            if other == bytes { return (index, true) }
            if bytes.lexicographicallyPrecedes(other) { return (index, false) }
        }
        return (cells.count, false)
    }
}

/// The sums over trips that have a key in common.
public struct TotalsCell: Hashable, Sendable {
    /// What the trips have in common.
    public let key: TotalsKey

    /// The sums over them.
    public internal(set) var sums: TotalsSums

    /// Creates a cell.
    public init(key: TotalsKey, sums: TotalsSums) {
        self.key = key
        self.sums = sums
    }
}

/// The properties that the trips of one cell share.
///
/// Whole minutes keep every grouping exact that comes later: RFC 3339 and time zones know no
/// offsets in between, so all trips of a cell start on one local day, whatever the zone.
public struct TotalsKey: Hashable, Sendable {
    static let millisecondsPerMinute: Int64 = 60_000
    private static let minutesPerHour: Int64 = 60

    /// The minute of the start, counted from 1970-01-01T00:00Z.
    public let startMinute: Int64

    /// The trip's own offset from UTC at the start, if it is known.
    public let utcOffset: UTCOffset?

    /// The source.
    public let source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    public let group: String?

    /// The vehicle, if it is known.
    public let vehicle: String?

    /// The class.
    public let tripClass: TripClass

    /// The client, if there is one.
    public let client: String?

    /// Why the trips are in no sum of trips; `nil` for those that count.
    public let uncounted: AbandonReason?

    /// Creates a key.
    public init(
        startMinute: Int64,
        utcOffset: UTCOffset?,
        source: String,
        group: String? = nil,
        vehicle: String?,
        tripClass: TripClass,
        client: String?,
        uncounted: AbandonReason? = nil
    ) {
        self.startMinute = startMinute
        self.utcOffset = utcOffset
        self.source = source
        self.group = group
        self.vehicle = vehicle
        self.tripClass = tripClass
        self.client = client
        self.uncounted = uncounted
    }

    /// Creates the key of a trip that starts at an instant.
    init(
        startedAt: EventTime,
        source: String,
        group: String?,
        vehicle: String?,
        tripClass: TripClass,
        client: String?,
        uncounted: AbandonReason? = nil
    ) {
        self.init(
            startMinute: startedAt.timestamp.milliseconds.flooredQuotient(
                by: Self.millisecondsPerMinute
            ),
            utcOffset: startedAt.utcOffset,
            source: source,
            group: group,
            vehicle: vehicle,
            tripClass: tripClass,
            client: client,
            uncounted: uncounted
        )
    }

    /// Creates the key of a trip.
    init(of ends: TripEnds) {
        self.init(
            startedAt: ends.startedAt,
            source: ends.source,
            group: ends.group,
            vehicle: ends.vehicle,
            tripClass: ends.tripClass,
            client: ends.client
        )
    }

    /// Returns the local day on which the trips start.
    func daysSince1970(by rule: LocalDay) -> Int {
        let start = Timestamp(milliseconds: startMinute * Self.millisecondsPerMinute)
        return rule.daysSince1970(of: EventTime(start, utcOffset: utcOffset))
    }

    /// The hour of the start, counted from 1970-01-01T00Z.
    var hour: Int64 { startMinute.flooredQuotient(by: Self.minutesPerHour) }

    /// FNV-1a with 32 bits over the key's bytes: the same on every machine.
    var shortHash: UInt32 {
        encoded.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }

    /// The key as bytes, which distinguish and order the cells.
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
        writer.write(group) { $0.write($1) }
        writer.write(uncounted) { $0.write($1) }
    }

    /// Reads a key.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        startMinute = try reader.readInt64()
        utcOffset = try reader.readOptionalUTCOffset()
        source = try reader.readText()
        vehicle = try reader.readOptionalText()
        tripClass = try reader.readTripClass()
        client = try reader.readOptionalText()
        group = try reader.readOptionalText()
        uncounted = try reader.readBool() ? try reader.readAbandonReason() : nil
    }
}

/// Exact sums over trips, in whole millimetres and milliseconds.
public struct TotalsSums: Hashable, Sendable {
    /// The number of trips.
    public private(set) var trips: Int64 = 0

    /// The distance as claimed: the one that a person set, else the measured one.
    public private(set) var distance: Distance = .zero

    /// The distance that recorders alone measured: of trips that a person reported, nothing.
    public private(set) var measuredDistance: Distance = .zero

    /// The distance of stretches that people excluded.
    public private(set) var excluded: Distance = .zero

    /// The gaps, which were not measured: beside the distance and never in it.
    public private(set) var gaps = GapTotal()

    /// The time from the starts to the ends, in milliseconds.
    public private(set) var drivingMilliseconds: Int64 = 0

    /// How long the trips moved, in milliseconds: gaps left out.
    public private(set) var movingMilliseconds: Int64 = 0

    /// Creates the sums over no trips.
    public init() {}

    /// Creates the sums over one trip.
    public init(_ booked: BookedTrip) {
        let trip = booked.trip
        let end = trip.endedAt ?? trip.startedAt
        trips = 1
        distance = booked.claimedDistance
        measuredDistance = booked.isMeasured ? trip.distance : .zero
        excluded = trip.excluded
        gaps = trip.gaps
        drivingMilliseconds = max(
            0,
            end.timestamp.milliseconds(since: trip.startedAt.timestamp)
        )
        movingMilliseconds = trip.movingMilliseconds
    }

    /// Adds the sums over other trips.
    public static func += (sums: inout TotalsSums, others: TotalsSums) {
        sums.trips += others.trips
        sums.distance += others.distance
        sums.measuredDistance += others.measuredDistance
        sums.excluded += others.excluded
        sums.gaps.count += others.gaps.count
        sums.gaps.milliseconds += others.gaps.milliseconds
        sums.gaps.distance += others.gaps.distance
        sums.drivingMilliseconds += others.drivingMilliseconds
        sums.movingMilliseconds += others.movingMilliseconds
    }

    /// Takes the sums over some of the trips away.
    public static func -= (sums: inout TotalsSums, some: TotalsSums) {
        sums.trips -= some.trips
        sums.distance -= some.distance
        sums.measuredDistance -= some.measuredDistance
        sums.excluded -= some.excluded
        sums.gaps.count -= some.gaps.count
        sums.gaps.milliseconds -= some.gaps.milliseconds
        sums.gaps.distance -= some.gaps.distance
        sums.drivingMilliseconds -= some.drivingMilliseconds
        sums.movingMilliseconds -= some.movingMilliseconds
    }

    /// Writes the sums, member by member in order of declaration.
    func write(to writer: inout RowEncoder) {
        writer.write(trips)
        writer.write(distance)
        writer.write(measuredDistance)
        writer.write(excluded)
        writer.write(gaps.count)
        writer.write(gaps.milliseconds)
        writer.write(gaps.distance)
        writer.write(drivingMilliseconds)
        writer.write(movingMilliseconds)
    }

    /// Reads sums.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trips = try reader.readAmount()
        distance = try reader.readDistance()
        measuredDistance = try reader.readDistance()
        excluded = try reader.readDistance()
        gaps = GapTotal(
            count: try reader.readAmount(),
            milliseconds: try reader.readAmount(),
            distance: try reader.readDistance()
        )
        drivingMilliseconds = try reader.readAmount()
        movingMilliseconds = try reader.readAmount()
    }
}
