import TripEvents

/// A format in which others write where they were: what `--as` names.
public enum ImportFormat: String, CaseIterable, Sendable {
    /// The ledger's own lines of JSON, one event each.
    case jsonl

    /// CloudEvents 1.0 in JSON, whose data are events.
    case cloudevents

    /// OwnTracks: messages as JSON, recorder files (`.rec`) and the official export.
    case owntracks

    /// Overland: batches of GeoJSON features.
    case overland

    /// Traccar: positions as its server gives them, JSON or a table.
    case traccar

    /// The protocol that is called after OsmAnd: queries, or JSON objects.
    case osmand

    /// Google's location history: `Records.json`, a phone's `Timeline.json` and the forms between.
    case google

    /// GPX 1.0 and 1.1.
    case gpx

    /// GeoJSON: points with a time, lines with a list of times.
    case geojson

    /// KML: tracks, and points with times.
    case kml

    /// Training Center XML, as watches and Strava write it.
    case tcx

    /// FIT files of watches and bicycle computers.
    case fit

    /// NMEA 0183 sentences.
    case nmea

    /// What gpsd reports as JSON.
    case gpsd

    /// GPSLogger's table.
    case gpslogger

    /// States of Home Assistant's trackers, and their history.
    case homeassistant

    /// TeslaMate's tables of drives and positions.
    case teslamate

    /// Dawarich's exports of points, and its archive of a user's data.
    case dawarich

    /// MileIQ's table of trips.
    case mileiq

    /// Everlance's table of trips.
    case everlance

    /// Driversnote's table of trips.
    case driversnote

    /// Any other table with a header line that names its columns.
    case csv

    /// The name that people use.
    public var title: String {
        switch self {
        case .jsonl: "the ledger's JSON lines"
        case .cloudevents: "CloudEvents"
        case .owntracks: "OwnTracks"
        case .overland: "Overland"
        case .traccar: "Traccar"
        case .osmand: "OsmAnd's protocol"
        case .google: "Google Timeline"
        case .gpx: "GPX"
        case .geojson: "GeoJSON"
        case .kml: "KML"
        case .tcx: "TCX"
        case .fit: "FIT"
        case .nmea: "NMEA 0183"
        case .gpsd: "gpsd"
        case .gpslogger: "GPSLogger"
        case .homeassistant: "Home Assistant"
        case .teslamate: "TeslaMate"
        case .dawarich: "Dawarich"
        case .mileiq: "MileIQ"
        case .everlance: "Everlance"
        case .driversnote: "Driversnote"
        case .csv: "CSV"
        }
    }
}

extension ImportFormat {
    /// Whether it is a table, whose times may be those of the clocks on the wall.
    public var isTable: Bool {
        switch self {
        case .mileiq, .everlance, .driversnote, .teslamate, .csv: true
        case .jsonl, .cloudevents, .owntracks, .overland, .traccar, .osmand, .google, .gpx,
            .geojson, .kml, .tcx, .fit, .nmea, .gpsd, .gpslogger, .homeassistant, .dawarich:
            false
        }
    }

    /// Whether it is XML, of which broken characters and references are repaired as it comes in.
    var isXML: Bool {
        switch self {
        case .gpx, .kml, .tcx: true
        case .jsonl, .cloudevents, .owntracks, .overland, .traccar, .osmand, .google, .geojson,
            .fit, .nmea, .gpsd, .gpslogger, .homeassistant, .teslamate, .dawarich, .mileiq,
            .everlance, .driversnote, .csv:
            false
        }
    }

    /// The number of bytes of an input that tell its format.
    public static let headByteCount = 1 << 16

    /// Recognises a format by how an input begins, never by its name.
    ///
    /// - Parameter head: The first ``headByteCount`` bytes, or all if there are fewer.
    /// - Returns: The format; `nil` if it is not a known one.
    public static func recognized(in head: Span<UInt8>) -> ImportFormat? {
        if FITReader.looksLikeOne(head) { return .fit }
        let text = TextDecoding.utf8(of: head)
        return recognized(inText: text.span)
    }

