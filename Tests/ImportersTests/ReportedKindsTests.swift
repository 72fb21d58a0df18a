import Importers
import Testing

/// Kinds of faults that users of other programs reported, each in variants that no one did: what
/// becomes of every record is counted.
@Suite struct ReportedKindsTests {
    /// An input, and how many records of it become what.
    struct Variant: CustomTestStringConvertible, Sendable {
        let name: String
        let format: ImportFormat
        let text: String
        var fixes: Int
        var rejected = 0
        var ignored = 0

        var testDescription: String { "\(format.rawValue): \(name)" }

        init(
            _ name: String,
            _ format: ImportFormat,
            _ text: String,
            fixes: Int,
            rejected: Int = 0,
            ignored: Int = 0
        ) {
            self.name = name
            self.format = format
            self.text = text
            self.fixes = fixes
            self.rejected = rejected
            self.ignored = ignored
        }
    }

    @Test(
        arguments: optionalMembers + lists + prefixedRoots + unclosed + tables + nullCoordinates
            + smallOnes + states + broken
    )
    func `every record of a variant becomes what it should`(variant: Variant) throws {
        let bytes = Array(variant.text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == variant.format)
        let imported = try Imported(bytes, as: variant.format)
        #expect(imported.events.count == variant.fixes, "\(imported)")
        #expect(imported.rejected.count == variant.rejected, "\(imported)")
        #expect(imported.ignored.count == variant.ignored, "\(imported)")
        // It gives the same in pieces.
        for step in [1, 7, 64] {
            let cuts = Array(stride(from: step, to: bytes.count, by: step))
            #expect(try Imported(bytes, as: variant.format, cuts: cuts) == imported, "\(step)")
        }
    }

    // MARK: Writers of one record

    private static func time(_ second: Int) -> String { "2024-03-01T07:00:0\(second)Z" }

    private static func gpx(_ points: String...) -> String {
        "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private static func point(_ second: Int, _ rest: String = "", prefix: String = "") -> String {
        "<\(prefix)trkpt lat='52.\(second)' lon='4.3'><\(prefix)time>\(time(second))"
            + "</\(prefix)time>\(rest)</\(prefix)trkpt>"
    }

    private static func tcx(
        _ points: String...,
        prefix: String = "",
        isClosed: Bool = true
    )
        -> String
    {
        let names = ["TrainingCenterDatabase", "Activities", "Activity", "Lap", "Track"]
        let start = names.map { "<\(prefix)\($0)>" }.joined()
        let end = names.reversed().map { "</\(prefix)\($0)>" }.joined()
        return start + points.joined() + (isClosed ? end : "")
    }

    private static func trackpoint(
        _ second: Int,
        _ rest: String = "",
        prefix: String = ""
    ) -> String {
        func element(_ name: String, _ content: String) -> String {
            "<\(prefix)\(name)>\(content)</\(prefix)\(name)>"
        }
        let position =
            element("LatitudeDegrees", "52.\(second)") + element("LongitudeDegrees", "4.3")
        return element("Trackpoint", element("Time", time(second)) + position + rest)
    }

    private static func placemark(_ second: Int) -> String {
        "<Placemark><TimeStamp><when>\(time(second))</when></TimeStamp><Point>"
            + "<coordinates>4.3,52.\(second)</coordinates></Point></Placemark>"
    }

    private static func ownTracks(_ second: Int, _ rest: String = "") -> String {
        #"{"_type":"location","tst":\#(1_709_276_400 + second),"lat":52.\#(second),"lon":4.3"#
            + rest + "}"
    }

    private static func feature(
        _ second: Int,
        _ rest: String = "",
        time name: String = "time"
    )
        -> String
    {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,52.\#(second)]},"#
            + #""properties":{"\#(name)":"\#(time(second))"\#(rest)}}"#
    }

    private static func overland(_ second: Int, _ rest: String = "") -> String {
        feature(second, rest, time: "timestamp")
    }

