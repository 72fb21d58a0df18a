import Drawing
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
        bytes += "<trkpt lat=\"\(fix.latitude)\" lon=\"\(Self.longitude(fix))\">".utf8
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

    /// Returns a reading; sources say with a negative one that they do not know it.
    private static func known(_ reading: ExactDecimal?) -> ExactDecimal? {
        guard let reading, reading.doubleValue >= 0 else { return nil }
        return reading
    }

    /// Returns the longitude, which GPX wants below 180.
    private static func longitude(_ fix: FixRecorded) -> String {
        fix.longitude.doubleValue == 180 ? "-180" : fix.longitude.description
    }
}
