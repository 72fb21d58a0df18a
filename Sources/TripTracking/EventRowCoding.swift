package import RowCoding
package import TripEvents

extension RowEncoder {
    /// Writes the id of a trip.
    package mutating func write(_ id: TripID) {
        write(word: id.high)
        write(word: id.low)
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
    private static let presetNames = ChoiceNames(of: TrackingPreset.self)

    /// Reads the id of a trip.
    package mutating func readTripID() throws(RowCodingError) -> TripID {
        TripID(high: try readWord(), low: try readWord())
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

    /// Reads a preset of the tracking rules.
    mutating func readTrackingPreset() throws(RowCodingError) -> TrackingPreset {
        TrackingPreset.allCases[try readIndex(in: Self.presetNames)]
    }
}
