import Importers
import Testing
import TripEvents
import TripLedger

/// Oddities seen in real files and tested nowhere else, each as a small file of the same kind, with
/// the result of every record.
///
/// All that was seen, by format, and the suites with its tests (*transcript* is
/// `real-files.transcript`, which has the balance of a ledger, duplicates too):
///
/// - impossible dates (`90/02/2032`) between good ones, `03/29/2021` beside `7/1/2021`, no zone:
///   here
/// - half-zero coordinates: transcript; `FixFilterTests`, rule 1
/// - a file in descending time; points out of order and repeated; one two years early: transcript
/// - several fixes in one second, which are no duplicates: `FormatTrapTests.CSV`, transcript
/// - absurd speeds; no movement for long; a fix repeated at ten times its rate: transcript
/// - accuracy 0, −1, absent, 18000; null beside texts; −1 km/h; `0.865 km/h` in a cell;
///   `accuracyMm`: here; `FormatTrapTests`
/// - OwnTracks: `lwt`, `-`, `waypoints`, `transition` between; spaces for tabs; no `_type`; 2001:
///   here; `FormatTrapTests.OwnTracks`
/// - Overland: no geometry, two motions, −0700, objects as coordinates, old trips: here;
///   `FormatTrapTests.Overland`
/// - Google: five shapes, a mark, lost signs, zones with a space, seconds as texts, a sentence:
///   here; `FormatTrapTests.Google`; `ImportLawTests` (marks)
/// - files of other kinds in the same archive: `archives.transcript`
/// - GPX: both versions, offsets, fractions, no time, Latin 1, no declaration, times elsewhere,
///   1901: here; `XMLTrapTests.GPX`
/// - XML: spaces before it, prefixes not declared, a document type in CDATA: `XMLTrapTests`
/// - KML 2.3, pauses, one track twice: `XMLTrapTests.KML`, transcript
/// - TCX: courses: `XMLTrapTests.TCX`
/// - FIT: times since power-on, several files in one, (0, 0) between: here; `FITTrapTests`
/// - NMEA: talkers, void and broken sentences, dates late or never, midnights, UTF-16, lost weeks:
///   here; `FormatTrapTests.NMEA`
/// - CSV: decimal commas, letters and columns of hemispheres, E7, nine decimals, what Excel
///   destroyed: here; `FormatTrapTests.CSV`
/// - Columbus, GPSLogger's row count: `KnownTablesTests`, `FormatTrapTests.CSV`
/// - Traccar: no quotes, emptied cells, columns in any order, its GPX; OsmAnd's two kinds of
///   numbers: here; `TraccarTrapTests`
/// - GeoJSON: several points with lists, texts as coordinates, `speed_kmh`: `GeoJSONTrapTests`
/// - MileIQ: blocks before, formulas, prose, two layouts of dates, quotes; zones of Everlance:
///   `ReportedTripsTests`
/// - gzip of several members: `ArchiveLawTests`
///
/// The traps of units and clocks: speeds of each app (`FormatTrapTests`, `TraccarTrapTests`,
/// `FITTrapTests`), negative numbers (`FormatTrapTests.Overland`), seconds since 2001 (here),
/// times without a zone and an hour that is twice (`FormatTrapTests.CSV`), latitudes beyond the
/// pole and clocks that are ahead (here), made-up fixes (`TraccarTrapTests`, `FixFilterTests`),
/// trips over midnights of the year (`LocalPeriodTests`, `MileageLogTests`).
@Suite struct SeenInRealFilesTests {
    private static let casablanca = ImportOptions(
        zone: try? .ofMachine(named: "Africa/Casablanca")
    ) { name in try? TimeZoneRules.ofMachine(named: name) }

