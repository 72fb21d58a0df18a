import Importers
import Testing
import TripEvents

/// Inputs that are made to do harm: each is refused with a code, after a bounded number of bytes
/// is kept.
@Suite struct HostileInputTests {
    /// Hands a piece over again and again, and returns the codes of what was refused.
    private func codes(
        _ start: String,
        _ piece: String,
        times: Int,
        as format: ImportFormat
    ) throws -> Set<String> {
        var importer = try #require(FileImporter(format))
        var batch = ImportBatch()
        var codes: Set<String> = []
        func note() {
            for item in batch.items {
                if case .rejected(let rejection) = item.outcome {
                    codes.insert(rejection.code.rawValue)
                }
            }
            batch.removeAll()
        }
        let head = Array(start.utf8)
        importer.take(head.span, into: &batch)
        let bytes = Array(String(repeating: piece, count: 65_536 / piece.utf8.count).utf8)
        for _ in 0..<times {
            importer.take(bytes.span, into: &batch)
            note()
        }
        importer.finish(into: &batch)
        note()
        return codes
    }

    /// Two megabytes in pieces of 64 KiB are more than any record may have.
    private static let pieces = 32

    @Test(arguments: [
        ("<gpx><trk a=\"", ImportFormat.gpx), ("<kml><!-- ", .kml),
        ("<TrainingCenterDatabase><![CDATA[<", .tcx), ("<gpx><?x ", .gpx),
    ])
    func `a tag or a comment without an end is not kept for ever`(
        start: String,
        format: ImportFormat
    ) throws {
        #expect(try codes(start, "x", times: Self.pieces, as: format) == ["invalid_xml"])
    }

    @Test(arguments: [
        ("{\"locations\":[{\"a\":\"", ImportFormat.owntracks, "line_too_long"),
        ("{\"features\":[{\"a\":\"", .geojson, "line_too_long"),
        ("[{\"deviceId\":\"", .traccar, "line_too_long"),
        ("time,lat,lon\n1,", .csv, "line_too_long"),
        ("$GPRMC,", .nmea, "line_too_long"),
        ("START_DATE*,END_DATE*,MILES*\n1,", .mileiq, "line_too_long"),
        ("id,start_date,end_date,start_km,end_km,distance,car_id\n1,", .teslamate, "line_too_long"),
        ("[{\"tracker_id\":\"", .dawarich, "line_too_long"),
        ("Driversnote\nDate,Miles\n1,", .driversnote, "line_too_long"),
    ])
    func `a line or a value without an end is cut`(
        start: String,
        format: ImportFormat,
        code: String
    ) throws {
        // If a value should have ended there, the cut is not the only error.
        let codes = try codes(start, "x", times: Self.pieces, as: format)
        #expect(codes.contains(code) || codes == ["invalid_json"], "\(codes)")
    }

    @Test(arguments: [
        ("[", "[", ImportFormat.geojson), ("[", "{\"a\":", .traccar),
        ("{\"locations\":[", "[", .overland),
        ("{\"rawSignals\":[", "{\"a\":", .google), ("[", "[", .dawarich),
    ])
    func `lists and objects in one another without an end are refused`(
        start: String,
        piece: String,
        format: ImportFormat
    ) throws {
        let codes = try codes(start, piece, times: Self.pieces, as: format)
        #expect(
            !codes.isEmpty && codes.isSubset(of: ["line_too_long", "invalid_json"]),
            "\(codes)"
        )
        let nest = String(repeating: "{\"a\":", count: 40) + "1" + String(repeating: "}", count: 40)
        let imported = try Imported("[\(nest)]", as: format)
        #expect(imported.rejected == ["1 too_deep"])
    }

    @Test func `entities and document types are refused in every format of XML`() throws {
        let bomb =
            "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>"
            + "<!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><gpx>&b;</gpx>"
        let outside = "<?xml version='1.0'?><!DOCTYPE x SYSTEM 'file:///etc/passwd'><kml/>"
        let undeclared = "<gpx>&b;</gpx>"
        for format in [ImportFormat.gpx, .kml, .tcx] {
            for text in [bomb, outside] {
                #expect(try Imported(text, as: format).rejected == ["1 invalid_xml"], "\(text)")
            }
            // A name that stands for nothing costs the text that it is in.
            #expect(try Imported(undeclared, as: format).rejected.isEmpty)
        }
    }

    @Test func `places that are none, and members that are twice, are refused with their code`()
        throws
    {
        for (number, code) in [
            ("NaN", "invalid_number"), ("1e999", "number_out_of_range"),
            ("Infinity", "invalid_number"),
        ] {
            let text =
                #"[{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","latitude":"#
                + number + #","longitude":4.3}]"#
            #expect(try Imported(text, as: .traccar).rejected == ["1 \(code)"], "\(number)")
        }
        let broken =
            Array("[{\"_type\":\"location\",\"tid\":\"".utf8) + [0xC0, 0xAF]
            + Array("\",\"tst\":1709276400,\"lat\":52.1,\"lon\":4.3}]".utf8)
        let read = try Imported(broken, as: .owntracks)
        #expect(read.rejected.isEmpty && read.events.count == 1)
        let twice = #"[{"tst":1709276400,"tst":1709276401,"lat":52.1,"lon":4.3}]"#
        #expect(try Imported(twice, as: .owntracks).rejected == ["1 duplicate_key"])
    }
}
