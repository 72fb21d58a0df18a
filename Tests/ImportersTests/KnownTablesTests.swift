import Importers
import Testing
import TripEvents
import TripLedger

/// Tables of apps whose columns are known, or told by what they are called.
@Suite struct KnownTablesTests {
    private static let options = ImportOptions(
        zone: try? .ofMachine(named: "Europe/Copenhagen")
    ) { name in try? TimeZoneRules.ofMachine(named: name) }

    private func format(_ text: String) -> ImportFormat? {
        let bytes = Array(text.utf8)
        return ImportFormat.recognized(in: bytes.span)
    }

    // MARK: TeslaMate

    private static let drives = """
        id,start_date,end_date,outside_temp_avg,speed_max,start_km,end_km,distance,duration_min,\
        car_id,start_address_id
        1,2024-03-01 07:00:00.5,2024-03-01 07:30:00,8.5,121,12345.678,12367.178,21.5,30,1,7
        2,2024-03-02 07:00:00,,,,,,,,1,
        3,2024-03-03 07:00:00,2024-03-03 07:10:00,,,,,0,10,2,

        """

    @Test func `TeslaMate's drives are reported trips with both odometers, in UTC`() throws {
        #expect(format(Self.drives) == .teslamate)
        let imported = try Imported(Self.drives, as: .teslamate, options: Self.options)
        func odometer(_ time: String, _ value: String) -> String {
            #"{"type":"odometer_read","source":"teslamate/1","occurred_at":"2024-03-01T\#(time)Z","#
                + #""vehicle":"teslamate/1","value":\#(value),"unit":"km","method":"imported"}"#
        }
        func trip(_ car: Int, _ start: String, _ end: String, _ distance: String) -> String {
            #"{"type":"trip_reported","source":"teslamate/\#(car)","#
                + #""occurred_at":"2024-03-0\#(end)","#
                + #""started_at":"2024-03-0\#(start)","ended_at":"2024-03-0\#(end)","#
                + #""distance_m":\#(distance),"imported_from":"TeslaMate","#
                + #""vehicle":"teslamate/\#(car)"}"#
        }
        #expect(
            imported.events == [
                trip(1, "1T07:00:00.500Z", "1T07:30:00.000Z", "21500"),
                odometer("07:00:00.500", "12345.678"), odometer("07:30:00.000", "12367.178"),
                trip(2, "3T07:00:00.000Z", "3T07:10:00.000Z", "0"),
            ]
        )
        // A drive that has not ended does not count yet.
        #expect(imported.rejected == ["3 missing_field"])
    }

    @Test func `TeslaMate's positions are fixes, with speeds in kilometres per hour`() throws {
        let text = """
            id,date,latitude,longitude,speed,power,odometer,car_id,drive_id,elevation
            1,2024-03-01 07:00:00.123456,52.1,4.3,36,20,12345.6,1,1,-2
            2,2024-03-01 07:00:01,52.1,4.3,,,,1,,
            3,2024-03-01 07:00:02,,4.3,,,,1,,
            """
        #expect(format(text) == .teslamate)
        let imported = try Imported(text, as: .teslamate, options: Self.options)
        let start =
            #"{"type":"fix_recorded","source":"teslamate/1","occurred_at":"2024-03-01T07:00:0"#
        #expect(
            imported.events == [
                start + #"0.123456Z","lat":52.1,"lon":4.3,"altitude":-2,"speed":10}"#,
                start + #"1.000Z","lat":52.1,"lon":4.3}"#,
            ]
        )
        #expect(imported.rejected == ["4 missing_field"])
    }

    // MARK: Dawarich

    @Test func `Dawarich's points in each of its shapes are the same fixes`() throws {
        let members =
            #""tracker_id":"van","timestamp":1709276400,"velocity":"10.5","accuracy":0,"#
            + #""altitude":3,"course":90.5"#
        let line =
            #"{"type":"fix_recorded","source":"dawarich/van","#
            + #""occurred_at":"2024-03-01T07:00:00.000Z","#
            + #""lat":52.1,"lon":4.3,"altitude":3,"speed":10.5,"course":90.5}"#
        let place = #""latitude":"52.1","longitude":"4.3""#
        let feature =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":["4.3","52.1"]},"#
            + #""properties":{\#(members)}}"#
        for text in [
            #"{"type":"FeatureCollection","features":[\#(feature)]}"#,
            #"[{\#(members),\#(place)}]"#,
            #"{\#(members),\#(place)}"# + "\n",
            #"{\#(members),"lonlat":"POINT(4.3 52.1)","latitude":null}"#,
            #"{"counts":{"points":1},"settings":{},"areas":[],"points":[{\#(members),\#(place)}]}"#,
        ] {
            #expect(format(text) == .dawarich, "\(text)")
            let imported = try Imported(text, as: .dawarich)
            #expect(imported.events == [line], "\(text)")
            #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "\(imported)")
        }
    }

    @Test func `what Dawarich makes of points is counted, and points without a time are refused`()
        throws
    {
        let text = #"""
            {"counts":{"areas":1,"imports":0,"points":4,"visits":1},"settings":{"a":[1]},
             "areas":[{"name":"Home","latitude":"52.1","longitude":"4.3"}],"imports":[],
             "visits":[{"started_at":"2024-03-01T07:00:00Z"}],"places":[{"name":"Office"}],
             "points":[{"timestamp":null,"latitude":52.1,"longitude":4.3},
              {"timestamp":1709276401,"latitude":52.1,"longitude":4.3,"velocity":"fast"},
              {"timestamp":1709276402,"latitude":null,"longitude":4.3},
              {"timestamp":1709276403,"latitude":91,"longitude":4.3}]}
            """#
        #expect(format(text) == .dawarich)
        let imported = try Imported(text, as: .dawarich)
        #expect(
            imported.events == [
                #"{"type":"fix_recorded","source":"dawarich","#
                    + #""occurred_at":"2024-03-01T07:00:01.000Z","lat":52.1,"lon":4.3,"#
                    + #""extra":{"unread":{"speed":"fast"}}}"#
            ]
        )
        #expect(imported.ignored == ["1 areas", "2 visits", "3 places"])
        #expect(
            imported.rejected == [
                "4 missing_field", "6 missing_field", "7 coordinate_out_of_range",
            ]
        )
    }

    // MARK: Driversnote

    @Test func `Driversnote's columns are told by what they are called`() throws {
        let text = """
            Driversnote;;;;;;
            Name;Jo;;;;;

            Date;Start time;End time;From;To;Type of trip;Distance (km);Odometer start (km);\
            Odometer end (km);Vehicle;Notes
            31.12.2024;23:50;00:10;Main St;Office;Business;12,5;1000;1012,5;AB 12 345;roof
            1.1.2025;8:00;8:10;A;B;Private;1;;;AB 12 345;
            Total;;;;;;13,5;;;;

            """
        #expect(format(text) == .driversnote)
        let imported = try Imported(text, as: .driversnote, options: Self.options)
        #expect(imported.events.count == 4)
        let trip =
            #"{"type":"trip_reported","source":"driversnote","#
            + #""occurred_at":"2025-01-01T00:10:00.000+01:00","#
            + #""started_at":"2024-12-31T23:50:00.000+01:00","#
            + #""ended_at":"2025-01-01T00:10:00.000+01:00","from":"Main St","to":"Office","#
            + #""distance_m":12500,"imported_from":"Driversnote","notes":"roof","#
            + #""vehicle":"AB 12 345","class":"business"}"#
        #expect(imported.events.first == trip)
        #expect(imported.events.last?.contains(#""class":"personal""#) == true)
        #expect(imported.rejected.isEmpty)
        #expect(imported.ignored == ["1 preamble", "2 preamble", "7 totals"])
    }

    @Test func `what the table does not say is not guessed`() throws {
        // 2/3 may be in February or in March.
        let days = "Driversnote\nDate,Start time,Miles\n2/3/2024,08:00,1\n3/3/2024,08:00,2\n"
        let imported = try Imported(days, as: .driversnote, options: Self.options)
        #expect(imported.events.isEmpty)
        #expect(imported.rejected == ["3 invalid_time", "4 invalid_time"])
        // One day that can be only one of them tells all.
        let told = days + "3/31/2024,08:00,2\n"
        #expect(try Imported(told, as: .driversnote, options: Self.options).events.count == 3)
        // A distance without a unit may be in kilometres or miles.
        let distance = "Driversnote\nDate,Start time,Distance\n2024-03-02,08:00,1\n"
        let unknown = try Imported(distance, as: .driversnote, options: Self.options)
        #expect(unknown.events.isEmpty)
        #expect(unknown.rejected == ["3 missing_field"])
        #expect(unknown.ignored == ["1 preamble", "2 preamble"])
    }

    // MARK: Columbus

    @Test func `a Columbus logger writes days and times in six digits, and marks between`() throws {
        let text = """
            INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX
            1,T,240301,080000,52.100000N,004.300000W,12,36,90,
            2,C,240301,080001,52.100000N,004.300000W,12,36,90,
            3,T,240301,080002,52.200000S,004.300000E,-3,0,0,
            """
        #expect(format(text) == .csv)
        let imported = try Imported(text, as: .csv, options: Self.options)
        #expect(imported.events.count == 2)
        let fix =
            #"{"type":"fix_recorded","source":"csv","#
            + #""occurred_at":"2024-03-01T08:00:00.000+01:00","lat":52.1,"lon":-4.3,"#
            + #""altitude":12,"speed":10,"course":90}"#
        #expect(imported.events.first == fix)
        #expect(imported.ignored == ["3 not_selected"])
    }
}
