import Importers
import TripEvents

/// Fixes written in the formats of others, by writers that share nothing with the importers.
struct DrivesInFormats {
    private struct Reading {
        let milliseconds: Int64
        let latitude: Int64
        let longitude: Int64
        let accuracy: Int64
        let speed: Int64
    }

    private let readings: [Reading]

    /// Takes the fixes of simulated drives: positions to 10⁻⁷ degrees, speeds to 10 m/s.
    init(_ events: [TripEvent]) {
        readings = events.compactMap { event in
            guard case .fixRecorded(let fix) = event.body else { return nil }
            return Reading(
                milliseconds: event.occurredAt.milliseconds / 1_000 * 1_000,
                latitude: Int64((fix.latitude.doubleValue * 1e7).rounded()),
                longitude: Int64((fix.longitude.doubleValue * 1e7).rounded()),
                accuracy: Int64(fix.accuracy?.doubleValue ?? 9),
                speed: Int64(fix.speed?.doubleValue ?? 0)
            )
        }
    }

    /// The lines that an importer has to make of them.
    func expected(_ format: ImportFormat) -> [String] {
        readings.map { reading in
            var line =
                #"{"type":"fix_recorded","source":"car","occurred_at":""#
                + "\(Self.iso(reading.milliseconds))\","
                + (format == .cloudevents ? "\"id\":\"\(reading.milliseconds)\"," : "")
                + "\"lat\":\(Self.degrees(reading.latitude, as: format)),"
                + "\"lon\":\(Self.degrees(reading.longitude, as: format))"
            if format == .nmea || format == .traccar {
                let metersPerHour = Double(Self.hundredthKnots(reading.speed)) * 18.52
                let millimeters = Int64((metersPerHour / 3.6).rounded())
                if format == .traccar { line += ",\"accuracy\":\(reading.accuracy)" }
                line += ",\"speed\":\(Self.decimal(millimeters, decimals: 3))"
            } else if format == .fit {
                line += ",\"accuracy\":\(reading.accuracy)"
                line += reading.speed == 0 ? ",\"speed\":0" : ",\"speed\":\(reading.speed)"
            } else if [.tcx, .teslamate].contains(format) {
                line += ",\"speed\":\(reading.speed)"
            } else if format != .kml {
                line += ",\"accuracy\":\(reading.accuracy),\"speed\":\(reading.speed)"
            }
            if [.nmea, .google, .gpsd].contains(format) { line += #","provider":"gps""# }
            return line + "}"
        }
    }

    /// The same in a format.
    func bytes(_ format: ImportFormat) -> [UInt8] {
        format == .fit ? fit : Array(text(format).utf8)
    }

    private func text(_ format: ImportFormat) -> String {
        switch format {
        case .jsonl, .fit: ""
        case .cloudevents: cloudevents
        case .owntracks: owntracks
        case .overland: overland
        case .traccar: traccar
        case .osmand: osmand
        case .google: google
        case .gpx: gpx
        case .geojson: geojson
        case .kml: kml
        case .tcx: tcx
        case .nmea: nmea
        case .gpsd: gpsd
        case .gpslogger: gpslogger
        case .homeassistant: homeassistant
        case .teslamate: teslamate
        case .dawarich: dawarich
        case .mileiq: mileiq
        case .everlance: everlance
        case .driversnote: driversnote
        case .csv: csv
        }
    }

    private var cloudevents: String {
        readings.map { reading in
            #"{"specversion":"1.0","type":"fix_recorded","source":"urn:ledger:source:van","id":"#
                + #""\#(reading.milliseconds)","time":"\#(Self.iso(reading.milliseconds))","#
                + #""data":{"lat":\#(Self.degrees(reading.latitude)),"#
                + #""lon":\#(Self.degrees(reading.longitude)),"#
                + #""accuracy":\#(reading.accuracy),"speed":\#(reading.speed)}}"#
        }
        .joined(separator: "\n")
    }

    private var owntracks: String {
        readings.map { reading in
            let time = Self.iso(reading.milliseconds).replacing(".000", with: "")
            // 18 km/h are 5 m/s.
            return "\(time)\t*                 \t"
                + #"{"_type":"location","tid":"dv","tst":\#(reading.milliseconds / 1_000),"#
                + #""lat":\#(Self.degrees(reading.latitude)),"#
                + #""lon":\#(Self.degrees(reading.longitude)),"acc":\#(reading.accuracy),"#
                + #""vel":\#(Self.tenths(reading.speed * 36))}"# + "\n"
        }
        .joined()
    }

    private var overland: String {
        let features = readings.map { reading in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#
                + "\(Self.degrees(reading.longitude)),\(Self.degrees(reading.latitude))]},"
                + #""properties":{"timestamp":"\#(Self.iso(reading.milliseconds))","#
                + #""speed":\#(reading.speed),"course":-1,"#
                + #""horizontal_accuracy":\#(reading.accuracy),"motion":[]}}"#
        }
        return #"{"locations":[\#(features.joined(separator: ", \n"))],"current":{"a":"[{"}}"#
    }

    private var traccar: String {
        let positions = readings.map { reading in
            #"{"id":7,"deviceId":3,"protocol":"osmand","attributes":{"motion":true},"#
                + #""fixTime":"\#(Self.iso(reading.milliseconds))","valid":true,"#
                + #""latitude":\#(Self.degrees(reading.latitude)),"#
                + #""longitude":\#(Self.degrees(reading.longitude)),"#
                + #""speed":\#(Self.decimal(Self.hundredthKnots(reading.speed), decimals: 2)),"#
                + #""accuracy":\#(reading.accuracy)}"#
        }
        return "[\(positions.joined(separator: ","))]"
    }

    private var osmand: String {
        readings.map { reading in
            #"{"location":{"timestamp":"\#(Self.iso(reading.milliseconds))","coords":{"latitude":"#
                + "\(Self.degrees(reading.latitude)),"
                + #""longitude":\#(Self.degrees(reading.longitude)),"speed":\#(reading.speed),"#
                + #""heading":-1,"accuracy":\#(reading.accuracy)}},"device_id":"van"}"#
        }
        .joined(separator: "\n")
    }

    private var google: String {
        let locations = readings.map { reading in
            #"{"latitudeE7":\#(reading.latitude),"longitudeE7":\#(reading.longitude),"#
                + #""accuracy":\#(reading.accuracy),"velocity":\#(reading.speed),"source":"GPS","#
                + #""timestamp":"\#(Self.iso(reading.milliseconds))"}"#
        }
        return "{\n  \"locations\": [\(locations.joined(separator: ",\n  "))]\n}\n"
    }

    private var gpx: String {
        let points = readings.map { reading in
            "<trkpt lat=\"\(Self.degrees(reading.latitude))\" "
                + "lon='\(Self.degrees(reading.longitude))'>"
                + "<time>\(Self.iso(reading.milliseconds))</time><extensions>"
                + "<x:speed>\(reading.speed)</x:speed>"
                + "<x:accuracy>\(reading.accuracy)</x:accuracy></extensions></trkpt>"
        }
        return "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><trkseg>"
            + points.joined(separator: "\n") + "</trkseg></trk></gpx>"
    }

    private var geojson: String {
        let features = readings.map { reading in
            #"{"type":"Feature","properties":{"speed":\#(reading.speed),"#
                + #""time":"\#(Self.iso(reading.milliseconds))","#
                + #""accuracy":"\#(reading.accuracy)"},"#
                + #""geometry":{"type":"Point","coordinates":["#
                + "\(Self.degrees(reading.longitude)),\(Self.degrees(reading.latitude))]}}"
        }
        return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n")
            + "]}"
    }

    private var kml: String {
        let times = readings.map { "<when>\(Self.iso($0.milliseconds))</when>" }
        let coordinates = readings.map {
            "<gx:coord>\(Self.degrees($0.longitude)) \(Self.degrees($0.latitude))</gx:coord>"
        }
        return "<?xml version=\"1.0\"?><kml><Document><Placemark><gx:Track>"
            + (times + coordinates).joined(separator: "\n")
            + "</gx:Track></Placemark></Document></kml>"
    }

    private var tcx: String {
        let points = readings.map { reading in
            "<Trackpoint><Time>\(Self.iso(reading.milliseconds))</Time><Position>"
                + "<LatitudeDegrees>\(Self.degrees(reading.latitude))</LatitudeDegrees>"
                + "<LongitudeDegrees>\(Self.degrees(reading.longitude))</LongitudeDegrees>"
                + "</Position><Extensions><ns3:TPX><ns3:Speed>\(reading.speed)</ns3:Speed>"
                + "</ns3:TPX></Extensions></Trackpoint>"
        }
        return "\n<TrainingCenterDatabase><Activities><Activity Sport='Other'><Lap><Track>"
            + points.joined()
            + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
    }

    private var csv: String {
        "speed_kmh;longitude;latitude;Accuracy (m);time\r\n"
            + readings.map { reading in
                let numbers = [
                    Self.tenths(reading.speed * 36), Self.degrees(reading.longitude),
                    Self.degrees(reading.latitude), String(reading.accuracy),
                ]
                return numbers.map { $0.replacing(".", with: ",") }.joined(separator: ";")
                    + ";\"\(Self.iso(reading.milliseconds))\"\r\n"
            }
            .joined()
    }

    private var gpslogger: String {
        "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop\n"
            + readings.map { reading in
                "\(Self.iso(reading.milliseconds)),\(Self.degrees(reading.latitude)),"
                    + "\(Self.degrees(reading.longitude)),,\(reading.accuracy),,"
                    + "\(reading.speed),7,,0.9\n"
            }
            .joined()
    }

    private var gpsd: String {
        readings.map { reading in
            #"{"class":"TPV","mode":3,"time":"\#(Self.iso(reading.milliseconds))","#
                + #""lat":\#(Self.degrees(reading.latitude)),"#
                + #""lon":\#(Self.degrees(reading.longitude)),"#
                + #""eph":\#(reading.accuracy),"speed":\#(reading.speed)}"# + "\n"
        }
        .joined()
    }

    private var homeassistant: String {
        let states = readings.map { reading in
            #"{"entity_id":"device_tracker.van","state":"not_home","attributes":"#
                + #"{"latitude":\#(Self.degrees(reading.latitude)),"#
                + #""longitude":\#(Self.degrees(reading.longitude)),"#
                + #""gps_accuracy":\#(reading.accuracy),"speed":\#(reading.speed)},"#
                + #""last_updated":"\#(Self.iso(reading.milliseconds))"}"#
        }
        return "[[" + states.joined(separator: ",") + "]]"
    }

    private var fit: [UInt8] {
        var file = FITEncoder()
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4), (31, 1), (73, 4)])
        for reading in readings {
            file.add(
                0,
                [
                    (reading.milliseconds / 1_000 - 631_065_600, 4),
                    (Self.semicircles(reading.latitude), 4),
                    (Self.semicircles(reading.longitude), 4), (reading.accuracy, 1),
                    (reading.speed * 1_000, 4),
                ]
            )
        }
        return file.bytes
    }

    /// A trip for each reading, which is no fix.
    private var mileiq: String {
        "Totals,,12.5\nDETAILED LOG\nSTART_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*\n"
            + readings.map { reading in
                "01/31/2024 08:05,1/31/2024 08:45,Business,\"Main St, Town\",,\(reading.speed)\n"
            }
            .joined()
    }

    private var everlance: String {
        "Trips\nMiles,From,To,Date,Purpose,Time Started,Time Ended,Time Zone\n"
            + readings.map { "\($0.speed).5,A,B,2024-01-31,Work,08:57 AM,09:10 PM,\n" }.joined()
    }

    private var driversnote: String {
        "Driversnote report\nDate;Start time;End time;From;Distance (km)\n"
            + readings.map { "2024-01-31;08:05;08:45;Main St;\($0.speed),5\n" }.joined()
    }

    private var teslamate: String {
        "id,date,latitude,longitude,speed,power,odometer,car_id,drive_id,elevation\n"
            + readings.map { reading in
                let time = Self.iso(reading.milliseconds)
                    .replacing("T", with: " ").replacing("Z", with: "000")
                return "7,\(time),\(Self.degrees(reading.latitude)),"
                    + "\(Self.degrees(reading.longitude)),\(Self.tenths(reading.speed * 36)),"
                    + ",12345.6,1,3,\n"
            }
            .joined()
    }

    private var dawarich: String {
        let features = readings.map { reading in
            let place = "\(Self.degrees(reading.longitude)),\(Self.degrees(reading.latitude))"
            return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(place)]},"#
                + #""properties":{"tracker_id":"van","velocity":"\#(reading.speed)","#
                + #""timestamp":\#(reading.milliseconds / 1_000),"accuracy":\#(reading.accuracy),"#
                + #""altitude":null,"inrids":[]}}"#
        }
        return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",")
            + "]}"
    }

    private var nmea: String {
        readings.map { reading in
            let date = CivilDate(of: EventTime(Timestamp(milliseconds: reading.milliseconds)))
            let time = Self.iso(reading.milliseconds).dropFirst(11).prefix(8)
                .replacing(":", with: "")
            let day = [date.day, date.month, date.year % 100].map(Self.two).joined()
            let content =
                "GPRMC,\(time),A,\(Self.minutes(reading.latitude, width: 2)),"
                + "\(reading.latitude < 0 ? "S" : "N"),"
                + "\(Self.minutes(reading.longitude, width: 3)),"
                + "\(reading.longitude < 0 ? "W" : "E"),"
                + "\(Self.decimal(Self.hundredthKnots(reading.speed), decimals: 2)),,\(day),,,A"
            let sum = content.utf8.reduce(0, ^)
            return "$\(content)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16).uppercased())\r\n"
        }
        .joined()
    }

    // MARK: Numbers

    /// A speed in metres per second in hundredths of a knot, as receivers round it.
    private static func hundredthKnots(_ speed: Int64) -> Int64 {
        Int64((Double(speed) * 360_000 / 1_852).rounded())
    }

    private static func iso(_ milliseconds: Int64) -> String {
        RFC3339.text(Timestamp(milliseconds: milliseconds))
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func tenths(_ number: Int64) -> String { decimal(number, decimals: 1) }

    private static func degrees(_ units: Int64) -> String { decimal(units, decimals: 7) }

    /// FIT counts in semicircles; 2³¹ of them are 180°.
    private static func degrees(_ units: Int64, as format: ImportFormat) -> String {
        guard format == .fit else { return degrees(units) }
        let degrees = Double(semicircles(units)) * 180 / 0x8000_0000
        return decimal(Int64((degrees * 1e8).rounded()), decimals: 8)
    }

    private static func semicircles(_ units: Int64) -> Int64 {
        Int64((Double(units) / 1e7 / 180 * 0x8000_0000).rounded())
    }

    /// Degrees and minutes; a minute has 10⁷ ÷ 60 units, so that six decimals tell each apart.
    private static func minutes(_ units: Int64, width: Int) -> String {
        let (degrees, rest) = abs(units).quotientAndRemainder(dividingBy: 10_000_000)
        let micro = (rest * 60 + 5) / 10
        let whole = String(degrees)
        let zeros = String(repeating: "0", count: width - whole.count)
        let digits = String(micro)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return "\(zeros)\(whole)\(padded.prefix(2)).\(padded.dropFirst(2))"
    }

    /// A number with as few decimals as say it.
    private static func decimal(_ number: Int64, decimals: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        var text = "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return (number < 0 ? "-" : "") + text
    }
}
