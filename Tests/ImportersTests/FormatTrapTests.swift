import Importers
import Testing
import TripEvents
import TripLedger

/// Traps seen in real files, one after the other (FORMATS §2, §3 and §5 of the design).
@Suite struct FormatTrapTests {
    @Suite struct OwnTracks {
        @Test func `the recorder's lines, and what is no location between them`() throws {
            let imported = try Imported(
                """
                2024-03-01T07:00:00Z\t*                 \t{"_type":"location",\
                "topic":"owntracks/jo/5","tst":1709276400,"lat":52.1,"lon":4.3,"acc":12,\
                "vel":36,"cog":90,"alt":-2}
                2024-03-01T07:00:05Z\tlwt               \t{"_type":"lwt","tst":"1709276405"}
                2024-03-01T07:00:06Z\t-                 \tnothing
                2024-03-01T07:00:07Z\t*\t{"_type":"transition","tst":1,"lat":1,"lon":1}
                2024-03-01T07:00:08Z  *  {"_type":"location","tst":"1709276408","lat":"52.2",\
                "lon":4.3,"vel":null,"acc":-1}
                2024-03-01T07:00:09Z\t*\t{"_type":"encrypted","data":"AAAA"}
                2024-03-01T07:00:10Z\t*\t{"_type":"location","lat":52.2,"lon":4.3}
                gibberish

                """,
                as: .owntracks
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"owntracks/jo/5","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""accuracy":12,"altitude":-2,"speed":10,"course":90}"#,
                    #"{"type":"fix_recorded","source":"owntracks","#
                        + #""occurred_at":"2024-03-01T07:00:08.000Z","lat":52.2,"lon":4.3}"#,
                ]
            )
            #expect(imported.ignored == ["2 lwt", "3 -", "4 transition"])
            #expect(imported.rejected == ["6 encrypted", "7 missing_field", "8 invalid_value"])
        }

        @Test func `an export, a message and several of them`() throws {
            let location = #"{"tst":1709276400,"lat":52.1,"lon":4.3,"tid":"jo"}"#
            let line =
                #"{"type":"fix_recorded","source":"owntracks/jo","#
                + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3}"#
            let export = #"{"count":2,"locations":[\#(location),\#(location)]}"#
            #expect(try Imported(export, as: .owntracks).events == [line, line])
            #expect(try Imported(location, as: .owntracks).events == [line])
            #expect(try Imported("[\(location)]", as: .owntracks).events == [line])
            #expect(
                try Imported("\(location)\n\(location)", as: .owntracks).events == [line, line]
            )
        }

        @Test func `a motion is told where it changes, and driving wins`() throws {
            let text = [["stationary"], ["stationary", "automotive"], ["automotive"], ["walking"]]
                .enumerated()
                .map { second, words in
                    let list = words.map { "\"\($0)\"" }.joined(separator: ",")
                    return
                        #"{"_type":"location","tst":\#(1_709_276_400 + second),"lat":52,"lon":4,"#
                        + #""motionactivities":[\#(list)]}"#
                }
                .joined(separator: "\n")
            let states = try Imported(text, as: .owntracks).events
                .compactMap { $0.firstMatch(of: /"state":"(\w+)"/).map { String($0.1) } }
            #expect(states == ["stationary", "automotive", "walking"])
        }
    }

    @Suite struct Overland {
        @Test func `trips are presses, and what says no position is passed over`() throws {
            let imported = try Imported(
                #"""
                {"locations":[
                 {"type":"Feature","geometry":{"type":"Point","coordinates":[-122.03,37.33]},
                  "properties":{"timestamp":"2024-03-01T07:00:00-0700","speed":-1,"course":-1,
                  "horizontal_accuracy":5,"vertical_accuracy":-1,"altitude":3,
                  "motion":["driving","stationary"],"device_id":"jo"}},
                 {"type":"Feature","properties":{"action":"will_terminate","timestamp":"x"}},
                 {"type":"Feature","geometry":{"type":"Point","coordinates":
                  {"latitude":37.34,"longitude":-122.04}},
                  "properties":{"timestamp":"2024-03-01T14:00:05.25Z","speed":10}},
                 {"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":
                  {"type":"trip","mode":"car","start":"2024-03-01T14:00:00Z",
                   "end":"2024-03-01T15:00:00Z","distance":30000}},
                 {"type":"Feature","geometry":null,"properties":{"type":"trip","mode":"train",
                   "start":"2024-03-01T14:00:00Z","end":"2024-03-01T15:00:00Z"}}
                ]}
                """#,
                as: .overland
            )
            let claim =
                #"{"type":"inference_reported","source":"overland","#
                + #""occurred_at":"2024-03-01T15:00:00.000Z","inferred_by":"Overland","#
                + #""inference":"activity","started_at":"2024-03-01T14:00:00.000Z","#
                + #""ended_at":"2024-03-01T15:00:00.000Z","#
            #expect(
                imported.events == [
                    #"{"type":"motion_changed","source":"overland/jo","#
                        + #""occurred_at":"2024-03-01T07:00:00.000-07:00","#
                        + #""state":"automotive","confidence":"medium"}"#,
                    #"{"type":"fix_recorded","source":"overland/jo","#
                        + #""occurred_at":"2024-03-01T07:00:00.000-07:00","#
                        + #""lat":37.33,"lon":-122.03,"accuracy":5,"altitude":3}"#,
                    #"{"type":"fix_recorded","source":"overland","#
                        + #""occurred_at":"2024-03-01T14:00:05.250Z","#
                        + #""lat":37.34,"lon":-122.04,"speed":10}"#,
                    #"{"type":"go_pressed","source":"overland","#
                        + #""occurred_at":"2024-03-01T14:00:00.000Z"}"#,
                    #"{"type":"stop_pressed","source":"overland","#
                        + #""occurred_at":"2024-03-01T15:00:00.000Z"}"#,
                    claim + #""distance_m":30000,"activity":"car","mode":"car"}"#,
                    claim + #""activity":"train","mode":"rail"}"#,
                ]
            )
            #expect(imported.ignored == ["2 will_terminate"])
            #expect(imported.rejected.isEmpty)
        }
    }

    @Suite struct Google {
        @Test func `a phone's export holds signals, and what Google made of them`() throws {
            let imported = try Imported(
                #"""
                {"semanticSegments":[
                 {"startTime":"2024-03-01T08:00:00.000+01:00","timelinePath":[
                  {"point":"52.1°, 4.3°","time":"2024-03-01T08:01:00.000+01:00"}]},
                 {"visit":{"topCandidate":{}}},{"activity":{"distanceMeters":1000.0}},{}],
                 "rawSignals":[
                 {"position":{"LatLng":"52.1000001°, -4.3°","accuracyMeters":13,
                  "altitudeMeters":0.5,"source":"WIFI","timestamp":"2024-03-01T08:00:00.000+01:00",
                  "speedMetersPerSecond":0.0}},
                 {"activityRecord":{"probableActivities":[{"type":"IN_ROAD_VEHICLE",
                  "confidence":0.8},{"type":"STILL","confidence":0.1}],
                  "timestamp":"2024-03-01T08:00:01.000+01:00"}},
                 {"activityRecord":{"probableActivities":[{"type":"IN_VEHICLE","confidence":0.5}],
                  "timestamp":"2024-03-01T08:00:02.000+01:00"}},
                 {"wifiScan":{"deliveryTime":"x"}},
                 {"position":{"LatLng":"52.2, 4.4","timestamp":"2024-03-01T07:00:03Z"}},
                 {"position":{"LatLng":"home","timestamp":"2024-03-01T07:00:03Z"}}],
                 "userLocationProfile":{"frequentPlaces":[]}}
                """#,
                as: .google
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"google","#
                        + #""occurred_at":"2024-03-01T08:00:00.000+01:00","#
                        + #""lat":52.1000001,"lon":-4.3,"accuracy":13,"altitude":0.5,"speed":0.0,"#
                        + #""provider":"wifi"}"#,
                    #"{"type":"motion_changed","source":"google","#
                        + #""occurred_at":"2024-03-01T08:00:01.000+01:00","#
                        + #""state":"automotive","confidence":"high"}"#,
                    #"{"type":"fix_recorded","source":"google","#
                        + #""occurred_at":"2024-03-01T07:00:03.000Z","lat":52.2,"lon":4.4}"#,
                ]
            )
            #expect(
                imported.ignored == [
                    "1 timelinePath", "2 visit", "3 activity", "4 other", "7 activityRecord",
                    "8 wifiScan",
                ]
            )
            #expect(imported.rejected == ["10 invalid_number"])
        }

        @Test func `edits hold signals in millimetres; months and iPhones hold none`() throws {
            let edits = try Imported(
                #"""
                {"timelineEdits":[{"deviceId":"7","placeAggregates":{}},{"deviceId":"7",
                 "rawSignal":{"signal":{"position":{"point":{"latE7":521000000,"lngE7":43000000},
                 "accuracyMm":13500,"source":"GPS","timestamp":"2024-03-01T07:00:00Z"}}}}]}
                """#,
                as: .google
            )
            #expect(
                edits.events == [
                    #"{"type":"fix_recorded","source":"google/7","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""accuracy":13.5,"provider":"gps"}"#
                ]
            )
            #expect(edits.ignored == ["1 placeAggregates"])
            let months = #"{"timelineObjects":[{"activitySegment":{}},{"placeVisit":{}}]}"#
            #expect(
                try Imported(months, as: .google).ignored == ["1 activitySegment", "2 placeVisit"]
            )
            let phone = #"[{"endTime":"x","visit":{}},{"timelinePath":[{"point":"geo:1,2"}]}]"#
            #expect(try Imported(phone, as: .google).ignored == ["1 visit", "2 timelinePath"])
        }

        @Test func `old times, lost signs, activities and providers`() throws {
            let imported = try Imported(
                #"""
                {"locations":[
                 {"timestampMs":"1709276400123","latitudeE7":521000000,"longitudeE7":4294967246,
                  "accuracy":18000,"source":"WIFI","deviceTag":-17},
                 {"timestamp":"2024-03-01T07:00:05Z","latitudeE7":521000000,"longitudeE7":43000000,
                  "activity":[{"timestamp":"2024-03-01T07:00:04Z","activity":[
                   {"type":"STILL","confidence":20},{"type":"IN_VEHICLE","confidence":80}]}]},
                 {"timestamp":"2024-03-01T07:00:06Z","latitudeE7":521000000}
                ]}
                """#,
                as: .google
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"google/-17","#
                        + #""occurred_at":"2024-03-01T07:00:00.123Z","#
                        + #""lat":52.1,"lon":-0.000005,"accuracy":18000,"provider":"wifi"}"#,
                    #"{"type":"motion_changed","source":"google","#
                        + #""occurred_at":"2024-03-01T07:00:04.000Z","#
                        + #""state":"automotive","confidence":"high"}"#,
                    #"{"type":"fix_recorded","source":"google","#
                        + #""occurred_at":"2024-03-01T07:00:05.000Z","lat":52.1,"lon":4.3}"#,
                ]
            )
            #expect(imported.rejected == ["3 missing_field"])
        }
    }

    @Suite struct NMEA {
        private func sentence(_ content: String) -> String {
            let sum = content.utf8.reduce(0, ^)
            return "$\(content)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16).uppercased())\n"
        }

        private func times(_ imported: Imported) -> [String] {
            imported.events.compactMap {
                $0.firstMatch(of: /"occurred_at":"([^"]*)"/).map { String($0.1) }
            }
        }

        @Test func `sentences of one time are one fix, and the date may come later`() throws {
            let imported = try Imported(
                "# a log\n"
                    + sentence("GNGGA,235958.50,5206.000,N,00418.000,E,1,08,1.0,3.5,M,,M,,")
                    + sentence("GPGSV,1,1,00")
                    + sentence("GNGLL,5206.000,N,00418.000,E,000001,A")
                    + sentence("GPRMC,000001,A,5206.000,N,00418.000,E,019.44,359.9,010324,,,A")
                    + sentence("GPRMC,000002,V,,,,,,,050180,,,N")
                    + sentence("GNGNS,000003,5206.1,S,00418.1,W,AN,9,1,2.5,0,,")
                    + "$GPRMC,000004,A,5206.000,N,00418.000,E,1,,010324,,,A*00\n"
                    + sentence("GPGGA,235959,5206.0,N,00418.0,E,1,8,1,0,M,,M,,")
                    + sentence("GPGGA,000001,5206.0,N,00418.0,E,1,8,1,0,M,,M,,")
                    + sentence("GPGGA,,5206.0,N,00418.0,E,1,8,1,0,M,,M,,"),
                as: .nmea
            )
            #expect(
                times(imported) == [
                    "2024-02-29T23:59:58.500Z", "2024-03-01T00:00:01.000Z",
                    "2024-03-01T00:00:03.000Z", "2024-03-01T23:59:59.000Z",
                    "2024-03-02T00:00:01.000Z",
                ]
            )
            #expect(
                imported.events[1].contains(#""lat":52.1,"lon":4.3,"speed":10.001,"course":359.9"#)
            )
            #expect(imported.events[2].contains(#""lat":-52.1016667,"lon":-4.3016667"#))
            #expect(imported.ignored == ["1 other", "3 GSV", "6 RMC"])
            #expect(imported.rejected == ["8 invalid_checksum", "11 invalid_time"])
        }

        @Test func `without any date there is no time`() throws {
            let text = sentence("GPGGA,235959,5206.0,N,00418.0,E,1,8,1,0,M,,M,,")
            let imported = try Imported(text, as: .nmea)
            #expect(imported.events.isEmpty)
            #expect(imported.rejected == ["1 missing_field"])
        }

        @Test func `UTF-16 is read`() throws {
            let text = sentence("GPRMC,000001,A,5206.0,N,00418.0,E,1,,010324,,,A")
            let units = text.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let bytes: [UInt8] = [0xFF, 0xFE] + Array(units.joined())
            #expect(ImportFormat.recognized(in: bytes.span) == .nmea)
            #expect(try Imported(bytes, as: .nmea).events.count == 1)
        }
    }

    @Suite struct CSV {
        private static let amsterdam = ImportOptions(source: "a", zone: amsterdamRules)
        private static let amsterdamRules = try? TimeZoneRules.ofMachine(named: "Europe/Amsterdam")

        @Test func `GPSLogger's columns, and a row count before them`() throws {
            let imported = try Imported(
                """
                2
                time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop
                2024-03-01T07:00:00.000Z,52.1,4.3,3.5,8,90.5,10.25,9,gps,1,1
                2024-03-01T07:00:01.000Z,52.1,4.3,,,-1,,9,network,1,1
                """,
                as: .csv
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"gpslogger","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""accuracy":8,"course":90.5,"altitude":3.5,"speed":10.25,"#
                        + #""provider":"gps"}"#,
                    #"{"type":"fix_recorded","source":"gpslogger","#
                        + #""occurred_at":"2024-03-01T07:00:01.000Z","lat":52.1,"lon":4.3,"#
                        + #""provider":"network"}"#,
                ]
            )
            #expect(imported.ignored == ["1 preamble"])
        }

        @Test func `the offset of GPSLogger's clock gives its times the phone's day`() throws {
            let columns = "time,lat,lon,accuracy,satellites,hdop"
            for (names, end) in [
                ("timestamp_ms,time_offset", "1709263800000,-04:00"), ("time_offset", "-04:00"),
            ] {
                let row = "2024-03-01T03:30:00.000Z,52.1,4.3,8,9,1,"
                let imported = try Imported("\(columns),\(names)\n\(row)\(end)\n", as: .csv)
                #expect(
                    imported.events == [
                        #"{"type":"fix_recorded","source":"gpslogger","#
                            + #""occurred_at":"2024-02-29T23:30:00.000-04:00","lat":52.1,"#
                            + #""lon":4.3,"accuracy":8}"#
                    ]
                )
                let bare = try Imported("\(columns),\(names)\n\(row)\n", as: .csv)
                #expect(bare.events.first?.contains("2024-03-01T03:30:00.000Z") == true)
            }
        }

        @Test func `an accuracy of 0 is not known, with a decimal comma too`() throws {
            let imported = try Imported(
                "time;lat;lon;accuracy\n2024-03-01T07:00:00Z;52,1;4,3;0,0\n",
                as: .csv
            )
            #expect(imported.events.count == 1 && !imported.events[0].contains("accuracy"))
        }

        @Test(arguments: ["false", "False", "0", "no"])
        func `a position that is not valid is ignored, however that is written`(
            word: String
        ) throws {
            let table = "time,lat,lon,valid\n2024-03-01T07:00:00Z,52.1,4.3,"
            #expect(try Imported("\(table)\(word)\n", as: .csv).ignored == ["2 invalid"])
            #expect(try Imported("\(table)1\n", as: .csv).events.count == 1)
        }

        @Test func `a time beyond the calendar is refused`() throws {
            let table = """
                lat,lon,timestamp_ms
                52,4,922337203685477580
                52,4,-922337203685477580
                52,4,253402300800000
                52,4,1709276400000

                """
            let imported = try Imported(table, as: .csv)
            #expect(
                imported.rejected == [
                    "2 time_out_of_range", "3 time_out_of_range", "4 time_out_of_range",
                ]
            )
            #expect(imported.events.count == 1)
            let query = "GET /?id=a&timestamp=55000000941026110&lat=52&lon=4 HTTP/1.1\n"
            #expect(try Imported(query, as: .osmand).rejected == ["1 time_out_of_range"])
        }

        @Test func `what a spreadsheet has destroyed is refused, and never guessed`() throws {
            let imported = try Imported(
                """
                Time;Latitude;Longitude
                1,51336E+12;52,1;4,3
                2024-03-01T07:00:00Z;-58.321.307;4,3
                2024-03-01T07:00:00Z;52,1;4,3;7
                90/02/2032;52,1;4,3
                1709276400;52,1;4,3
                1709276400123;52,1;4,3
                2024-03-01T07:00:00Z;;4,3
                """,
                as: .csv
            )
            #expect(imported.events.count == 2)
            #expect(imported.events[1].contains("2024-03-01T07:00:00.123Z"))
            #expect(
                imported.rejected == [
                    "2 invalid_time", "3 invalid_number", "4 invalid_value", "5 invalid_time",
                    "8 missing_field",
                ]
            )
        }

        @Test func `a time without a zone needs one, and one that clocks show twice is none`()
            throws
        {
            let text = """
                datetime,lat,lon
                2024-03-01 08:00:00,52.1,4.3
                2024-10-27 02:30:00,52.1,4.3
                2024-03-31 02:30:00,52.1,4.3
                """
            #expect(try Imported(text, as: .csv).rejected.count == 3)
            let imported = try Imported(text, as: .csv, options: Self.amsterdam)
            #expect(imported.events.count == 1)
            #expect(imported.events[0].contains(#""occurred_at":"2024-03-01T08:00:00.000+01:00""#))
            #expect(imported.rejected == ["3 invalid_time", "4 invalid_time"])
        }

        @Test func `speeds are metres per second, from any unit that the column names`() throws {
            for (column, speed, expected) in [
                ("speed", "10.5", "10.5"), ("speed_kmh", "36", "10"),
                ("Speed [mph]", "25", "11.18"),
                ("speed_knots", "10.00", "5.144"),
            ] {
                let text = "time,lat,lon,\(column)\n1709276400,52,4,\(speed)\n"
                let line = try Imported(text, as: .csv).events[0]
                #expect(line.hasSuffix(",\"speed\":\(expected)}"), "\(line)")
            }
        }

        @Test func `fixes of one second keep their order, and repeated ones are repeated`() throws {
            let text = """
                time,lat,lon
                1709276400,52,4
                1709276400,52.1,4
                1709276400,52,4
                1709276400,52.2,4
                1709276400,52.1,4
                """
            let numbers = try Imported(text, as: .csv).events
                .map { $0.firstMatch(of: /"sequence":(\d)/).map { String($0.1) } }
            #expect(numbers == [nil, "1", nil, "2", "1"])
        }
    }
}
