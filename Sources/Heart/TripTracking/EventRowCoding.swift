package import RowCoding
package import TripEvents

extension RowEncoder {
    /// Writes the id of a trip.
    package mutating func write(_ id: TripID) {
        write(word: id.high)
        write(word: id.low)
    }

    /// Writes the identity digest of an event.
    package mutating func write(_ identity: IdentityDigest) {
        for index in 0..<4 { write(word: identity.words[index]) }
    }

    /// Writes where an event stands in event order.
    package mutating func write(_ order: EventOrder) {
        write(order.occurredAt)
        write(UInt64(order.rank))
        write(order.sequence) { $0.write($1) }
        write(order.identity)
    }

    /// Writes a GPS reading.
    mutating func write(_ fix: Fix) {
        write(fix.occurredAt)
        write(fix.coordinate)
        write(fix.accuracyMeters) { $0.write($1) }
        write(fix.speedMetersPerSecond) { $0.write($1) }
        write(fix.isMock)
    }
}

// One function for each type of choice: what is generic is not specialised for other modules, and
// costs them more than all the rest of a trip.
extension RowDecoder {
    private static let classNames = ChoiceNames(of: TripClass.self)
    private static let modeNames = ChoiceNames(of: TravelMode.self)
    private static let presetNames = ChoiceNames(of: TrackingPreset.self)

    /// Reads the id of a trip.
    package mutating func readTripID() throws(RowCodingError) -> TripID {
        TripID(high: try readWord(), low: try readWord())
    }

    /// Reads the identity digest of an event.
    package mutating func readIdentity() throws(RowCodingError) -> IdentityDigest {
        IdentityDigest(
            words: [try readWord(), try readWord(), try readWord(), try readWord()]
        )
    }

    /// Reads where an event stands in event order.
    package mutating func readEventOrder() throws(RowCodingError) -> EventOrder {
        let occurredAt = try readTimestamp()
        guard let rank = UInt8(exactly: try readUInt64()) else { throw .invalidValue }
        return EventOrder(
            occurredAt: occurredAt,
            rank: rank,
            sequence: try readOptional { reader throws(RowCodingError) in
                try reader.readUInt64()
            },
            identity: try readIdentity()
        )
    }

    /// Reads a GPS reading.
    mutating func readFix() throws(RowCodingError) -> Fix {
        Fix(
            occurredAt: try readTimestamp(),
            coordinate: try readCoordinate(),
            accuracyMeters: try readOptional { reader throws(RowCodingError) in
                try reader.readDouble()
            },
            speedMetersPerSecond: try readOptional { reader throws(RowCodingError) in
                try reader.readDouble()
            },
            isMock: try readBool()
        )
    }

    /// Reads the class of a trip.
    package mutating func readTripClass() throws(RowCodingError) -> TripClass {
        TripClass.allCases[try readIndex(in: Self.classNames)]
    }

    /// Reads the means of transport of a trip.
    package mutating func readTravelMode() throws(RowCodingError) -> TravelMode {
        TravelMode.allCases[try readIndex(in: Self.modeNames)]
    }

    /// Reads a preset of the tracking rules.
    mutating func readTrackingPreset() throws(RowCodingError) -> TrackingPreset {
        TrackingPreset.allCases[try readIndex(in: Self.presetNames)]
    }
}
