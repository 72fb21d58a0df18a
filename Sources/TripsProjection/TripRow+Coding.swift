public import Projections
public import TripTracking

extension TripRow {
    /// The version of the row's format.
    private static let formatVersion: UInt8 = 2

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
        booked.write(to: &writer)
        return writer.bytes
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(StateError) {
        self.init(try Self.bookedTrip(decoding: value))
    }

    /// Reads the trip of a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public static func bookedTrip(decoding value: [UInt8]) throws(StateError) -> BookedTrip {
        var reader = try StateReader(value, version: Self.formatVersion)
        let booked = try BookedTrip(from: &reader)
        try reader.finish()
        return booked
    }
}
