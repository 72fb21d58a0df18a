import Papers
import TripEvents
import TripLedger

/// Writes KML 2.2 with Google's `gx:Track`, which KML 2.3 took over.
///
/// A track has all its times before all its coordinates: the latter wait in memory, and a track
/// that is too long for that goes on in another one.
struct KMLForm: TrackForm {
    private static let mostWaiting = 1 << 16

    /// The coordinates of the current track, and their number.
    private var waiting: [UInt8] = []
    private var waitingCount = 0

    func begin(to bytes: inout [UInt8]) {
        bytes +=
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" \
            xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>

            """
            .utf8
    }

    func beginTrack(_ title: TrackTitle, of source: String, to bytes: inout [UInt8]) {
        bytes += "<Placemark>\n".utf8
        XMLElement.append("name", title.name, to: &bytes)
        XMLElement.append("description", title.facts.isEmpty ? source : title.facts, to: &bytes)
        bytes += "\n<gx:MultiTrack>\n".utf8
    }

    func beginStretch(to bytes: inout [UInt8]) { bytes += "<gx:Track>\n".utf8 }

    mutating func add(_ tracked: TrackedFix, to bytes: inout [UInt8]) {
        if waitingCount == Self.mostWaiting {
            endStretch(to: &bytes)
            beginStretch(to: &bytes)
        }
        bytes += "<when>".utf8
        RFC3339.append(tracked.time.timestamp, to: &bytes)
        bytes += "</when>\n".utf8
        let fix = tracked.fix
        let altitude = fix.altitude.map { " \($0)" } ?? ""
        waiting += "<gx:coord>\(fix.longitude) \(fix.latitude)\(altitude)</gx:coord>\n".utf8
        waitingCount += 1
    }

    mutating func endStretch(to bytes: inout [UInt8]) {
        bytes += waiting
        waiting.removeAll(keepingCapacity: true)
        waitingCount = 0
        bytes += "</gx:Track>\n".utf8
    }

    func endTrack(to bytes: inout [UInt8]) { bytes += "</gx:MultiTrack>\n</Placemark>\n".utf8 }

    func end(to bytes: inout [UInt8]) { bytes += "</Document>\n</kml>\n".utf8 }
}

extension KMLForm: FeatureForm {
    /// Writes a placemark, with the time that it lasted.
    func add(_ feature: MapFeature, _ row: (inout [UInt8]) -> Void, to bytes: inout [UInt8]) {
        bytes += "<Placemark>".utf8
        XMLElement.append("name", feature.name, to: &bytes)
        if !feature.facts.isEmpty { XMLElement.append("description", feature.facts, to: &bytes) }
        if let from = feature.from {
            bytes += "<TimeSpan>".utf8
            Self.append("begin", from, to: &bytes)
            if let to = feature.to { Self.append("end", to, to: &bytes) }
            bytes += "</TimeSpan>".utf8
        }
        switch feature.shape {
        case nil: break
        case .point(let point):
            bytes += "<Point><coordinates>\(Self.text(point))</coordinates></Point>".utf8
        case .line(let start, let end):
            let points = "\(Self.text(start)) \(Self.text(end))"
            bytes += "<LineString><coordinates>\(points)</coordinates></LineString>".utf8
        }
        bytes += "</Placemark>\n".utf8
    }

    private static func append(_ name: String, _ time: EventTime, to bytes: inout [UInt8]) {
        bytes += "<\(name)>".utf8
        RFC3339.append(time.timestamp, to: &bytes)
        bytes += "</\(name)>".utf8
    }

    private static func text(_ point: MapFeature.Point) -> String {
        "\(point.longitude),\(point.latitude)"
    }
}
