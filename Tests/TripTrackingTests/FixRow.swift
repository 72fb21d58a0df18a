import Geodesy
import TripEvents
import TripTracking

/// One row of a table of fixes: what is reported, and the verdict that it must get.
struct FixRow {
    /// Seconds after GO.
    var at: Double

    /// Metres north of where the table starts.
    var north: Double = 0

    var accuracy: Double?
    var speed: Double?
    var isMock = false

    /// Where the fix is, if not on the line to the north.
    var coordinate: Coordinate?

    var verdict: Verdict

    /// Metres in a degree of latitude at 51.9°: 111,132.95 − 559.85 cos 2φ + 1.17 cos 4φ.
    static let metersPerDegree = 111_265.2

    static func fix(
        _ at: Double,
        north: Double,
        accuracy: Double? = nil,
        speed: Double? = nil,
        _ verdict: Verdict
    ) -> FixRow {
        FixRow(at: at, north: north, accuracy: accuracy, speed: speed, verdict: verdict)
    }

    /// The reading itself, in a trip that started at `start`.
    func fix(after start: Timestamp) throws -> Fix {
        let line = Coordinate(
            latitude: 51.9 + north / Self.metersPerDegree,
            longitude: 4.4
        )
        guard let position = coordinate ?? line else { throw OutOfRange() }
        return Fix(
            occurredAt: start.advanced(byMilliseconds: Int64((at * 1_000).rounded())),
            coordinate: position,
            accuracyMeters: accuracy,
            speedMetersPerSecond: speed,
            isMock: isMock
        )
    }

    private struct OutOfRange: Error {}
}
