import Importers
import Testing
import TripEvents

/// Traps seen in real files of XML, one after the other.
@Suite struct XMLTrapTests {
    @Suite struct GPX {
        private func gpx(_ points: String, head: String = "<?xml version=\"1.0\"?>") -> String {
            "\(head)<gpx><wpt lat='1' lon='1'/><trk><trkseg/><trkseg>\(points)</trkseg></trk></gpx>"
        }

        @Test func `points of both versions, with what they lack`() throws {
            let imported = try Imported(
                gpx(
                    """
                    <trkpt lat="52.1" lon="+4.3"><ele>-1.5</ele>\
                    <time>2024-03-01T08:00:00.994+01:00</time><speed>10.25</speed></trkpt>
                    <trkpt lat=" 52.10 " lon=".5"><time>2024-03-01T07:00:01</time>\
                    <extensions><gpxtpx:course>90</gpxtpx:course></extensions></trkpt>
                    <trkpt lat="52.1" lon="4.3"/>
                    <trkpt lat="52,1" lon="4.3"><time>2024-03-01T07:00:02Z</time></trkpt>
                    <trkpt lat="52.1" lon="4.3"><time>1901-03-01T07:00:02Z</time></trkpt>
                    """,
                    head: "\n          <?xml version=\"1.0\"?>"
                ),
                as: .gpx
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"gpx","#
                        + #""occurred_at":"2024-03-01T08:00:00.994+01:00","#
                        + #""lat":52.1,"lon":4.3,"altitude":-1.5,"speed":10.25}"#,
                    #"{"type":"fix_recorded","source":"gpx","#
                        + #""occurred_at":"2024-03-01T07:00:01.000Z","#
                        + #""lat":52.10,"lon":0.5,"course":90}"#,
                ]
            )
            #expect(imported.ignored == ["1 wpt"])
            #expect(
                imported.rejected == ["4 missing_field", "5 invalid_number", "6 time_out_of_range"]
            )
        }

        @Test func `a text that is too long is no number, however it is cut`() throws {
            let altitude = "1." + String(repeating: "0", count: 298)
            let text = gpx(
                "<trkpt lat='52' lon='4'><ele>\(altitude)</ele><time>2024-03-01T07:00:00Z</time>"
                    + "</trkpt>"
            )
            let bytes = Array(text.utf8)
            let whole = try Imported(bytes, as: .gpx)
            #expect(whole.rejected.isEmpty)
            #expect(whole.events.first?.contains(#""unread":{"altitude":"1.000"#) == true)
            for step in [1, 7, 64] {
                let cuts = Array(stride(from: step, to: bytes.count, by: step))
                #expect(try Imported(bytes, as: .gpx, cuts: cuts) == whole, "\(step) at a time")
            }
        }

        @Test func `a bomb, a deep nest and half a file are refused`() throws {
            let bomb =
                "<?xml version='1.0'?><!DOCTYPE gpx [<!ENTITY a 'aaaaaaaaaa'>"
                + "<!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><gpx>&b;</gpx>"
            #expect(try Imported(bomb, as: .gpx).rejected == ["1 invalid_xml"])
            let nest = String(repeating: "<gpx>", count: 1_000)
            #expect(try Imported(nest, as: .gpx).rejected == ["1 invalid_xml"])
            let point = "<trkpt lat='52' lon='4'><time>2024-03-01T07:00:00Z</time></trkpt>"
            let half = try Imported("<gpx><trk><trkseg>" + point, as: .gpx)
            #expect(half.events.count == 1)
            #expect(half.rejected == ["2 invalid_xml"])
            let data = "<gpx><![CDATA[<!DOCTYPE x>]]></gpx>"
            #expect(try Imported(data, as: .gpx).rejected.isEmpty)
        }
    }

    @Suite struct KML {
        @Test func `times and coordinates belong together by their places`() throws {
            let imported = try Imported(
                """
                <?xml version="1.0"?><kml xmlns:gx="x"><Placemark><Track>
                <when>2024-03-01T07:00:00Z</when><when/><when>2024-03-01T07:00:02Z</when>
                <when>soon</when><when>2024-03-01T07:00:04Z</when>
                <coord>4.3 52.1 -2.5</coord><coord>4.4 52.1</coord><coord/><coord>4.5 52.1</coord>
                <coord>4.6 fifty</coord><coord>4.7 52.1</coord>
                </Track></Placemark><Placemark><gx:Track><when>2024-03-01T07:00:09Z</when>
                </gx:Track></Placemark></kml>
                """,
                as: .kml
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"kml","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""altitude":-2.5}"#
                ]
            )
            #expect(imported.ignored == ["2 pause", "3 pause"])
            #expect(
                imported.rejected == [
                    "4 invalid_time", "5 invalid_number", "6 missing_field", "7 missing_field",
                ]
            )
        }

        @Test func `points with a time are fixes; places and lines are none`() throws {
            let imported = try Imported(
                """
                <kml><Document><Placemark><TimeStamp><when>2024-03-01T08:00:00+01:00</when>
                </TimeStamp><Point><coordinates> 4.3,52.1,7 </coordinates></Point></Placemark>
                <Placemark><name>home</name><Point><coordinates>4.3,52.1</coordinates></Point>
                </Placemark><Placemark><TimeSpan><begin>2024-03-01T07:00:00Z</begin></TimeSpan>
                <LineString><coordinates>4.3,52.1,7 4.4,52.2,7</coordinates></LineString>
                </Placemark><Placemark><LineString><coordinates>4.3,52.1</coordinates></LineString>
                </Placemark></Document></kml>
                """,
                as: .kml
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"kml","#
                        + #""occurred_at":"2024-03-01T08:00:00.000+01:00","lat":52.1,"lon":4.3,"#
                        + #""altitude":7}"#
                ]
            )
            #expect(imported.ignored == ["2 Point", "4 LineString"])
            #expect(imported.rejected == ["3 missing_field"])
        }
    }

    @Suite struct TCX {
        @Test func `courses are plans, and pauses have no position`() throws {
            let point = """
                <Trackpoint><Time>2024-03-01T07:00:00Z</Time><Position><LatitudeDegrees>52.1\
                </LatitudeDegrees><LongitudeDegrees>4.3</LongitudeDegrees></Position>\
                <AltitudeMeters>3.5</AltitudeMeters><DistanceMeters>7</DistanceMeters></Trackpoint>
                """
            let imported = try Imported(
                """
                          <?xml version="1.0"?><TrainingCenterDatabase><Courses><Course><Track>
                \(point)</Track></Course></Courses><Activities><Activity><Lap><Track>\(point)
                <Trackpoint><Time>2024-03-01T07:00:01Z</Time><HeartRateBpm><Value>90</Value>
                </HeartRateBpm></Trackpoint></Track></Lap></Activity></Activities>
                </TrainingCenterDatabase>
                """,
                as: .tcx
            )
            #expect(
                imported.events == [
                    #"{"type":"fix_recorded","source":"tcx","#
                        + #""occurred_at":"2024-03-01T07:00:00.000Z","lat":52.1,"lon":4.3,"#
                        + #""altitude":3.5}"#
                ]
            )
            #expect(imported.ignored == ["1 course", "3 no_position"])
            #expect(imported.rejected.isEmpty)
        }
    }
}
