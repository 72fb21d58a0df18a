package import Geodesy
package import TripEvents

extension StateWriter {
    /// Writes an instant.
    package mutating func write(_ instant: Timestamp) {
        write(instant.milliseconds)
    }

    /// Writes an instant with its offset from UTC.
    package mutating func write(_ time: EventTime) {
        write(time.timestamp)
        write(time.utcOffset) { $0.write(Int64($1.minutes)) }
    }

    /// Writes a distance.
    package mutating func write(_ distance: Distance) {
        write(distance.millimeters)
    }

    /// Writes a position.
    package mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    /// Writes the id of a trip.
    package mutating func write(_ id: TripID) {
        write(word: id.high)
        write(word: id.low)
    }

    /// Writes a choice by its name.
    @inlinable
    package mutating func write(_ choice: some RawRepresentable<String>) {
        write(choice.rawValue)
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
