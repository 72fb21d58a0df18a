import Foundation
import Geodesy
import TestSupport
import TripEvents
import TripTracking

/// A real drive's fixes in event order.
struct Trace {
    /// A line of a drive, as far as tracking is concerned.
    private struct Line: Decodable {
        var occurredAt: String?
        var lat: Double?
        var lon: Double?
        var accuracy: Double?
        var speed: Double?

        enum CodingKeys: String, CodingKey {
            case lat, lon, accuracy, speed
            case occurredAt = "occurred_at"
        }
    }

    let fixes: [(fix: Fix, stamp: EventStamp)]

    /// Reads the drive with an id; lines that the ledger would refuse are left out.
    init(_ id: String) throws {
        let lines = try SharedData.data("traces/\(id).jsonl").split(separator: UInt8(ascii: "\n"))
        var fixes: [(fix: Fix, stamp: EventStamp)] = []
        for (index, text) in lines.enumerated() {
            let line = try JSONDecoder().decode(Line.self, from: text)
            guard let time = line.occurredAt, let latitude = line.lat, let longitude = line.lon,
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            let occurredAt = Timestamp(milliseconds: try Self.milliseconds(time))
            let fix = Fix(
                occurredAt: occurredAt,
                coordinate: coordinate,
                accuracyMeters: line.accuracy,
                speedMetersPerSecond: line.speed
            )
            let stamp = EventStamp(
                occurredAt: occurredAt,
                recordedAt: occurredAt,
                position: UInt64(index)
            )
            fixes.append((fix, stamp))
        }
        self.fixes = fixes.sorted {
            ($0.fix.occurredAt, $0.stamp.position) < ($1.fix.occurredAt, $1.stamp.position)
        }
    }

    private static func milliseconds(_ text: String) throws -> Int64 {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Int64((try style.parse(text).timeIntervalSince1970 * 1_000).rounded())
    }
}

/// One row of a table of fixes: what is reported, and the verdict that it must get.
struct FixRow {
    /// Seconds after GO.
    var at: Double

    /// Metres north of where the table starts.
    var north: Double = 0

    var accuracy: Double?
    var speed: Double?
    var isMock = false

    /// The place of the fix, if it is not on the line to the north.
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
