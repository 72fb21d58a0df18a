import Importers
import Testing
import TripEvents

/// A member that a fix can be without costs only itself when it cannot be read, and never the fix.
@Suite struct UnreadMembersTests {
    /// A way to write a fix in a format, with something in place of its speed.
    private struct Writer: Sendable {
        let format: ImportFormat
        let isJSON: Bool
        let text: @Sendable (String) -> String
    }

    private static let writers = [
        Writer(format: .gpx, isJSON: false) {
            "<gpx><trk><trkseg><trkpt lat='52.1' lon='4.3'><time>2024-03-01T07:00:00Z</time>"
                + "<extensions><speed>\($0)</speed></extensions></trkpt></trkseg></trk></gpx>"
        },
        Writer(format: .tcx, isJSON: false) {
            "<TrainingCenterDatabase><Trackpoint><Time>2024-03-01T07:00:00Z</Time>"
                + "<LatitudeDegrees>52.1</LatitudeDegrees><LongitudeDegrees>4.3</LongitudeDegrees>"
                + "<Speed>\($0)</Speed></Trackpoint></TrainingCenterDatabase>"
        },
        Writer(format: .csv, isJSON: false) {
            "time,lat,lon,speed\n2024-03-01T07:00:00Z,52.1,4.3,\"\($0)\"\n"
        },
        Writer(format: .owntracks, isJSON: true) {
            #"{"_type":"location","tst":1709276400,"lat":52.1,"lon":4.3,"vel":\#($0)}"#
        },
        Writer(format: .overland, isJSON: true) {
            #"{"locations":[{"type":"Feature","geometry":{"coordinates":[4.3,52.1]},"#
                + #""properties":{"timestamp":"2024-03-01T07:00:00Z","speed":\#($0)}}]}"#
        },
        Writer(format: .traccar, isJSON: true) {
            #"[{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","latitude":52.1,"#
                + #""longitude":4.3,"speed":\#($0)}]"#
        },
        Writer(format: .osmand, isJSON: true) {
            #"{"location":{"timestamp":1709276400000,"coords":{"latitude":52.1,"#
                + #""longitude":4.3,"speed":\#($0)}}}"#
        },
        Writer(format: .geojson, isJSON: true) {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.1]},"#
                + #""properties":{"time":"2024-03-01T07:00:00Z","speed":\#($0)}}"#
        },
        Writer(format: .google, isJSON: true) {
            #"{"locations":[{"timestamp":"2024-03-01T07:00:00Z","latitudeE7":521000000,"#
                + #""longitudeE7":43000000,"velocity":\#($0)}]}"#
        },
        Writer(format: .dawarich, isJSON: true) {
            #"[{"timestamp":1709276400,"latitude":52.1,"longitude":4.3,"velocity":\#($0)}]"#
        },
        Writer(format: .gpsd, isJSON: true) {
            #"{"class":"TPV","mode":3,"time":"2024-03-01T07:00:00Z","lat":52.1,"lon":4.3,"#
                + #""speed":\#($0)}"#
        },
        Writer(format: .homeassistant, isJSON: true) {
            #"[{"attributes":{"latitude":52.1,"longitude":4.3,"speed":\#($0)},"#
                + #""last_updated":"2024-03-01T07:00:00Z"}]"#
        },
    ]

    @Test(arguments: ["NaN", "unknown", "n/a", "-", "8,33", "12 m", "Infinity", "1e999", "true"])
    func `a text that is no number costs the member alone, in every format`(word: String) throws {
        for writer in Self.writers {
            let text = writer.text(writer.isJSON ? "\"\(word)\"" : word)
            let imported = try Imported(text, as: writer.format)
            #expect(imported.rejected.isEmpty, "\(writer.format) \(imported.rejected)")
            #expect(imported.events.count == 1, "\(writer.format)")
            let ending = #","extra":{"unread":{"speed":"\#(word)"}}}"#
            let event = imported.events.first ?? ""
            #expect(event.hasSuffix(ending) || event.contains(ending.dropLast()), "\(event)")
            #expect(event.contains(#""lat":52.1,"lon":4.3"#), "\(event)")
        }
    }

    @Test(arguments: ["true", "{\"value\":3}", "[1,2]", "NaN", "-Infinity", "None", "1e999"])
    func `a value of another kind, or none of JSON, costs the member alone`(value: String) throws {
        for writer in Self.writers where writer.isJSON && writer.format != .gpsd {
            let imported = try Imported(writer.text(value), as: writer.format)
            #expect(imported.rejected.isEmpty, "\(writer.format) \(imported.rejected)")
            #expect(imported.events.count == 1, "\(writer.format)")
            #expect(imported.events.first?.contains(#""unread":{"speed":"#) == true)
        }
    }

    @Test(arguments: ["null", "\"\"", "\"  \""])
    func `nothing is no fault`(value: String) throws {
        for writer in Self.writers where writer.isJSON {
            let imported = try Imported(writer.text(value), as: writer.format)
            #expect(imported.rejected.isEmpty && imported.events.count == 1, "\(writer.format)")
            #expect(imported.events.first?.contains("unread") == false, "\(writer.format)")
        }
    }

    @Test func `a number in quotes is one, and so are an exponent and many digits`() throws {
        for (written, expected) in [
            ("\"12.5\"", "12.5"), ("1.25e1", "12.5"), ("12.500000000000000000001", "12.5"),
        ] {
            let text =
                #"[{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","latitude":52.1,"#
                + #""longitude":4.3,"accuracy":\#(written)}]"#
            let imported = try Imported(text, as: .traccar)
            #expect(imported.events.first?.hasSuffix(#""accuracy":\#(expected)}"#) == true)
        }
    }

    @Test func `what could not be read is counted by member, and makes no other fix`() throws {
        let rows = (0..<3).map { "2024-03-01T07:00:00Z,52.1,4.3,word \($0)\n" }.joined()
        let text = Array(("time,lat,lon,altitude\n" + rows).utf8)
        var importer = try #require(FileImporter(.csv))
        var batch = ImportBatch()
        importer.take(text.span, into: &batch)
        importer.finish(into: &batch)
        #expect(batch.unread == ["altitude": 3])
        // They are one fix, told three times: none gets a number of its own.
        let lines = batch.items.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
        #expect(lines.allSatisfy { !$0.contains("sequence") })
        batch.removeAll()
        #expect(batch.unread.isEmpty)
    }

    @Test func `the ledger's own lines stay strict`() {
        var reader = EventLineReader()
        let line = Array(
            #"{"type":"fix_recorded","source":"a","occurred_at":"2024-03-01T07:00:00Z","#.utf8
        )
        for speed in ["\"8,33\"", "\"12\"", "NaN"] {
            let bytes = line + Array(#""lat":52.1,"lon":4.3,"speed":\#(speed)}"#.utf8)
            do throws(Rejection) {
                try reader.read(bytes.span, recordedAt: Timestamp(milliseconds: 1_900_000_000_000))
                Issue.record("\(speed)")
            } catch {
                #expect(error.code != .emptyLine)
            }
        }
    }
}