    private static func traccar(_ second: Int, _ rest: String = "") -> String {
        #"{"deviceId":3,"fixTime":"\#(time(second))","latitude":52.\#(second),"longitude":4.3"#
            + rest + "}"
    }

    private static func transistor(_ second: Int, _ rest: String = "") -> String {
        #"{"timestamp":"\#(time(second))","coords":{"latitude":52.\#(second),"longitude":4.3"#
            + rest + "}}"
    }

    private static func table(_ names: String, _ rows: String...) -> String {
        names + "\n" + rows.map { $0 + "\n" }.joined()
    }

    // MARK: The kinds

    /// §6.1: an optional member that cannot be read costs that member.
    private static let optionalMembers: [Variant] = {
        let elements = [
            "<ele>NaN</ele>", "<ele>12 m</ele>", "<ele>8,33</ele>", "<ele/>", "<ele>-</ele>",
        ]
        let values = ["\"unknown\"", "null", "\"\"", "\"-\"", "[]", "{}", "true"]
        let cells = ["-", "NaN", "n/a", "\"8,33\"", ""]
        return elements.map { Variant($0, .gpx, gpx(point(1, $0), point(2)), fixes: 2) }
            + values.flatMap { value in
                [
                    Variant(
                        "acc \(value)",
                        .owntracks,
                        ownTracks(1, #","acc":\#(value)"#),
                        fixes: 1
                    ),
                    Variant(
                        "course \(value)",
                        .traccar,
                        "[\(traccar(1, #","course":\#(value)"#))]",
                        fixes: 1
                    ),
                    Variant(
                        "altitude \(value)",
                        .geojson,
                        feature(1, #","altitude":\#(value)"#),
                        fixes: 1
                    ),
                    Variant(
                        "horizontal_accuracy \(value)",
                        .overland,
                        #"{"locations":[\#(overland(1, #","horizontal_accuracy":\#(value)"#))]}"#,
                        fixes: 1
                    ),
                    Variant(
                        "heading \(value)",
                        .osmand,
                        #"{"location":\#(transistor(1, #","heading":\#(value)"#))}"#,
                        fixes: 1
                    ),
                ]
            }
            + cells.map { cell in
                let row = "\(time(1)),52.1,4.3,\(cell),\(cell)"
                let text = table("time,lat,lon,accuracy,altitude", row)
                return Variant("cells \(cell)", .csv, text, fixes: 1)
            }
            + [
                Variant(
                    "AltitudeMeters n/a",
                    .tcx,
                    tcx(trackpoint(1, "<AltitudeMeters>n/a</AltitudeMeters>"), trackpoint(2)),
                    fixes: 2
                )
            ]
    }()

    /// §6.2: a body with a list is a batch.
    private static let lists: [Variant] = [
        Variant(
            "a list under location",
            .osmand,
            #"{"location":[\#(transistor(1)),\#(transistor(2))],"device_id":"a"}"#,
            fixes: 2
        ),
        Variant("a bare list", .osmand, "[\(transistor(1)),\(transistor(2))]", fixes: 2),
        Variant("a list of one", .osmand, #"{"location":[\#(transistor(1))]}"#, fixes: 1),
        Variant(
            "an empty list before another one",
            .osmand,
            "{\"location\":[]}\n{\"location\":[\(transistor(1))]}",
            fixes: 1,
            ignored: 1
        ),
        Variant(
            "one location in each line",
            .osmand,
            "{\"location\":\(transistor(1))}\n{\"location\":\(transistor(2))}",
            fixes: 2
        ),
    ]

    /// §6.4: a root with a prefix is recognised by its local name.
    private static let prefixedRoots: [Variant] =
        ["ns2:", "gpx:", "g:", "x-1:"]
        .map { prefix in
            let text =
                "<?xml version='1.0'?><\(prefix)gpx><\(prefix)trk><\(prefix)trkseg>"
                + point(1, prefix: prefix)
                + "</\(prefix)trkseg></\(prefix)trk></\(prefix)gpx>"
            return Variant("the prefix \(prefix)", .gpx, text, fixes: 1)
        } + [
            Variant("t:", .tcx, tcx(trackpoint(1, prefix: "t:"), prefix: "t:"), fixes: 1),
            Variant(
                "k:",
                .kml,
                "<k:kml><k:Placemark><gx:Track><k:when>\(time(1))</k:when>"
                    + "<gx:coord>4.3 52.1 0</gx:coord></gx:Track></k:Placemark></k:kml>",
                fixes: 1
            ),
        ]

    /// §6.6: what is sound of a file that was not closed is read, and what is lost is said.
    private static let unclosed: [Variant] = {
        let ends = [
            "", "<trkpt lat='52.3'", "<trkpt lat='52.3' lon='4'><time>2024", "</trkse", "<!-- ",
        ]
        let texts = ends.map { end in
            let text = "<gpx><trk><trkseg>" + point(1) + point(2) + end
            return Variant("it ends with \(end)", .gpx, text, fixes: 2, rejected: 1)
        }
        let activities = ["", "<Trackpoint><Time>2024"]
            .map { end in
                let text = tcx(trackpoint(1), trackpoint(2), isClosed: false) + end
                return Variant("it ends with \(end)", .tcx, text, fixes: 2, rejected: 1)
            }
        let lists: [(ImportFormat, String, String)] = [
            (.owntracks, #"{"locations":["#, "\(ownTracks(1)),\(ownTracks(2))"),
            (.overland, #"{"locations":["#, "\(overland(1)),\(overland(2))"),
            (.geojson, #"{"type":"FeatureCollection","features":["#, "\(feature(1)),\(feature(2))"),
            (.traccar, "[", "\(traccar(1)),\(traccar(2))"),
        ]
        return texts + activities
            + lists.flatMap { format, start, records in
                ["", ",", ",{", "\0\0\0"]
                    .map { end in
                        Variant(
                            "it ends with \(end.utf8.map { Int($0) })",
                            format,
                            start + records + end,
                            fixes: 2,
                            rejected: 1
                        )
                    }
            }
    }()

    /// §6.7: tables as others write them.
    private static let tables: [Variant] =
        [",", ";", "\t"]
        .map { separator in
            let names = ["UTC", "Latitude", "Longitude"].joined(separator: separator)
            let row = [time(1), "52.1", "4.3"].joined(separator: separator)
            return Variant("cells between \(separator)", .csv, table(names, row), fixes: 1)
        } + [
            Variant("52,1", .csv, table("time;lat;lon", "\(time(1));52,1;4,3"), fixes: 1),
            Variant(
                "names again in the middle",
                .csv,
                table(
                    "time,lat,lon",
                    "\(time(1)),52.1,4.3",
                    "time,lat,lon",
                    "\(time(2)),52.2,4.3"
                ),
                fixes: 2,
                ignored: 1
            ),
            Variant(
                "halves of the earth",
                .csv,
                table("time,lat,lon", "\(time(1)),52.1N,4.3W"),
                fixes: 1
            ),
        ]

    /// §6.11: positions at 0, 0 are stored.
    private static let nullCoordinates: [Variant] = [
        Variant(
            "0 and 0",
            .csv,
            table("time,lat,lon", "\(time(1)),0,0", "\(time(2)),52.1,4.3"),
            fixes: 2
        ),
        Variant(
            "0.0 and 0.0",
            .gpx,
            gpx("<trkpt lat='0.0' lon='0.0'><time>\(time(1))</time></trkpt>", point(2)),
            fixes: 2
        ),
        Variant(
            "0 and 0",
            .owntracks,
            #"{"_type":"location","tst":1709276400,"lat":0,"lon":0}"#,
            fixes: 1
        ),
        Variant(
            "0 and 0",
            .traccar,
            #"[{"deviceId":3,"fixTime":"\#(time(1))","latitude":0,"longitude":0}]"#,
            fixes: 1
        ),
    ]

    /// §6.12: the small ones.
    private static let smallOnes: [Variant] =
        ["-180.09", "180.5", "360", "-359.9"]
        .map { longitude in
            let text = feature(1).replacing("4.3", with: longitude)
            return Variant("a longitude of \(longitude)", .geojson, text, fixes: 1)
        }
        + [
            "2024-02-29T23:59:60Z", "2024-03-01T24:00:00Z",
            "2024-03-01T08:00:00+01:00[Europe/Brussels]",
        ]
        .map { time in
            let text = gpx("<trkpt lat='52.1' lon='4.3'><time>\(time)</time></trkpt>")
            return Variant("a time of \(time)", .gpx, text, fixes: 1)
        } + [
            Variant("a Feature alone", .geojson, feature(1), fixes: 1),
            Variant(
                "what is forwarded",
                .traccar,
                #"{"position":\#(traccar(1)),"device":{"uniqueId":"a"}}"#,
                fixes: 1
            ),
        ]

    /// §6.13: gpsd and Home Assistant.
    private static let states: [Variant] =
        ["", #","speed":"n/a""#, #","alt":null"#, #","track":-1"#]
        .map { rest in
            let report =
                #"{"class":"TPV","mode":3,"time":"\#(time(1))","lat":52.1,"lon":4.3\#(rest)}"#
            return Variant("a report with \(rest)", .gpsd, report + "\n", fixes: 1)
        }
        + ["", #","gps_accuracy":"unknown""#, #","speed":null"#, #","altitude":"""#]
        .map { rest in
            let state =
                #"[{"entity_id":"device_tracker.a","state":"home","attributes":{"latitude":52.1,"#
                + #""longitude":4.3\#(rest)},"last_updated":"\#(time(1))"}]"#
            return Variant("a state with \(rest)", .homeassistant, state, fixes: 1)
        }

    /// §6.6: what comes behind a fault of XML is read on, from the next record or file.
    private static let broken: [Variant] = [
        Variant(
            "a tag within a tag",
            .gpx,
            gpx(point(1), "<trkpt lat='52' <oops", point(2)),
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "an end tag of another name",
            .gpx,
            gpx(point(1).replacing("</trkpt>", with: "</trkp>"), point(2)),
            fixes: 1,
            rejected: 1
        ),
        Variant(
            "an attribute without quotes",
            .gpx,
            gpx(point(1), point(2).replacing("'52.2'", with: "52.2"), point(3)),
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "an attribute that is there twice",
            .gpx,
            gpx(point(1), point(2).replacing("lon=", with: "lat='1' lon="), point(3)),
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "less than in a text",
            .gpx,
            gpx(point(1, "<name>a < b</name>"), point(2)),
            fixes: 1,
            rejected: 1
        ),
        Variant(
            "a segment that ends twice",
            .gpx,
            gpx(point(1), "</trkseg></trkseg><trkseg>", point(2)),
            fixes: 2,
            rejected: 2
        ),
        Variant("two files", .gpx, gpx(point(1)) + gpx(point(2)), fixes: 2),
        Variant(
            "two files with declarations",
            .gpx,
            "<?xml version='1.0'?>\(gpx(point(1)))\n<?xml version='1.0'?>\(gpx(point(2)))",
            fixes: 2
        ),
        Variant(
            "a file that was cut off, and another one",
            .gpx,
            "<gpx><trk><trkseg>\(point(1))<trkpt lat='5<?xml version='1.0'?>\(gpx(point(2)))",
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "words between two files",
            .gpx,
            gpx(point(1)) + "\nwords & more <b>\n" + gpx(point(2)),
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "an end tag in small letters",
            .tcx,
            tcx(
                trackpoint(1),
                trackpoint(2).replacing("</Time>", with: "</time>"),
                trackpoint(3)
            ),
            fixes: 2,
            rejected: 1
        ),
        Variant(
            "less than in a name",
            .kml,
            "<kml><Document>\(placemark(1))<Placemark><name>a<b</name></Placemark>"
                + "\(placemark(2))</Document></kml>",
            fixes: 2,
            rejected: 1
        ),
    ]
}
