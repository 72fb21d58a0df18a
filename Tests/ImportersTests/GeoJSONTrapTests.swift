import Importers
import Testing

/// Traps seen in real files of GeoJSON, one after the other (FORMATS §5 of the design).
@Suite struct GeoJSONTrapTests {
    /// The beginning of a fix's line.
    private func fix(_ time: String, _ rest: String) -> String {
        #"{"type":"fix_recorded","source":"geojson","occurred_at":"2024-03-01T07:00:"#
            + "\(time)Z\",\(rest)}"
    }

    @Test func `points have their readings under many names, and numbers as texts`() throws {
        let imported = try Imported(
            #"""
            {"type":"FeatureCollection","features":[
             {"type":"Feature","geometry":{"type":"Point","coordinates":["4.3","52.1","-2.5"]},
              "properties":{"timestamp":1709276400,"speed_kmh":36,"acc":8,"bearing":-1}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},
              "properties":{"time":1709276401250,"altitude":3,"speed":-1}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},
              "properties":{"name":"home"}},
             {"type":"Feature","geometry":null,"properties":{}},
             {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[4.3]},
              "properties":{"time":"2024-03-01T07:00:03Z"}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},
              "properties":{"time":"later"}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},
              "properties":{"date":"2024-03-01T07:00:00Z","google_maps_url":"http://m"}}]}
            """#,
            as: .geojson
        )
        #expect(
            imported.events == [
                fix("00.000", #""lat":52.1,"lon":4.3,"accuracy":8,"altitude":-2.5,"speed":10"#),
                fix("01.250", #""lat":52.1,"lon":4.3,"altitude":3"#),
            ]
        )
        #expect(imported.ignored == ["3 Point", "4 no_geometry", "5 Polygon", "8 saved_place"])
        #expect(imported.rejected == ["6 missing_field", "7 invalid_time"])
    }

    @Test func `lines and points in one feature go by their list of times`() throws {
        let imported = try Imported(
            #"""
            {"type":"FeatureCollection","features":[
             {"geometry":{"type":"MultiPoint","coordinates":[[4.3,52.1],[4.4,52.2]]},"properties":
              {"time":["2024-03-01T07:00:00Z","2024-03-01T07:00:01Z"],"speed":[5,-1]}},
             {"geometry":{"type":"LineString","coordinates":[[4.3,52.1,7]]},"properties":
              {"coordinateProperties":{"times":["2024-03-01T07:00:02Z"]}}},
             {"geometry":{"type":"LineString","coordinates":[[4.3,52.1],[4.4,52.2]]},"properties":
              {"coordTimes":["2024-03-01T07:00:02Z"]}},
             {"geometry":{"type":"LineString","coordinates":[[4.3,52.1]]},"properties":null}]}
            """#,
            as: .geojson
        )
        #expect(
            imported.events == [
                fix("00.000", #""lat":52.1,"lon":4.3,"speed":5"#),
                fix("01.000", #""lat":52.2,"lon":4.4"#),
                fix("02.000", #""lat":52.1,"lon":4.3,"altitude":7"#),
                fix("02.000", #""lat":52.1,"lon":4.3,"sequence":1"#),
            ]
        )
        #expect(imported.rejected == ["3 missing_field"])
        #expect(imported.ignored == ["4 LineString"])
    }

    /// Thorough runs of the balance law had found both.
    @Test(arguments: [
        (ImportFormat.geojson, #"{"type":"Feature","geometry":{"type":"","coordinates":[]}}"#),
        (.gpsd, #"{"class":"TPV","mode":1}"# + "\n" + #"{"class":"","mode":3}"#),
    ])
    func `what names no kind of its own is left out as one`(
        format: ImportFormat,
        text: String
    ) throws {
        #expect(try Imported(text, as: format).ignored.last?.hasSuffix(" other") == true)
    }
}
