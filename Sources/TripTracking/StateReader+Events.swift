package import Geodesy
package import TripEvents

extension StateReader {
    /// Reads a count or an amount, which is never negative; damage MUST NOT make a later sum
    /// overflow.
    @inline(__always)
    package mutating func readAmount() throws(StateError) -> Int64 {
        let amount = try readInt64()
        guard (0...1 << 53).contains(amount) else { throw .invalidValue }
        return amount
    }

    /// Reads an instant, which has 48 bits as in an entry.
    @inline(__always)
    package mutating func readTimestamp() throws(StateError) -> Timestamp {
        let milliseconds = try readInt64()
        guard (-1 << 47..<1 << 47).contains(milliseconds) else { throw .invalidValue }
        return Timestamp(milliseconds: milliseconds)
    }

    /// Reads an instant with its offset from UTC.
    package mutating func readEventTime() throws(StateError) -> EventTime {
        let timestamp = try readTimestamp()
        let offset = try readOptional { reader throws(StateError) in
            guard let minutes = Int(exactly: try reader.readInt64()),
                let offset = UTCOffset(minutes: minutes)
            else { throw .invalidValue }
            return offset
        }
        return EventTime(timestamp, utcOffset: offset)
    }

    /// Reads a distance.
    package mutating func readDistance() throws(StateError) -> Distance {
        Distance(millimeters: try readAmount())
    }

    /// Reads a position.
    package mutating func readCoordinate() throws(StateError) -> Coordinate {
        let latitude = try readDouble()
        let longitude = try readDouble()
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw .invalidValue
        }
        return coordinate
    }

    /// Reads the id of a trip.
    package mutating func readTripID() throws(StateError) -> TripID {
        TripID(high: try readWord(), low: try readWord())
    }

    /// Reads an instant that may be absent.
    package mutating func readOptionalTimestamp() throws(StateError) -> Timestamp? {
        try readOptional { reader throws(StateError) in try reader.readTimestamp() }
    }

    /// Reads a GPS reading.
    mutating func readFix() throws(StateError) -> Fix {
        Fix(
            occurredAt: try readTimestamp(),
            coordinate: try readCoordinate(),
            accuracyMeters: try readOptional { reader throws(StateError) in
                try reader.readDouble()
            },
            speedMetersPerSecond: try readOptional { reader throws(StateError) in
                try reader.readDouble()
            },
            isMock: try readBool()
        )
    }
}
