import Testing
import TripEvents

@testable import Importers

/// The shapes in which other programs write the same: lists and single objects, nested lists, what
/// was not closed, and times that no clock shows.
@Suite struct OtherShapesTests {
    /// The instants and the beginnings of the places of the fixes.
    private func fixes(_ imported: Imported) -> [String] {
        imported.events.compactMap { event in
            event.firstMatch(of: /"occurred_at":"([^"]*)","lat":([^,]*),"lon":([^,}]*)/)
                .map { "\($0.1) \($0.2) \($0.3)" }
        }
    }

    // MARK: Lists

    @Test func `locations of Transistorsoft's come in a list, beside the device, or alone`() throws
    {
        func location(_ second: Int) -> String {
            #"{"timestamp":"2024-03-01T07:00:0\#(second)Z","coords":"#
                + #"{"latitude":52.1,"longitude":4.3}}"#
        }
        let both = "\(location(1)),\(location(2))"
        for text in [
            #"{"location":[\#(both)],"device_id":"a"}"#, #"{"locations":[\#(both)]}"#,
            "[\(both)]", #"[{"location":\#(location(1))},{"location":\#(location(2))}]"#,
            #"{"location":\#(location(1))}{"location":\#(location(2))}"#,
        ] {
            let bytes = Array(text.utf8)
            #expect(ImportFormat.recognized(in: bytes.span) == .osmand, "\(text)")
            let imported = try Imported(text, as: .osmand)
            #expect(
                fixes(imported) == [
                    "2024-03-01T07:00:01.000Z 52.1 4.3", "2024-03-01T07:00:02.000Z 52.1 4.3",
                ],
                "\(text)"
            )
            #expect(imported.rejected.isEmpty && imported.ignored.isEmpty)
            let batch = DeliveredRequest(body: bytes)
                .events(at: .osmand, DeliveryOptions(sources: ["phone"]))
            #expect(batch.items.count { $0.outcome == .event } == 2, "\(text)")
        }
        let faulty = try Imported(
            #"{"location":[\#(location(1)),{"coords":{}},7]}"#,
            as: .osmand
        )
        #expect(fixes(faulty).count == 1)
        #expect(faulty.rejected == ["1 missing_field", "1 missing_field"])
    }

    @Test func `a position that says no time at a door has the time of its receipt`() {
        var options = DeliveryOptions(sources: ["phone"])
        options.receivedAt = Timestamp(milliseconds: 1_709_276_400_000)
        for (door, body) in [
            (DeliveryDoor.osmand, "id=a&lat=52.1&lon=4.3"),
            (.gpslogger, "latitude=52.1&longitude=4.3&device=x"),
            (.gpslogger, #"{"lat":52.1,"lon":"4.3"}"#),
            (.osmand, #"{"location":{"coords":{"latitude":52.1,"longitude":4.3}}}"#),
        ] {
            let request = DeliveredRequest(body: Array(body.utf8))
            let batch = request.events(at: door, options)
            let lines = batch.items.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
            #expect(
                lines == [
                    #"{"type":"fix_recorded","source":"phone","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""extra":{"time_from":"receipt"}}"#
                ],
                "\(body)"
            )
            let unknown = request.events(at: door, DeliveryOptions(sources: ["phone"]))
            #expect(unknown.items.count == 1 && unknown.items[0].outcome != .event, "\(body)")
        }
    }

    @Test func `a feature alone, features in a list, and lines of lines`() throws {
        let point =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},"#
            + #""properties":{"when":"2024-03-01T07:00:01Z","precision":5}}"#
        let lines =
            #"{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":"#
            + #"[[[4.3,52.1]],[[4.4,52.2],[4.5,52.3]]]},"properties":{"coordTimes":"#
        let nested = #"[["2024-03-01T07:00:01Z"],["2024-03-01T07:00:02Z","2024-03-01T07:00:03Z"]]"#
        let flat = nested.replacing("],[", with: ",").dropFirst().dropLast()
        let expected = [
            "2024-03-01T07:00:01.000Z 52.1 4.3", "2024-03-01T07:00:02.000Z 52.2 4.4",
            "2024-03-01T07:00:03.000Z 52.3 4.5",
        ]
        for (text, count) in [
            (point, 1), ("[\(point)]", 1), ("\u{1E}\(point)\n", 1),
            (#"{"type":"FeatureCollection","features":[\#(point)]}"#, 1),
            ("\(lines)\(nested)}}", 3), ("\(lines)\(flat)}}", 3),
        ] {
            let imported = try Imported(text, as: .geojson)
            #expect(fixes(imported) == Array(expected.prefix(count)), "\(text)")
            #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "\(imported)")
            let bytes = Array(text.utf8)
            guard text.first != "\u{1E}" else { continue }
            #expect(ImportFormat.recognized(in: bytes.span) == .geojson, "\(text)")
        }
        let missing = #"[["2024-03-01T07:00:01Z"],["2024-03-01T07:00:02Z"]]"#
        let imported = try Imported("\(lines)\(missing)}}", as: .geojson)
        #expect(fixes(imported) == Array(expected.prefix(2)))
        #expect(imported.rejected == ["1 missing_field"])
    }

    @Test func `a pin beside a track is a mark, wherever it stands; without a track it is a fix`()
        throws
    {
        let pin =
            "<Placemark><TimeStamp><when>2024-03-01T09:00:00Z</when></TimeStamp><Point>"
            + "<coordinates>4.3,52.1</coordinates></Point></Placemark>"
        let track =
            "<Placemark><gx:Track><when>2024-03-01T07:00:00Z</when>"
            + "<gx:coord>4.3 52.1 0</gx:coord></gx:Track></Placemark>"
        let empty = "<Placemark><gx:Track/></Placemark>"
        for (text, times, marks) in [
            (pin + track, ["07"], 1), (track + pin, ["07"], 1), (pin + track + pin, ["07"], 2),
            (pin, ["09"], 0), (pin + empty, ["09"], 0),
        ] {
            let imported = try Imported("<kml>\(text)</kml>", as: .kml)
            #expect(fixes(imported).map { String($0.dropFirst(11).prefix(2)) } == times)
            #expect(imported.ignored.count == marks, "\(imported)")
        }
    }

    @Test func `one signal of Google's may tell a position and a motion`() throws {
        let imported = try Imported(
            #"{"rawSignals":[{"activityRecord":{"probableActivities":[{"type":"IN_VEHICLE","#
                + #""confidence":0.9}],"timestamp":"2024-03-01T07:00:00Z"},"position":"#
                + #"{"LatLng":"52.1°, 4.3°","timestamp":"2024-03-01T07:00:00Z"}},"#
                + #"{"activityRecord":null,"position":{"LatLng":"52.1°, 4.3°","#
                + #""timestamp":"2024-03-01T07:00:01Z"}},{"activityRecord":"x","position":7}]}"#,
            as: .google
        )
        #expect(imported.events.count == 3 && imported.events[0].contains("motion_changed"))
        #expect(imported.ignored == ["3 other"] && imported.rejected.isEmpty)
    }

    @Test(
        arguments: [
            ("\u{2212}33.9\u{B0}, \u{2212}70.7\u{B0}", "-33.9 -70.7"),
            ("\u{200E}52.1\u{A0}\u{B0},\u{202F}-4.3\u{B0}\u{200E}", "52.1 -4.3"),
            ("52\u{66B}1, 4\u{66B}3", nil), ("\u{665}2.1, 4.3", nil), ("S33.9, 4.3", nil),
        ] as [(String, String?)]
    )
    func `signs of Google's positions are kept, and what is not known is refused`(
        written: String,
        place: String?
    ) throws {
        let imported = try Imported(
            #"{"rawSignals":[{"position":{"LatLng":"\#(written)","#
                + #""timestamp":"2024-03-01T07:00:00Z"}}]}"#,
            as: .google
        )
        #expect(fixes(imported) == place.map { ["2024-03-01T07:00:00.000Z \($0)"] } ?? [])
        #expect(imported.rejected == (place == nil ? ["1 invalid_number"] : []))
    }

    @Test func `Traccar's positions stand alone, and beside their device`() throws {
        let position =
            #"{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","latitude":52.1,"longitude":4.3}"#
        for (text, source) in [
            (position, "traccar/3"), ("[\(position)]", "traccar/3"),
            (#"{"position":\#(position),"device":{"uniqueId":"9"}}"#, "traccar/9"),
            (#"[{"device":{"name":"x"},"position":\#(position)}]"#, "traccar/3"),
        ] {
            let imported = try Imported(text, as: .traccar)
            #expect(fixes(imported) == ["2024-03-01T07:00:00.000Z 52.1 4.3"], "\(text)")
            #expect(imported.events[0].contains(#""source":"\#(source)""#), "\(imported)")
        }
    }

    @Test func `gpsd's greeting does not hide sentences, and its reports are read`() throws {
        let greeting =
            #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
            + #"{"class":"DEVICES","devices":[]}"# + "\r\n" + #"{"class":"WATCH","enable":true}"#
            + "\r\n"
        let content = "GPRMC,070001,A,5206.000,N,00418.000,E,1,,010324,,,A"
        let sum = content.utf8.reduce(0, ^)
        let sentence = "$\(content)*" + String(sum, radix: 16).uppercased() + "\r\n"
        let report =
            #"{"class":"TPV","mode":3,"time":"2024-03-01T07:00:01.000Z","lat":52.1,"#
            + #""lon":4.3,"epx":4,"epy":6.5,"alt":3,"track":90,"speed":2}"#
        for (text, format) in [
            (greeting + sentence, ImportFormat.nmea), (greeting + report, .gpsd),
            (greeting, .gpsd),
        ] {
            let bytes = Array(text.utf8)
            #expect(ImportFormat.recognized(in: bytes.span) == format, "\(text)")
        }
        let both = try Imported(greeting + sentence + report, as: .gpsd)
        #expect(fixes(both) == Array(repeating: "2024-03-01T07:00:01.000Z 52.1 4.3", count: 2))
        #expect(
            both.events.first?
                .hasSuffix(
                    #""accuracy":6.5,"altitude":3,"speed":2,"course":90,"provider":"gps"}"#
                ) == true,
            "\(both)"
        )
        #expect(try Imported(greeting + sentence, as: .nmea).events.count == 1)
        let none = #"{"class":"TPV","mode":1}{"class":"SKY"}"#.replacing("}{", with: "}\n{")
        #expect(try Imported(none, as: .gpsd).ignored == ["1 no_position", "2 SKY"])
    }

    @Test func `Home Assistant's states and history`() throws {
        let state =
            #"{"entity_id":"device_tracker.jo","state":"home","attributes":{"latitude":52.1,"#
            + #""longitude":4.3,"gps_accuracy":12,"source_type":"gps"},"#
            + #""last_updated":"2024-03-01T07:00:00.123456+00:00"}"#
        let bare = #"{"state":"home","last_changed":"2024-03-01T07:01:00+00:00"}"#
        for (text, ignored) in [
            (state, []), ("[\(state)]", []), ("[[\(state),\(bare)]]", ["2 no_position"]),
            ("[[],[\(state)],[\(bare)]]", ["2 no_position"]),
        ] as [(String, [String])] {
            let imported = try Imported(text, as: .homeassistant)
            #expect(fixes(imported) == ["2024-03-01T07:00:00.123456Z 52.1 4.3"], "\(text)")
            #expect(imported.events[0].contains(#""source":"homeassistant/device_tracker.jo""#))
            #expect(imported.ignored == ignored && imported.rejected.isEmpty, "\(imported)")
            let bytes = Array(text.utf8)
            #expect(ImportFormat.recognized(in: bytes.span) == .homeassistant)
        }
    }

    @Test(arguments: [
        (
            ImportFormat.traccar,
            #"[{"deviceId":3,"fixTime":"TIME","valid":true,"latitude":52.1,"longitude":4.3}]"#
        ),
        (
            .overland,
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","#
                + #""coordinates":[4.3,52.1]},"properties":{"timestamp":"TIME"}}]}"#
        ),
        (.dawarich, #"[{"latitude":52.1,"longitude":4.3,"timestamp":"TIME"}]"#),
        (.osmand, "?id=b&timestamp=TIME&lat=52.1&lon=4.3\n"),
        (
            .homeassistant,
            #"{"entity_id":"device_tracker.jo","state":"home","attributes":{"latitude":52.1,"#
                + #""longitude":4.3},"last_updated":"TIME"}"#
        ),
        (
            .csv,
            "id,deviceId,protocol,fixTime,valid,latitude,longitude\n"
                + "1,3,h02,TIME,true,52.1,4.3\n"
        ),
    ])
    func `what a server writes as UTC is no offset of the device, and other offsets are`(
        format: ImportFormat,
        text: String
    ) throws {
        for (written, expected) in [
            ("2023-12-31T23:20:00.000+00:00", "2023-12-31T23:20:00.000Z"),
            ("2023-12-31T23:20:00+0000", "2023-12-31T23:20:00.000Z"),
            ("2024-01-01T00:20:00.000+01:00", "2024-01-01T00:20:00.000+01:00"),
        ] {
            // A plus is a space in a query.
            let time = format == .osmand ? written.replacing("+", with: "%2B") : written
            let imported = try Imported(text.replacing("TIME", with: time), as: format)
            #expect(fixes(imported) == ["\(expected) 52.1 4.3"], "\(imported)")
        }
    }

    // MARK: Numbers and times

    @Test(arguments: [
        ("-180.09", "179.91"), ("180.5", "-179.5"), ("190", "-170"), ("360", "0"),
        ("180", "180"), ("-180", "-180"), ("4.3", "4.3"),
    ])
    func `a longitude beyond 180 degrees is turned back`(written: String, expected: String) throws {
        let text = "time,lat,lon\n2024-03-01T07:00:00Z,52.1,\(written)\n"
        let imported = try Imported(text, as: .csv)
        #expect(fixes(imported) == ["2024-03-01T07:00:00.000Z 52.1 \(expected)"])
        let beyond = "time,lat,lon\n2024-03-01T07:00:00Z,52.1,361\n"
        #expect(try Imported(beyond, as: .csv).rejected == ["2 coordinate_out_of_range"])
    }

    @Test(arguments: [
        ("2024-03-01T08:00:00.504+01:00[Europe/Brussels]", "2024-03-01T08:00:00.504+01:00"),
        ("2024-03-01T07:00:00Z[UTC]", "2024-03-01T07:00:00.000Z"),
        ("2024-03-01 07:00:00 +0000 UTC", "2024-03-01T07:00:00.000+00:00"),
        ("2024-03-01 08:00:00 +0100 CET", "2024-03-01T08:00:00.000+01:00"),
        ("2024-03-01 08:00:00 GMT+01:00", "2024-03-01T08:00:00.000+01:00"),
        ("2024-03-01T08:00:00 UTC+1", "2024-03-01T08:00:00.000+01:00"),
        ("Fri Mar 01 08:00:00 GMT+01:00 2024", "2024-03-01T08:00:00.000+01:00"),
        ("Fri, 01 Mar 2024 07:00:00 GMT", "2024-03-01T07:00:00.000Z"),
        ("1 Mar 2024 7:00:00 UTC", "2024-03-01T07:00:00.000Z"),
        ("01-Mar-2024 07:00:00.5 Z", "2024-03-01T07:00:00.500Z"),
        ("2024-02-29T23:59:60Z", "2024-03-01T00:00:00.000Z"),
        ("2024-03-01T07:04:60Z", "2024-03-01T07:05:00.000Z"),
        ("2024-02-29T24:00:00Z", "2024-03-01T00:00:00.000Z"),
    ])
    func `a time is read as others write it`(written: String, expected: String) throws {
        let imported = try Imported("time,lat,lon\n\"\(written)\",52.1,4.3\n", as: .csv)
        #expect(fixes(imported) == ["\(expected) 52.1 4.3"], "\(imported)")
    }

    @Test(arguments: [
        "2024-03-01T07:00:61Z", "2024-03-01T24:00:01Z", "2024-03-01T25:00:00Z",
        "Fri Mar 32 08:00:00 UTC 2024", "Mar 2024 08:00:00 UTC", "[Europe/Brussels]",
        "2024-03-01T07:00:00+", "2024-03-01T07:00:00 nonsense",
    ])
    func `what is no time stays none`(written: String) throws {
        let imported = try Imported("time,lat,lon\n\"\(written)\",52.1,4.3\n", as: .csv)
        #expect(imported.rejected == ["2 invalid_time"], "\(imported)")
    }

    // MARK: Files that were not closed

    /// A FIT file with so many records, whose size in the header is given.
    private func fit(_ count: Int64, size: (Int) -> Int) -> (head: [UInt8], rest: [UInt8]) {
        var file = FITEncoder()
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4)])
        for second in 0..<count {
            let time = 1_709_276_400 - 631_065_600 + second
            file.add(0, [(time, 4), (0x2000_0000, 4), (0x1000_0000, 4)])
        }
        var head = Array(file.bytes.prefix(12))
        let written = size(file.messages.count)
        for index in 0..<4 { head[4 + index] = UInt8(truncatingIfNeeded: written >> (8 * index)) }
        return (head, file.messages)
    }

    @Test func `FIT without size or checksum is read to its end`() throws {
        for size in [{ (_: Int) in 0 }, { $0 }] as [(Int) -> Int] {
            let (head, rest) = fit(20, size: size)
            let imported = try Imported(head + rest, as: .fit)
            #expect(imported.events.count == 20 && imported.rejected.isEmpty, "\(imported)")
            // A record that is cut is lost, and said.
            let cut = try Imported(head + rest.dropLast(5), as: .fit)
            #expect(cut.events.count == 19 && cut.rejected == ["20 invalid_value"], "\(cut)")
        }
        // Two files of which the first was not closed.
        let (head, rest) = fit(3) { _ in 0 }
        let twice = try Imported(head + rest + head + rest, as: .fit)
        #expect(twice.events.count == 6 && twice.rejected.isEmpty, "\(twice)")
    }

    @Test func `a stray byte in FIT costs what follows, and how much is said`() throws {
        let (head, messages) = fit(20) { $0 + 1 }
        var rest = messages
        // Behind the definition and twelve records of 13 bytes.
        rest.insert(0x09, at: rest.count - 8 * 13)
        let bytes = head + rest + [0, 0]
        let imported = try Imported(bytes, as: .fit)
        #expect(imported.events.count == 12 && imported.rejected == ["13 invalid_value"])
        var importer = try #require(FileImporter(.fit))
        var batch = ImportBatch()
        importer.take(bytes.span, into: &batch)
        importer.finish(into: &batch)
        let sentences = batch.items.compactMap { item in
            if case .rejected(let rejection) = item.outcome { rejection.sentence } else { nil }
        }
        #expect(sentences.count == 1 && sentences[0].contains("About 8 records after byte"))
    }

    @Test func `NULs of a power cut cost the lines that they are in the place of`() throws {
        func line(_ second: Int) -> String {
            "2024-03-01T07:00:0\(second)Z\t*\t"
                + #"{"_type":"location","tst":\#(1_709_276_400 + second),"lat":52.1,"lon":4.3}"#
        }
        let nuls = String(repeating: "\0", count: 3_000)
        let text = "\(line(0))\n\(nuls)\(line(1))\n\(line(2))\(nuls)\n\(nuls)\n\(line(3))\n"
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .owntracks)
        let recorder = try Imported(text, as: .owntracks)
        #expect(recorder.events.count == 4 && recorder.rejected.isEmpty)
        #expect(recorder.ignored == ["2 nul_bytes", "3 nul_bytes", "4 nul_bytes"])
        let table = "time,lat,lon\n1709276400,52,4\n\(nuls)1709276401,52,4\n\(nuls)"
        let csv = try Imported(table, as: .csv)
        #expect(csv.events.count == 2 && csv.ignored == ["3 nul_bytes", "4 nul_bytes"])
        let message = #"{"_type":"location","tst":1709276400,"lat":52.1,"lon":4.3}"#
        let objects = try Imported("\(message)\n\(nuls)\(message)", as: .owntracks)
        #expect(objects.events.count == 2 && objects.rejected.isEmpty)
    }

    @Test func `a line of the recorder whose message is missing is told`() throws {
        let pad = "*" + String(repeating: " ", count: 17)
        let start = "2024-03-01T07:00:00Z\t\(pad)"
        let message = #"{"_type":"location","tst":1709276400,"lat":52.1,"lon":4.3}"#
        let whole = "\(start)\t\(message)\n"
        // Cut off anywhere, it is told, whatever stands in the place of the rest.
        for length in 1..<(whole.utf8.count - 1) {
            let cut = String(whole.prefix(length))
            let imported = try Imported("\(whole)\(cut)\n\(whole)", as: .owntracks)
            #expect(imported.events.count == 2, "\(length)")
            #expect(imported.rejected.count == 1 && imported.ignored.isEmpty, "\(length)")
        }
        for rest in ["\0\0\0", "\t\0\0\0", "\t\0\0\0\(message)", "\t\"lat\":52.1}"] {
            let imported = try Imported("\(whole)\(start)\(rest)\n\(whole)", as: .owntracks)
            #expect(imported.events.count == 2, "\(imported)")
            #expect(imported.rejected == ["2 invalid_value"], "\(imported)")
        }
        // Other kinds need no message.
        let other = try Imported("\(whole)2024-03-01T07:00:00Z\t-\tgone\n", as: .owntracks)
        #expect(other.ignored == ["2 -"] && other.rejected.isEmpty, "\(other)")
    }

    @Test func `what is whole of a text that ends in the middle is read`() throws {
        let point = "<trkpt lat='52' lon='4'><time>2024-03-01T07:00:00Z</time></trkpt>"
        for end in ["", "<trkpt lat='5", "<trkpt lat='52' lon='4'><time>2024-", "</trkseg"] {
            let imported = try Imported("<gpx><trk><trkseg>\(point)\(end)", as: .gpx)
            #expect(imported.events.count == 1, "\(end)")
            #expect(imported.rejected.count == 1, "\(end)")
        }
        let message = #"{"tst":1709276400,"lat":52.1,"lon":4.3}"#
        for end in ["", ",", ",{", ",{\"tst\":17", "]"] {
            let imported = try Imported(#"{"locations":[\#(message)\#(end)"#, as: .owntracks)
            #expect(imported.events.count == 1 && imported.rejected.count == 1, "\(end)")
        }
    }
}