    /// The times of the events.
    private func times(_ imported: Imported) -> [String] {
        imported.events.compactMap {
            $0.firstMatch(of: /"occurred_at":"([^"]*)"/).map { String($0.1) }
        }
    }

    /// Returns the members of the events after their time.
    private func rests(_ imported: Imported) -> [String] {
        imported.events.map { event in
            event.firstMatch(of: /"occurred_at":"[^"]*",(.*)\}$/).map { String($0.1) } ?? ""
        }
    }

    // MARK: Tables

    @Test func `impossible dates do not keep the rows between them out`() throws {
        var options = Self.casablanca
        let map = Array(
            """
            {"rows": "fixes", "time_format": "MM/dd/yyyy HH:mm:ss", "columns": {
             "time": ["Date", "Time"], "lat": "Lat", "lon": "Lon"}}
            """
            .utf8
        )
        options.columnMap = try ColumnMap(json: map.span)
        let imported = try Imported(
            """
            Date,Time,Lat,Lon
            03/29/2021,10:00:00,33.5,-7.6
            90/02/2032,10:00:01,33.5,-7.6
            02/00/2090,10:00:02,33.5,-7.6
            30/00/2006,10:00:03,33.5,-7.6
            4/22/2021,10:00:04,33.5,-7.6
            02/29/2021,10:00:04,33.5,-7.6
            7/1/2021,10:00:05,33.5,-7.6
            """,
            as: .csv,
            options: options
        )
        // Morocco is an hour behind during Ramadan.
        #expect(
            times(imported) == [
                "2021-03-29T10:00:00.000+01:00", "2021-04-22T10:00:04.000+00:00",
                "2021-07-01T10:00:05.000+01:00",
            ]
        )
        #expect(
            imported.rejected == [
                "3 invalid_time", "4 invalid_time", "5 invalid_time", "7 invalid_time",
            ]
        )
    }

    @Test func `letters and columns of hemispheres, whole numbers, nine decimals, units in cells`()
        throws
    {
        let letters = try Imported(
            "time,latitude,longitude,speed\n1709276400,52.1S,4.3W,0.865 km/h\n"
                + "1709276401,N52.1,E4.3,36 furlongs\n",
            as: .csv
        )
        #expect(
            rests(letters) == [
                #""lat":-52.1,"lon":-4.3,"speed":0.2403"#,
                #""lat":52.1,"lon":4.3,"extra":{"unread":{"speed":"36 furlongs"}}"#,
            ]
        )
        let columns = try Imported(
            "time;lat;N/S;lon;E/W\n1709276400;52,1;S;4,3;W\n1709276401;52,1;N;4,3;E\n"
                + "1709276402;-52,1;S;4,3;E\n1709276403;52,1;?;4,3;E\n",
            as: .csv
        )
        #expect(rests(columns) == [#""lat":-52.1,"lon":-4.3"#, #""lat":52.1,"lon":4.3"#])
        #expect(columns.rejected == ["4 invalid_number", "5 invalid_number"])
        let whole = try Imported(
            "timestamp,latitudeE7,longitudeE7\n2024-03-01T07:00:00.123456789Z,521000000,-43000000\n"
                + "2024-03-01 07:00:01.123456789,521000000,-43000000\n",
            as: .csv,
            options: ImportOptions(zone: try .ofMachine(named: "UTC"))
        )
        #expect(rests(whole).allSatisfy { $0 == #""lat":52.1,"lon":-4.3"# })
        #expect(
            times(whole) == [
                "2024-03-01T07:00:00.123456789Z", "2024-03-01T07:00:01.123456789+00:00",
            ]
        )
    }

    @Test func `an accuracy of nothing, or none, is not known; a large one is kept`() throws {
        let imported = try Imported(
            """
            time,lat,lon,accuracy
            1709276400,52.1,4.3,0.0
            1709276401,52.1,4.3,-1
            1709276402,52.1,4.3,
            1709276403,52.1,4.3,18000
            1709276404,52.1,4.3,0.5
            """,
            as: .csv
        )
        let place = #""lat":52.1,"lon":4.3"#
        #expect(
            rests(imported) == [
                place, place, place, place + #","accuracy":18000"#, place + #","accuracy":0.5"#,
            ]
        )
    }

    @Test func `latitudes beyond the pole and clocks that are ahead are refused`() throws {
        // Imported reads the events in the year 2030.
        let imported = try Imported(
            """
            time,lat,lon
            1709276400,91,4.3
            1709276401,4.3,521
            1979-01-01T00:00:00Z,52.1,4.3
            2036-02-07T06:28:16Z,52.1,4.3
            1709276402,52.1,4.3
            """,
            as: .csv
        )
        #expect(imported.events.count == 1)
        #expect(
            imported.rejected == [
                "2 coordinate_out_of_range", "3 coordinate_out_of_range",
                "4 time_out_of_range", "5 time_out_of_range",
            ]
        )
    }

    // MARK: Apps

    @Test func `OwnTracks in odd forms, and seconds that Overland counts from 2001`() throws {
        let imported = try Imported(
            """
            2024-03-01T07:00:00Z\t*\t{"_type":"location","tst":730969200,"lat":52.1,"lon":4.3}
            2024-03-01T07:00:01Z\t*\t{"_type":"location","tst":700000000,"lat":52.1,"lon":4.3}
            2024-03-01T07:00:02Z\twaypoints         \t{"_type":"waypoints","waypoints":[]}
            2024-03-01T07:00:03Z\t*\t{"_type":"location","tst":1709276300,"lat":52.1,"lon":4.3,\
            "vel":-1,"acc":0}
            2024-03-01T07:00:03Z\t*\t{"_type":"location","tst":1709276300,"lat":52.2,"lon":4.3,\
            "acc":1500}

            """,
            as: .owntracks
        )
        #expect(
            times(imported) == [
                "2024-03-01T07:00:00.000Z", "2024-03-01T06:58:20.000Z", "2024-03-01T06:58:20.000Z",
            ]
        )
        #expect(imported.events[1].contains("acc") == false)
        #expect(imported.events[1].contains("speed") == false)
        #expect(imported.events[2].hasSuffix(#""accuracy":1500,"sequence":1}"#))
        #expect(imported.rejected == ["2 invalid_time"])
        #expect(imported.ignored == ["3 waypoints"])
        let message = #"{"_type":"location","tst":730969200,"lat":52.1,"lon":4.3"#
        #expect(try Imported(message + "}", as: .owntracks).rejected == ["1 invalid_time"])
        let made = try Imported(message + #","created_at":1709276401}"#, as: .owntracks)
        #expect(times(made) == ["2024-03-01T07:00:00.000Z"])
    }

    @Test func `an old Overland's trip has its members in other places`() throws {
        let imported = try Imported(
            #"""
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},
             "stopped_automatically":true,"start-coordinates":[4.3,52.1],"properties":{
             "type":"trip","mode":"car","start":"2016-03-01T07:00:00Z","end":"2016-03-01T08:00:00Z",
             "distance":30000,"duration":3600}}]}
            """#,
            as: .overland
        )
        let (start, end) = ("2016-03-01T07:00:00.000Z", "2016-03-01T08:00:00.000Z")
        #expect(times(imported) == [start, end, end])
        // The distance is a claim: an inference, beside the presses.
        #expect(imported.events.map { $0.contains("_pressed") } == [true, true, false])
        #expect(imported.events[2].contains("inference_reported"))
    }

    @Test func `Google's odd times, and a sentence in the place of encrypted data`() throws {
        let imported = try Imported(
            #"""
            {"rawSignals":[
             {"position":{"LatLng":"52.1, 4.3","timestamp":"2025-03-24 20:07:24 +0100"}},
             {"position":{"LatLng":"52.1, 4.3","timestamp":"1742843245"}},
             {"position":{"LatLng":"52.1, 4.3","timestamp":"1742843246000"}},
             {"position":{"LatLng":"52.1, 4.3","timestamp":"soon"}}],
             "semanticSegments":[{"timelineMemory":{"trip":{}}}]}
            """#,
            as: .google
        )
        #expect(
            times(imported) == [
                "2025-03-24T20:07:24.000+01:00", "2025-03-24T19:07:25.000Z",
                "2025-03-24T19:07:26.000Z",
            ]
        )
        #expect(imported.rejected == ["4 invalid_time"])
        #expect(imported.ignored == ["5 timelineMemory"])
        let sentence = "Your data is encrypted, and is therefore not in this export.\n"
        #expect(try Imported(sentence, as: .google).rejected == ["1 invalid_json"])
        let bytes = Array(sentence.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == nil)
    }

    @Test func `Traccar's table has its columns in any order, and some cells are empty`() throws {
        let imported = try Imported(
            """
            address,speed,fixTime,protocol,deviceId,valid,longitude,latitude,batteryLevel,accuracy
            ,10.8,2024-03-01 08:00:00,osmand,3,true,4.3,52.1,,0.0
            ,,2024-03-01 08:00:01,osmand,3,true,4.3,,,5.5
            """,
            as: .traccar,
            options: ImportOptions(zone: try .ofMachine(named: "Europe/Amsterdam"))
        )
        #expect(rests(imported) == [#""lat":52.1,"lon":4.3,"speed":5.556"#])
        #expect(imported.rejected == ["3 missing_field"])
    }

    @Test func `OsmAnd's small numbers are seconds, and large ones milliseconds`() throws {
        let imported = try Imported(
            "/?id=a&lat=1&lon=2&timestamp=1709276400\n/?id=a&lat=1&lon=2&timestamp=1709276401000\n"
                + "/?id=a&lat=1&lon=2\n",
            as: .osmand
        )
        #expect(times(imported) == ["2024-03-01T07:00:00.000Z", "2024-03-01T07:00:01.000Z"])
        // Without a time the server would take its own, which no one wrote down.
        #expect(imported.rejected == ["3 missing_field"])
    }

    // MARK: Files of points

    @Test func `GPX in Latin 1, with times elsewhere, and Traccar's without a namespace`() throws {
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx><metadata><name>K".utf8)
            + [0xF6] + Array("ln</name><time>1970-01-01T00:00:00Z</time></metadata>".utf8)
            + Array("<trk><trkseg><trkpt lat='52.1' lon='4.3'>".utf8)
            + Array("<time>2024-03-01T07:00:00Z</time></trkpt></trkseg></trk></gpx>".utf8)
        #expect(ImportFormat.recognized(in: latin.span) == .gpx)
        let imported = try Imported(latin, as: .gpx)
        #expect(times(imported) == ["2024-03-01T07:00:00.000Z"])
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty)
        let traccar = try Imported(
            """
            <?xml version="1.0"?><gpx version="1.0"><trk><trkseg>
            <trkpt lat="52.1" lon="4.3"><time>2024-03-01T07:00:00Z</time><speed>5.5</speed></trkpt>
            </trkseg><trkseg><trkpt lat="52.2" lon="4.3"><time>2024-03-01T07:00:05Z</time></trkpt>
            </trkseg></trk></gpx>
            """,
            as: .gpx
        )
        #expect(rests(traccar) == [#""lat":52.1,"lon":4.3,"speed":5.5"#, #""lat":52.2,"lon":4.3"#])
    }

    @Test func `positions of nothing between those of FIT come in, and are seen later`() throws {
        var file = FITEncoder()
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4)])
        for (second, place) in [(0, 0x2000_0000), (1, 0), (2, 0x2000_0000)] as [(Int64, Int64)] {
            file.add(0, [(1_709_276_400 - 631_065_600 + second, 4), (place, 4), (place, 4)])
        }
        let imported = try Imported(file.bytes, as: .fit)
        #expect(rests(imported)[1] == #""lat":0,"lon":0"#)
        #expect(imported.events.count == 3)
    }

    // MARK: NMEA

    private func sentence(_ content: String) -> String {
        let sum = content.utf8.reduce(0, ^)
        return "$\(content)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16).uppercased())\r\n"
    }

    @Test func `positions without RMC, empty fields, made-up sentences and odd dates`() throws {
        let imported = try Imported(
            "$ADVER,3000,1.0\r\n"
                + sentence("GNGNS,120000,5206.0,N,00418.0,E,AN,9,1,2.5,0,,")
                + sentence("GNGLL,5206.0,N,00418.0,E,120000,A")
                + sentence("GNZDA,120000,01,03,2024,00,00")
                + sentence("GNZDA,120001,01,03,-1,00,00")
                + sentence("GPRMC,,V,,,,,,,,,,N") + sentence("GPGGA,,,,,,0,,,,M,,M,,")
                + sentence("GNGLL,5206.0,N,00418.0,E,120002,A"),
            as: .nmea
        )
        #expect(times(imported) == ["2024-03-01T12:00:00.000Z", "2024-03-01T12:00:02.000Z"])
        #expect(imported.rejected.isEmpty)
        #expect(imported.ignored == ["1 VER", "5 ZDA", "6 RMC", "7 GGA"])
    }

    @Test func `the date comes after 500 positions, and holds over two midnights`() throws {
        let noon = (0..<500)
            .map { second in
                let clock =
                    "12\(second / 60 < 10 ? "0" : "")\(second / 60)"
                    + "\(second % 60 < 10 ? "0" : "")\(second % 60)"
                return sentence("GPGGA,\(clock),5206.0,N,00418.0,E,1,8,1,0,M,,M,,")
            }
        let later = ["235600", "000400", "120000", "235900", "000100"]
            .map {
                sentence("GPGGA,\($0),5206.0,N,00418.0,E,1,8,1,0,M,,M,,")
            }
        let date = sentence("GPZDA,122000,01,03,2024,00,00")
        let text = noon.joined() + date + later.joined()
        let imported = try Imported(text, as: .nmea)
        #expect(times(imported).first == "2024-03-01T12:00:00.000Z")
        #expect(
            times(imported).suffix(5) == [
                "2024-03-01T23:56:00.000Z", "2024-03-02T00:04:00.000Z",
                "2024-03-02T12:00:00.000Z", "2024-03-02T23:59:00.000Z",
                "2024-03-03T00:01:00.000Z",
            ]
        )
        #expect(imported.rejected.isEmpty)
    }

    @Test func `1,024 weeks that a receiver has lost are given back`() throws {
        func position(_ time: String, _ date: String) -> String {
            sentence("GPRMC,\(time),A,5206.0,N,00418.0,E,1,,\(date),,,A")
        }
        // 17 July 2004 is 1,024 weeks before 2 March 2024.
        let told = try Imported(
            position("120000", "010324") + position("120001", "160704")
                + position("120002", "170704"),
            as: .nmea
        )
        #expect(
            times(told) == [
                "2024-03-01T12:00:00.000Z", "2024-03-01T12:00:01.000Z", "2024-03-02T12:00:02.000Z",
            ]
        )
        // A log may be of 2004.
        let alone = try Imported(position("120001", "160704"), as: .nmea)
        #expect(times(alone) == ["2004-07-16T12:00:01.000Z"])
    }
}
