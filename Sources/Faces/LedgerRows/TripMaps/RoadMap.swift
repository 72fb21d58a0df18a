import Geodesy
import Maps
package import TripLedger

/// How often each road was driven, as GeoJSON (RFC 7946): `roads.v1.schema.json`.
package struct RoadMap {
    /// The lines of each trip, in the order in which trips came.
    private var lines: [[[Coordinate]]] = []

    /// Begins a map without roads.
    package init() {}

    /// Adds the way of a trip.
    package mutating func add(_ way: TripWay) {
        var parts: [[Coordinate]] = []
        for point in way.points {
            if point.isAfterBreak || parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(point.coordinate)
        }
        if !parts.isEmpty { lines.append(parts) }
    }

    /// Appends the roads, a feature for each class of them, from seldom to often.
    package func write(to bytes: inout [UInt8]) {
        bytes += #"{"type":"FeatureCollection","features":["#.utf8
        for (number, roads) in RoadLines(lines).classes.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += #"{"type":"Feature","geometry":{"type":"MultiLineString","#.utf8
            bytes += #""coordinates":["#.utf8
            append(roads.lines, to: &bytes) { line, bytes in
                bytes.append(UInt8(ascii: "["))
                append(line, to: &bytes) { position, bytes in
                    let (east, north) = (position.longitude, position.latitude)
                    bytes += "[\(Self.rounded(east)),\(Self.rounded(north))]".utf8
                }
                bytes.append(UInt8(ascii: "]"))
            }
            bytes += #"]},"properties":{"trips_from":\#(roads.trips.lowerBound),"#.utf8
            bytes += #""trips_to":\#(roads.trips.upperBound)}}"#.utf8
        }
        bytes += "]}".utf8
    }

    /// Rounds degrees to about a metre: a road is not known more precisely.
    private static func rounded(_ degree: Double) -> Double {
        (degree * 100_000).rounded() / 100_000
    }

    private func append<Element>(
        _ elements: [Element],
        to bytes: inout [UInt8],
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        for (number, element) in elements.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
    }
}
