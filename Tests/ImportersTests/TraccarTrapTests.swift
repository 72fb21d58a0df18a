import Importers
import Testing
import TripEvents
import TripLedger

/// Traccar's positions and the protocol that is called after OsmAnd, with what was seen in them.
@Suite struct TraccarTrapTests {
    @Test func `positions in knots, and what the ignition says`() throws {
        let imported = try Imported(
            """
            [{"id":1,"deviceId":3,"protocol":"teltonika","fixTime":"2024-03-01T07:00:00.000+00:00",
              "outdated":false,"valid":true,"latitude":52.1,"longitude":4.3,"altitude":-2.0,
              "speed":10.799136069114,"course":90.0,"accuracy":0.0,
              "attributes":{"ignition":true,"motion":true,"odometer":12345600}},
             {"deviceId":3,"fixTime":"2024-03-01T07:00:05Z","valid":true,"latitude":52.2,
              "longitude":4.3,"speed":0.0,"accuracy":5.5,"attributes":{"ignition":true}},
             {"deviceId":3,"fixTime":"2024-03-01T07:00:05Z","outdated":true,"latitude":52.2},
             {"deviceId":3,"fixTime":"2024-03-01T07:00:06Z","valid":false,"latitude":52.2},
             {"deviceId":3,"latitude":52.2,"longitude":4.3},
             {"deviceId":3,"startPositionId":1,"endPositionId":2,"distance":12000.5}]
            """,
            as: .traccar
        )
        #expect(
            imported.events == [
                #"{"type":"motion_changed","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","#
                    + #""state":"automotive","confidence":"medium"}"#,
                #"{"type":"fix_recorded","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                    + #""altitude":-2.0,"speed":5.555555556,"course":90.0}"#,
                #"{"type":"fix_recorded","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T07:00:05.000Z","lat":52.2,"lon":4.3,"#
                    + #""accuracy":5.5,"speed":0}"#,
            ]
        )
        #expect(imported.ignored == ["1 odometer", "3 outdated", "4 invalid"])
        #expect(imported.rejected == ["5 missing_field", "6 missing_field"])
    }

    @Test func `a table in the user's zone, whose addresses have commas`() throws {
        let text = """
            id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,\
            altitude,speed,course,address,accuracy,ignition
            1,3,h02,2024-03-01 08:00:09,2024-03-01 08:00:00,2024-03-01 08:00:00,true,52.1,4.3,\
            0.0,10.8,90.0,,7.5,true
            2,3,h02,2024-03-01 08:00:09,2024-03-01 08:00:05,2024-03-01 08:00:05,true,52.2,4.3,\
            0.0,10.8,90.0,1 High Street, Town, NL,7.5,false
            3,3,h02,2024-03-01 08:00:09,2024-03-01 08:00:06,2024-03-01 08:00:06,false,52.2,4.3,\
            0.0,10.8,90.0,,0.0,true

            """
        let rules = try TimeZoneRules.ofMachine(named: "Europe/Amsterdam")
        let amsterdam = ImportOptions(zone: rules)
        let imported = try Imported(text, as: .traccar, options: amsterdam)
        #expect(
            imported.events == [
                #"{"type":"motion_changed","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T08:00:00.000+01:00","#
                    + #""state":"automotive","confidence":"medium"}"#,
                #"{"type":"fix_recorded","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T08:00:00.000+01:00","lat":52.1,"lon":4.3,"#
                    + #""accuracy":7.5,"course":90.0,"altitude":0.0,"speed":5.556}"#,
                #"{"type":"fix_recorded","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T08:00:05.000+01:00","lat":52.2,"lon":4.3,"#
                    + #""course":90.0,"altitude":0.0,"speed":5.556}"#,
            ]
        )
        #expect(imported.ignored == ["4 invalid"])
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .traccar)
        #expect(try Imported(text, as: .csv, options: amsterdam) == imported)
    }

    @Test func `queries as they were sent, and as a web server wrote them down`() throws {
        let text = """
            /?id=jo%20a&timestamp=1709276400&lat=52.1&lon=4.3\
            &speed=10.8&bearing=90&altitude=-2&accuracy=7
            10.0.0.1 - - "POST /?deviceid=b&location=52.2,4.4&\
            timestamp=1709276405000&heading=-1 HTTP/1.1"
            ?id=b&timestamp=2024-03-01+08:00:06&lat=52.2&lon=4.4
            ?id=b&lat=52.2&lon=4.4
            ?id=b&timestamp=1709276407&cell=204,8,1,2
            ?id=b&timestamp=1709276407&lat=52.2
            ?id=b&timestamp=1709276408&lat=52.2&lon=4.4&valid=false
            GET /favicon.ico

            """
        let imported = try Imported(text, as: .osmand)
        #expect(
            imported.events == [
                #"{"type":"fix_recorded","source":"osmand/jo a","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                    + #""accuracy":7,"altitude":-2,"course":90,"speed":5.556}"#,
                #"{"type":"fix_recorded","source":"osmand/b","#
                    + #""occurred_at":"2024-03-01T07:00:05.000Z","lat":52.2,"lon":4.4}"#,
            ]
        )
        #expect(
            imported.rejected == [
                "3 invalid_time", "4 missing_field", "6 invalid_number",
            ]
        )
        #expect(imported.ignored == ["5 no_location", "7 invalid", "8 other"])
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .osmand)
    }

    @Test func `objects tell motion and made-up locations`() throws {
        let imported = try Imported(
            """
            {"location":{"timestamp":1709276400000,"coords":{"latitude":52.1,"longitude":4.3,
             "speed":-1,"heading":90,"accuracy":7,"altitude":3},"is_moving":true,"mock":true,
             "activity":{"type":"in_vehicle"},"battery":{"level":0.5}},"device_id":"a"}
            [{"location":{"timestamp":"2024-03-01T07:00:05Z","coords":{"latitude":52.2,
             "longitude":4.3},"activity":{"type":"in_vehicle"}},"device_id":"a"}]
            {"location":{"timestamp":"2024-03-01T07:00:06Z"},"device_id":"a"} {"other":1}
            """,
            as: .osmand
        )
        #expect(
            imported.events == [
                #"{"type":"motion_changed","source":"osmand/a","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","#
                    + #""state":"automotive","confidence":"medium"}"#,
                #"{"type":"fix_recorded","source":"osmand/a","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                    + #""accuracy":7,"altitude":3,"course":90,"mock":true}"#,
                #"{"type":"fix_recorded","source":"osmand/a","#
                    + #""occurred_at":"2024-03-01T07:00:05.000Z","lat":52.2,"lon":4.3}"#,
            ]
        )
        #expect(imported.rejected == ["3 missing_field", "4 missing_field"])
    }
}
