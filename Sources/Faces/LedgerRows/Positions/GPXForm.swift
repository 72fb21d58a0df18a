import Papers
import TripEvents
import TripLedger

/// Writes GPX 1.1, elements in the order of its schema; times are in UTC, as it demands.
///
/// Speed and course stand in Garmin's extension of track points, which others read. It has no
/// accuracy, so that stands beside it.
struct GPXForm: TrackForm {
    func begin(to bytes: inout [UInt8]) {
        bytes +=
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Trip Ledger" \
            xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
            xmlns:ledger="urn:trip-ledger:gpx:1">

            """
            .utf8
    }

    func beginTrack(_ title: TrackTitle, of source: String, to bytes: inout [UInt8]) {
        bytes += "<trk>\n".utf8
        XMLElement.append("name", title.name, to: &bytes)
        if !title.facts.isEmpty { XMLElement.append("desc", title.facts, to: &bytes) }
        XMLElement.append("src", source, to: &bytes)
        bytes += "\n".utf8
    }

    func beginStretch(to bytes: inout [UInt8]) { bytes += "<trkseg>\n".utf8 }

    func add(_ tracked: TrackedFix, to bytes: inout [UInt8]) {
        let fix = tracked.fix
        bytes += "<trkpt lat=\"\(fix.latitude)\" lon=\"\(Self.longitude(fix.longitude))\">".utf8
        if let altitude = fix.altitude { bytes += "<ele>\(altitude)</ele>".utf8 }
        bytes += "<time>".utf8
        RFC3339.append(tracked.time.timestamp, to: &bytes)
        bytes += "</time>".utf8
        appendExtensions(fix, to: &bytes)
        bytes += "</trkpt>\n".utf8
    }

    func endStretch(to bytes: inout [UInt8]) { bytes += "</trkseg>\n".utf8 }

    func endTrack(to bytes: inout [UInt8]) { bytes += "</trk>\n".utf8 }

    func end(to bytes: inout [UInt8]) { bytes += "</gpx>\n".utf8 }

    private func appendExtensions(_ fix: FixRecorded, to bytes: inout [UInt8]) {
        let (speed, course) = (Self.known(fix.speed), Self.known(fix.course))
        let accuracy = Self.known(fix.accuracy)
        guard speed != nil || course != nil || accuracy != nil else { return }
        bytes += "<extensions>".utf8
        if speed != nil || course != nil {
            bytes += "<gpxtpx:TrackPointExtension>".utf8
            if let speed { bytes += "<gpxtpx:speed>\(speed)</gpxtpx:speed>".utf8 }
            if let course { bytes += "<gpxtpx:course>\(course)</gpxtpx:course>".utf8 }
            bytes += "</gpxtpx:TrackPointExtension>".utf8
        }
        if let accuracy { bytes += "<ledger:accuracy>\(accuracy)</ledger:accuracy>".utf8 }
        bytes += "</extensions>".utf8
    }

    /// Returns a reading; `nil` for a negative one, by which sources mean that it is unknown.
    private static func known(_ reading: ExactDecimal?) -> ExactDecimal? {
        guard let reading, reading.doubleValue >= 0 else { return nil }
        return reading
    }

    /// Returns the longitude, which GPX wants below 180.
    private static func longitude(_ longitude: ExactDecimal) -> String {
        longitude.doubleValue == 180 ? "-180" : longitude.description
    }
}

extension GPXForm: FeatureForm {
    /// Writes a waypoint, or a route from one to the next.
    func add(_ feature: MapFeature, _ row: (inout [UInt8]) -> Void, to bytes: inout [UInt8]) {
        if case .point(let point) = feature.shape {
            Self.append("wpt", point, to: &bytes)
            Self.append(time: feature.from, to: &bytes)
            Self.append(feature, to: &bytes)
            bytes += "</wpt>\n".utf8
            return
        }
        bytes += "<rte>".utf8
        Self.append(feature, to: &bytes)
        bytes += "\n".utf8
        if case .line(let start, let end) = feature.shape {
            for (point, time) in [(start, feature.from), (end, feature.to)] {
                Self.append("rtept", point, to: &bytes)
                Self.append(time: time, to: &bytes)
                bytes += "</rtept>\n".utf8
            }
        }
        bytes += "</rte>\n".utf8
    }

    private static func append(
        _ name: String,
        _ point: MapFeature.Point,
        to bytes: inout [UInt8]
    ) {
        let longitude = longitude(point.longitude)
        bytes += "<\(name) lat=\"\(point.latitude)\" lon=\"\(longitude)\">".utf8
    }

    private static func append(time: EventTime?, to bytes: inout [UInt8]) {
        guard let time else { return }
        bytes += "<time>".utf8
        RFC3339.append(time.timestamp, to: &bytes)
        bytes += "</time>".utf8
    }

    private static func append(_ feature: MapFeature, to bytes: inout [UInt8]) {
        XMLElement.append("name", feature.name, to: &bytes)
        if !feature.facts.isEmpty { XMLElement.append("desc", feature.facts, to: &bytes) }
    }
}
