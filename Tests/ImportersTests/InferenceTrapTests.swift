import Importers
import Testing
import TripEvents

/// Records of formats beside fixes: inferences of other programs, presses, places and odometers.
@Suite struct InferenceTrapTests {
    private func inference(_ source: String, _ end: String, _ members: String) -> String {
        #"{"type":"inference_reported","source":"\#(source)","occurred_at":"\#(end)",\#(members)}"#
    }

    @Test func `the segments of an Android phone are evidence, and its paths are passed over`()
        throws
    {
        let imported = try Imported(
            #"""
            {"semanticSegments":[
             {"startTime":"2024-03-01T08:00:00.000+01:00","endTime":"2024-03-01T08:30:00.000+01:00",
              "activity":{"start":{"latLng":"52.1°, 4.3°"},"end":{"latLng":"52.2°, -4.4°"},
               "distanceMeters":12345.678,"topCandidate":{"type":"IN_PASSENGER_VEHICLE",
               "probability":0.8999999761581421}}},
             {"startTime":"2024-03-01T08:30:00.000+01:00","endTime":"2024-03-01T17:00:00.000+01:00",
              "visit":{"hierarchyLevel":0,"probability":0.7,"topCandidate":{"placeId":"ChIJ1",
               "semanticType":"INFERRED_WORK","probability":1e-1,
               "placeLocation":{"latLng":"52.2°, 4.4°"}}}},
             {"startTime":"2024-03-01T08:00:00.000+01:00","endTime":"2024-03-01T10:00:00.000+01:00",
              "timelinePath":[{"point":"52.1°, 4.3°","time":"2024-03-01T08:01:00.000+01:00"}]},
             {"startTime":"2024-03-01T09:00:00.000+01:00","endTime":"2024-03-01T08:00:00.000+01:00",
              "activity":{"topCandidate":{"type":"UNKNOWN_ACTIVITY_TYPE"}}},
             {"startTime":"2024-03-01T09:00:00.000+01:00","endTime":"soon","visit":{}},
             {"startTime":"2024-03-01T09:00:00.000+01:00","activity":{}}]}
            """#,
            as: .google
        )
        #expect(
            imported.events == [
                inference(
                    "google",
                    "2024-03-01T08:30:00.000+01:00",
                    #""inferred_by":"Google","inference":"activity","#
                        + #""started_at":"2024-03-01T08:00:00.000+01:00","#
                        + #""ended_at":"2024-03-01T08:30:00.000+01:00","distance_m":12345.678,"#
                        + #""lat":52.1,"lon":4.3,"to_lat":52.2,"to_lon":-4.4,"#
                        + #""probability":0.8999999761581421,"#
                        + #""activity":"IN_PASSENGER_VEHICLE","mode":"car""#
                ),
                inference(
                    "google",
                    "2024-03-01T17:00:00.000+01:00",
                    #""inferred_by":"Google","inference":"visit","#
                        + #""started_at":"2024-03-01T08:30:00.000+01:00","#
                        + #""ended_at":"2024-03-01T17:00:00.000+01:00","probability":0.1,"#
                        + #""place":"INFERRED_WORK","place_id":"ChIJ1","lat":52.2,"lon":4.4"#
                ),
            ]
        )
        #expect(imported.ignored == ["3 timelinePath", "6 activity"])
        #expect(imported.rejected == ["4 invalid_value", "5 invalid_time"])
    }

    @Test func `an iPhone writes numbers as texts and positions as links`() throws {
        let imported = try Imported(
            #"""
            [{"startTime":"2024-03-01T08:00:00+01:00","endTime":"2024-03-01T08:30:00+01:00",
              "activity":{"start":"geo:52.100000,4.300000","end":"geo:52.2,4.4",
               "distanceMeters":"1234.500000","topCandidate":{"type":"in bus",
               "probability":"0.500000"}}},
             {"startTime":"2024-03-01T08:30:00+01:00","endTime":"2024-03-01T09:00:00+01:00",
              "visit":{"hierarchyLevel":"0","topCandidate":{"placeID":"ChIJ1",
               "semanticType":"Unknown","placeLocation":"geo:52.2,4.4"}}},
             {"startTime":"2024-03-01T08:00:00+01:00","endTime":"2024-03-01T09:00:00+01:00",
              "timelinePath":[{"point":"geo:1,2","durationMinutesOffsetFromStartTime":"3"}]}]
            """#,
            as: .google,
            options: ImportOptions(source: "phone")
        )
        #expect(
            imported.events == [
                inference(
                    "phone",
                    "2024-03-01T08:30:00.000+01:00",
                    #""inferred_by":"Google","inference":"activity","#
                        + #""started_at":"2024-03-01T08:00:00.000+01:00","#
                        + #""ended_at":"2024-03-01T08:30:00.000+01:00","distance_m":1234.500000,"#
                        + #""lat":52.1,"lon":4.3,"to_lat":52.2,"to_lon":4.4,"#
                        + #""probability":0.500000,"activity":"in bus","mode":"bus""#
                ),
                inference(
                    "phone",
                    "2024-03-01T09:00:00.000+01:00",
                    #""inferred_by":"Google","inference":"visit","#
                        + #""started_at":"2024-03-01T08:30:00.000+01:00","#
                        + #""ended_at":"2024-03-01T09:00:00.000+01:00","#
                        + #""place_id":"ChIJ1","lat":52.2,"lon":4.4"#
                ),
            ]
        )
        #expect(imported.ignored == ["3 timelinePath"] && imported.rejected.isEmpty)
    }

    @Test func `months name the phone, and many segments their activity only among guesses`()
        throws
    {
        let imported = try Imported(
            #"""
            {"timelineObjects":[
             {"activitySegment":{"startLocation":{"latitudeE7":521000000,"longitudeE7":43000000,
               "sourceInfo":{"deviceTag":-17}},"endLocation":{"latitudeE7":522000000},
               "duration":{"startTimestampMs":"1709276400000","endTimestampMs":"1709278200123"},
               "distance":9000,"confidence":"MEDIUM","activities":[
                {"activityType":"IN_TRAIN","probability":61.5},
                {"activityType":"STILL","probability":20.0}],
               "waypointPath":{"distanceMeters":8000.5}}},
             {"placeVisit":{"location":{"latitudeE7":522000000,"longitudeE7":4294967246,
               "placeId":"ChIJ1","name":"Café","address":"1 High Street\nTown",
               "locationConfidence":92.5,"sourceInfo":{"deviceTag":-17}},
               "duration":{"startTimestamp":"2024-03-01T07:30:00Z",
                "endTimestamp":"2024-03-01T08:00:00.5Z"},"placeConfidence":"HIGH_CONFIDENCE"}},
             {"activitySegment":{"duration":{"startTimestamp":"2024-03-01T09:00:00Z",
               "endTimestamp":"2024-03-01T09:10:00Z"}}},
             {"activitySegment":{}},{"placeVisit":{"duration":{}}}]}
            """#,
            as: .google
        )
        #expect(
            imported.events == [
                inference(
                    "google/-17",
                    "2024-03-01T07:30:00.123Z",
                    #""inferred_by":"Google","inference":"activity","#
                        + #""started_at":"2024-03-01T07:00:00.000Z","#
                        + #""ended_at":"2024-03-01T07:30:00.123Z","distance_m":9000,"#
                        + #""lat":52.1,"lon":4.3,"probability":0.615,"#
                        + #""activity":"IN_TRAIN","mode":"rail","confidence":"medium""#
                ),
                inference(
                    "google/-17",
                    "2024-03-01T08:00:00.500Z",
                    #""inferred_by":"Google","inference":"visit","#
                        + #""started_at":"2024-03-01T07:30:00.000Z","#
                        + #""ended_at":"2024-03-01T08:00:00.500Z","lat":52.2,"lon":-0.000005,"#
                        + #""place":"Café","place_id":"ChIJ1","probability":0.925,"#
                        + #""confidence":"high""#
                ),
                inference(
                    "google",
                    "2024-03-01T09:10:00.000Z",
                    #""inferred_by":"Google","inference":"activity","#
                        + #""started_at":"2024-03-01T09:00:00.000Z","#
                        + #""ended_at":"2024-03-01T09:10:00.000Z""#
                ),
            ]
        )
        #expect(imported.ignored == ["4 activitySegment", "5 placeVisit"])
        #expect(imported.rejected.isEmpty)
    }

    private func claim(_ kind: String, _ from: String, _ to: String, _ members: String) -> String {
        inference(
            "overland",
            "2024-03-01T\(to):00.000Z",
            #""inferred_by":"Overland","inference":"\#(kind)","#
                + #""started_at":"2024-03-01T\#(from):00.000Z","#
                + #""ended_at":"2024-03-01T\#(to):00.000Z"\#(members)"#
        )
    }

    private func press(_ type: String, _ time: String, _ members: String) -> String {
        #"{"type":"\#(type)","source":"overland","occurred_at":"2024-03-01T\#(time):00.000Z","#
            + #"\#(members)}"#
    }

    @Test func `Overland's trips are presses and claims`() throws {
        let imported = try Imported(
            #"""
            {"locations":[
             {"type":"Feature","properties":{"type":"trip","mode":"car",
              "start":"2024-03-01T07:00:00Z","end":"2024-03-01T07:30:00Z","distance":12000.5,
              "stopped_automatically":true,
              "start_location":{"type":"Feature","geometry":{"type":"Point",
               "coordinates":[4.3,52.1]}},
              "end_location":{"type":"Point","coordinates":[4.4,52.2]}}},
             {"type":"Feature","stopped_automatically":false,"properties":{"type":"trip",
              "start":"2024-03-01T08:00:00Z","end":"2024-03-01T08:30:00Z",
              "start-coordinates":[4.3,52.1],"end-coordinates":[4.4]}},
             {"type":"Feature","properties":{"type":"trip","mode":"bicycle",
              "start":"2024-03-01T09:00:00Z","end":"2024-03-01T09:30:00Z","distance":-1}},
             {"type":"Feature","properties":{"type":"trip","end":"2024-03-01T09:30:00Z"}}]}
            """#,
            as: .overland,
            options: ImportOptions(vehicle: "van")
        )
        #expect(
            imported.events == [
                press("go_pressed", "07:00", #""vehicle":"van""#),
                press("stop_pressed", "07:30", #""automatic":true"#),
                claim(
                    "activity",
                    "07:00",
                    "07:30",
                    #","distance_m":12000.5,"activity":"car","mode":"car","#
                        + #""lat":52.1,"lon":4.3,"to_lat":52.2,"to_lon":4.4"#
                ),
                press("go_pressed", "08:00", #""vehicle":"van""#),
                press("stop_pressed", "08:30", #""automatic":false"#),
                claim("activity", "08:00", "08:30", #","lat":52.1,"lon":4.3"#),
                claim("activity", "09:00", "09:30", #","activity":"bicycle","mode":"bicycle""#),
            ]
        )
        #expect(imported.ignored.isEmpty)
        #expect(imported.rejected == ["4 missing_field"])
    }

    @Test func `a stay that a phone noticed is evidence once it has ended`() throws {
        let stay = { (dates: String) in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.5,52.3]},"#
                + #""properties":{\#(dates)"action":"visit"}}"#
        }
        let arrival = #""arrival_date":"2024-03-01T10:00:00Z","#
        let features = [
            stay(arrival + #""departure_date":"2024-03-01T11:00:00Z","#),
            stay(arrival + #""departure_date":"4001-01-01T00:00:00Z","#),
            stay(
                #""arrival_date":"0001-01-01T00:00:00Z","departure_date":"2024-03-01T11:00:00Z","#
            ),
            stay(""),
        ]
        let text = #"{"locations":[\#(features.joined(separator: ","))]}"#
        let imported = try Imported(text, as: .overland)
        #expect(
            imported.events == [claim("visit", "10:00", "11:00", #","lat":52.3,"lon":4.5"#)]
        )
        #expect(imported.ignored == ["2 visit", "3 visit", "4 visit"])
        #expect(imported.rejected.isEmpty)
    }

    @Test func `Traccar's trips are what it inferred`() throws {
        let imported = try Imported(
            #"""
            [{"deviceId":3,"startPositionId":1,"endPositionId":2,"distance":12000.5,
              "startOdometer":100.0,"startTime":"2024-03-01T07:00:00.000+00:00",
              "endTime":"2024-03-01T07:30:00.000+00:00","startLat":52.1,"startLon":4.3,
              "endLat":52.2,"endLon":4.4,"duration":1800000},
             {"deviceId":3,"startPositionId":1,"endTime":"2024-03-01T07:30:00Z"}]
            """#,
            as: .traccar
        )
        #expect(
            imported.events == [
                inference(
                    "traccar/3",
                    "2024-03-01T07:30:00.000Z",
                    #""inferred_by":"Traccar","inference":"activity","#
                        + #""started_at":"2024-03-01T07:00:00.000Z","#
                        + #""ended_at":"2024-03-01T07:30:00.000Z","distance_m":12000.5,"#
                        + #""lat":52.1,"lon":4.3,"to_lat":52.2,"to_lon":4.4"#
                )
            ]
        )
        #expect(imported.rejected == ["2 missing_field"])
    }

    @Test func `OwnTracks' regions are places; beacons and circles that follow are none`() throws {
        let region = { (name: String, rest: String) in
            #"{"_type":"waypoint","desc":"\#(name)","tst":1709276400,\#(rest)}"#
        }
        let home = region("Home", #""lat":52.1,"lon":4.3,"rad":150"#)
        let imported = try Imported(
            """
            \(home)
            {"_type":"waypoints","topic":"owntracks/jo/5/waypoints","waypoints":[
             \(home),\(region("beacon:uuid", #""rad":0,"lat":0,"lon":0"#)),
             \(region("+60", #""lat":52,"lon":4,"rad":60"#)),{"_type":"waypoint"}]}
            {"_type":"waypoints","waypoints":[]}
            {"_type":"waypoint","desc":"Work","lat":52.1,"lon":4.3,"rad":150}
            {"_type":"transition","desc":"Home","event":"enter","lat":52.1,"lon":4.3,
             "tst":1709276500,"wtst":1709276400,"acc":10}
            """,
            as: .owntracks
        )
        let place = { (source: String) in
            #"{"type":"place_saved","source":"\#(source)","#
                + #""occurred_at":"2024-03-01T07:00:00.000Z","place":"Home","#
                + #""lat":52.1,"lon":4.3,"radius_m":150,"imported_from":"OwnTracks"}"#
        }
        #expect(imported.events == [place("owntracks"), place("owntracks/jo/5/waypoints")])
        #expect(
            imported.ignored == [
                "2 waypoint", "2 waypoint", "2 waypoint", "3 waypoints", "5 transition",
            ]
        )
        #expect(imported.rejected == ["4 missing_field"])
    }
}
