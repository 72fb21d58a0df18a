import Tables
import TripEvents
import TripLedger

/// Writes GeoJSON (RFC 7946): each fix is a point with the members of its row as properties.
///
/// A line would have no place for the accuracy, speed and verdict of a fix, and would have to wait
/// in memory for its times.
struct GeoJSONForm: TrackForm {
    /// The time has the name that other programs look for.
    private static let properties = Columns<TrackedFix> {
        Column.saidTime("time") { $0.time }
        TrackedFix.columns.without(["occurred_at", "lat", "lon", "altitude"])
    }

    private var isFirst = true

    func begin(to bytes: inout [UInt8]) {
        bytes += #"{"type":"FeatureCollection","features":["#.utf8
    }

    func beginTrack(_ title: TrackTitle, of source: String, to bytes: inout [UInt8]) {}

    func beginStretch(to bytes: inout [UInt8]) {}

    mutating func add(_ tracked: TrackedFix, to bytes: inout [UInt8]) {
        beginFeature(to: &bytes)
        let fix = tracked.fix
        let altitude = fix.altitude.map { ",\($0)" } ?? ""
        bytes += #"{"type":"Point","coordinates":["#.utf8
        bytes += "\(fix.longitude),\(fix.latitude)\(altitude)]},\"properties\":".utf8
        Self.properties.appendJSON(tracked, to: &bytes, by: nil)
        bytes.append(UInt8(ascii: "}"))
    }

    func endStretch(to bytes: inout [UInt8]) {}

    func endTrack(to bytes: inout [UInt8]) {}

    func end(to bytes: inout [UInt8]) { bytes += "\n]}\n".utf8 }

    private mutating func beginFeature(to bytes: inout [UInt8]) {
        bytes += (isFirst ? "\n" : ",\n").utf8
        isFirst = false
        bytes += #"{"type":"Feature","geometry":"#.utf8
    }
}

extension GeoJSONForm: FeatureForm {
    /// Writes a point or a line with the row's JSON as its properties.
    mutating func add(
        _ feature: MapFeature,
        _ row: (inout [UInt8]) -> Void,
        to bytes: inout [UInt8]
    ) {
        beginFeature(to: &bytes)
        switch feature.shape {
        case nil: bytes += "null".utf8
        case .point(let point):
            bytes += "{\"type\":\"Point\",\"coordinates\":\(Self.text(point))}".utf8
        case .line(let start, let end):
            let points = "\(Self.text(start)),\(Self.text(end))"
            bytes += "{\"type\":\"LineString\",\"coordinates\":[\(points)]}".utf8
        }
        bytes += #","properties":"#.utf8
        row(&bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func text(_ point: MapFeature.Point) -> String {
        "[\(point.longitude),\(point.latitude)]"
    }
}
