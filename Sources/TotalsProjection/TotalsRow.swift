public import Projections
public import RowCoding
public import TripEvents
import TripTracking

/// The totals of the trips that start in one hour UTC, split into cells.
public struct TotalsRow: ViewRow {
    private static let formatVersion: UInt8 = 2

    /// The hour, counted from 1970-01-01T00Z.
    public let hour: Int64

    /// The cells in ascending order of their keys' bytes.
    public private(set) var cells: [TotalsCell] = []

    /// Creates the row of an hour in which no trip starts.
    public init(hour: Int64) {
        self.hour = hour
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        hour = try reader.readInt64()
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
        writer.write(UInt64(cells.count))
        for cell in cells {
            cell.key.write(to: &writer)
            cell.sums.write(to: &writer)
        }
        return writer.bytes
    }

    /// The hour: 8 bytes.
    public var key: [UInt8] { Self.key(hour: hour) }

    /// The hour too: rows are in order of time.
    public var orderKey: [UInt8] { key }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: TotalsRow { self }

    /// Returns the key of the row of the hour in which an instant lies.
    public static func key(of instant: Timestamp) -> [UInt8] {
        key(hour: instant.milliseconds.flooredQuotient(by: 3_600_000))
    }

    /// Returns the key of an hour's row: the number with the sign bit flipped, highest byte first.
    public static func key(hour: Int64) -> [UInt8] {
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