    private static func recognized(inText text: Span<UInt8>) -> ImportFormat? {
        let start = JSONLexer.skipSpace(text, from: 0)
        guard start < text.count else { return nil }
        switch text[start] {
        case UInt8(ascii: "<"): return recognizedXML(text, from: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return recognizedJSON(text, from: start)
        default: break
        }
        // An input that begins with a NUL is not text: usually it is an archive in an archive.
        // After the first lines, NULs are what a power cut leaves in a file that was being written.
        let beginning = start..<min(start + Self.leastTextBytes, text.count)
        guard !beginning.contains(where: { text[$0] == 0 }) else { return nil }
        let isDriversnote = DriversnoteFormat.isNamed(in: text)
        var isFirst = true
        var position = start
        // A comment or two may come before what tells the format.
        for _ in 0..<Self.mostLinesLooked where position < text.count {
            let end = text.firstLineFeed(from: position) ?? text.count
            let line = position..<end
            position = end + 1
            guard line.count <= Self.longestHeader else { continue }
            if NMEASentence.looksLikeOne(text, line) { return .nmea }
            if OwnTracksLine.looksLikeOne(text, line) { return .owntracks }
            if OsmAndQueries.looksLikeOne(text, line) { return .osmand }
            if let header = CSVHeader(text, line), isFirst || text[line.lowerBound] != 0x23 {
                return header.format
            }
            if let header = ReportedTripsHeader(text, line) { return header.format }
            if let format = KnownTables.format(text, line) { return format }
            if isDriversnote, DriversnoteFormat.namesColumns(text, line) { return .driversnote }
            isFirst = false
        }
        return nil
    }

    private static let mostLinesLooked = 40

    /// The fewest bytes without a NUL that are a text.
    private static let leastTextBytes = 64

    /// The most bytes of a line that tells a format.
    private static let longestHeader = 1 << 13

    /// Tells Google's forms by the names that only they have.
    private static func isGoogle(_ text: Span<UInt8>, from start: Int) -> Bool {
        [
            "latitudeE7", "semanticSegments", "rawSignals", "timelineEdits", "timelineObjects",
            "durationMinutesOffsetFromStartTime", "placeLocation", "topCandidate",
        ]
        .contains { text.contains("\"\($0)\"", from: start) }
    }

    /// Tells XML by the name of its outermost element, whatever prefix it has.
    private static func recognizedXML(_ text: Span<UInt8>, from start: Int) -> ImportFormat? {
        switch OutermostElement.name(in: text, from: start) {
        case "gpx": .gpx
        case "kml": .kml
        case "TrainingCenterDatabase": .tcx
        default: nil
        }
    }

    /// Tells JSON by the names that stand in its beginning, which may be cut anywhere.
    private static func recognizedJSON(_ text: Span<UInt8>, from start: Int) -> ImportFormat? {
        func has(_ name: String) -> Bool { text.contains("\"\(name)\"", from: start) }
        if has("specversion") { return .cloudevents }
        if has("occurred_at") { return .jsonl }
        if let format = recognizedGPSD(text, from: start) { return format }
        if HomeAssistantFormat.looksLikeOne(text, from: start) { return .homeassistant }
        if isGoogle(text, from: start) { return .google }
        if DawarichFormat.looksLikeOne(text, from: start) { return .dawarich }
        if has("coords"), has("location") || has("latitude") { return .osmand }
        if has("deviceId"), has("latitude") || has("startPositionId") { return .traccar }
        if has("locations"), has("Feature") { return .overland }
        if has("FeatureCollection") || has("Feature") && has("geometry") { return .geojson }
        let isOwnTracks = has("_type") || has("tst") && has("lat")
        return isOwnTracks ? .owntracks : nil
    }

    /// Recognises what gpsd sends: after its greeting, sentences of NMEA may come (`gpspipe -r`) or
    /// its own reports (`gpspipe -w`).
    private static func recognizedGPSD(_ text: Span<UInt8>, from start: Int) -> ImportFormat? {
        guard text.contains("\"class\"", from: start) else { return nil }
        let kinds = ["TPV", "SKY", "VERSION", "DEVICES", "DEVICE", "WATCH"]
        guard kinds.contains(where: { text.contains("\"\($0)\"", from: start) }) else {
            return nil
        }
        if text.contains("\"TPV\"", from: start) { return .gpsd }
        var position = start
        while let end = text.firstLineFeed(from: position) {
            if NMEASentence.looksLikeOne(text, position..<end) { return .nmea }
            position = end + 1
        }
        return .gpsd
    }
}
