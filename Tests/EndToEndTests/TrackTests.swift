import Foundation
import TestSupport
import Testing

/// This program and others can read the output of `ledger track`.
@Suite struct TrackTests {
    /// A driver's days with nothing but fixes; some of them are bad.
    private static func drives(seed: UInt64) throws -> LedgerProcess {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger rules preset history > /dev/null
            ledger simulate --start 2025-03-03 --days 4 --seed \(seed) --source car \\
              | grep fix_recorded | awk 'NR % 97 == 0 { sub(/"lat":[0-9.]*/, "\\"lat\\":0") } 1' \\
              | shuf | ledger append > /dev/null
            """
        )
        #expect(outcome.exitCode == 0, "seed \(seed): \(outcome.errors)")
        return process
    }

    @Test(arguments: Seeds.fresh(2))
    func `a ledger made from a track has the same trips, to the millimetre`(seed: UInt64) throws {
        let process = try Self.drives(seed: seed)
        let facts = #"grep -o '"started_at":"[^"]*\|"distance_m":[0-9.]*\|"fixes":{[^}]*'"#
        for format in ["gpx", "geojson", "csv"] {
            let outcome = try process.shell(
                """
                ledger track --source car --all --format \(format) > track.\(format)
                ledger init --ledger \(format) --time-zone Europe/Amsterdam > /dev/null
                ledger rules preset history --ledger \(format) > /dev/null
                ledger append --ledger \(format) --source car track.\(format) > /dev/null
                for book in book \(format); do
                  ledger trips --all --ledger $book --format json \\
                    | \(facts) | sed 's/T.*//' > $book.facts
                done
                cmp book.facts \(format).facts && grep -c distance_m book.facts
                """
            )
            #expect(outcome.exitCode == 0, "\(format), seed \(seed): \(outcome.errors)")
            let tripCount = Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect((tripCount ?? 0) > 0, "\(format), seed \(seed)")
        }
    }

    /// The part of the schema of GPX 1.1 about waypoints, routes and tracks: the order of elements,
    /// and the form of values.
    private static let schema = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
          xmlns="http://www.topografix.com/GPX/1/1"
          targetNamespace="http://www.topografix.com/GPX/1/1">
        <xs:element name="gpx"><xs:complexType><xs:sequence>
          <xs:element name="wpt" type="wpt" minOccurs="0" maxOccurs="unbounded"/>
          <xs:element name="rte" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
            <xs:element name="name" type="xs:string" minOccurs="0"/>
            <xs:element name="desc" type="xs:string" minOccurs="0"/>
            <xs:element name="rtept" type="wpt" minOccurs="0" maxOccurs="unbounded"/>
          </xs:sequence></xs:complexType></xs:element>
          <xs:element name="trk" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
            <xs:element name="name" type="xs:string" minOccurs="0"/>
            <xs:element name="cmt" type="xs:string" minOccurs="0"/>
            <xs:element name="desc" type="xs:string" minOccurs="0"/>
            <xs:element name="src" type="xs:string" minOccurs="0"/>
            <xs:element name="trkseg" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
              <xs:sequence><xs:element name="trkpt" type="wpt" minOccurs="0"
                maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
          </xs:sequence></xs:complexType></xs:element>
        </xs:sequence><xs:attribute name="version" type="xs:string" fixed="1.1"/>
          <xs:attribute name="creator" type="xs:string" use="required"/></xs:complexType>
        </xs:element>
        <xs:complexType name="wpt"><xs:sequence>
          <xs:element name="ele" type="xs:decimal" minOccurs="0"/>
          <xs:element name="time" type="xs:dateTime" minOccurs="0"/>
          <xs:element name="name" type="xs:string" minOccurs="0"/>
          <xs:element name="desc" type="xs:string" minOccurs="0"/>
          <xs:element name="extensions" minOccurs="0"><xs:complexType><xs:sequence>
            <xs:any namespace="##other" processContents="lax" minOccurs="0"
              maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
        </xs:sequence>
        <xs:attribute name="lat" use="required"><xs:simpleType><xs:restriction base="xs:decimal">
          <xs:minInclusive value="-90.0"/><xs:maxInclusive value="90.0"/>
        </xs:restriction></xs:simpleType></xs:attribute>
        <xs:attribute name="lon" use="required"><xs:simpleType><xs:restriction base="xs:decimal">
          <xs:minInclusive value="-180.0"/><xs:maxExclusive value="180.0"/>
        </xs:restriction></xs:simpleType></xs:attribute></xs:complexType>
        </xs:schema>
        """

    /// A trip whose words and numbers are hard to write.
    private static func oddTrip() throws -> LedgerProcess {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            fix() {
              minute=$1
              shift
              ledger fix --source '<car> & "co"' --at 2025-03-03T08:3$minute:00+01:00 \\
                --lat -17.5 "$@" > /dev/null
            }
            ledger go --source '<car> & "co"' --at 2025-03-03T08:30:00+01:00 > /dev/null
            fix 1 --lon 179.98 --altitude -3.25 --accuracy 5e0 --speed -1
            fix 2 --lon 179.99 --altitude 1e1 --speed 17.5 --course 359.9
            fix 3 --lon 180 --accuracy 12
            ledger stop --source '<car> & "co"' --at 2025-03-03T08:35:00+01:00 > /dev/null
            ledger edit last --purpose 'R&D <ü> ]]> 🚗' > /dev/null
            ledger place save '<gate> & "yard"' --lat -17.5 --lon 180 > /dev/null
            for format in gpx kml; do ledger track last --format $format > odd.$format; done
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        return process
    }

    @Test(.enabled(if: isInstalled("xmllint"), "skipped: xmllint is not installed"))
    func `xmllint finds GPX valid, and KML well formed`() throws {
        for process in [try Self.oddTrip(), try Self.drives(seed: 1)] {
            let schema = process.directory.url.appendingPathComponent("gpx.xsd")
            try Data(Self.schema.utf8).write(to: schema)
            let outcome = try process.shell(
                """
                for format in gpx kml; do
                  ledger track --all --format $format > all.$format
                  ledger trips --all --format $format > trips.$format
                  ledger visits --format $format > visits.$format
                  ledger place list --format $format > places.$format
                done
                xmllint --nonet --noout --schema gpx.xsd *.gpx && xmllint --nonet --noout *.kml
                """
            )
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    @Test(
        .enabled(if: isInstalled("gpsbabel"), "skipped: gpsbabel is not installed"),
        arguments: ["gpx", "kml"]
    )
    func `gpsbabel reads every fix`(format: String) throws {
        let process = try Self.oddTrip()
        let outcome = try process.shell(
            "gpsbabel -t -i \(format) -f odd.\(format) -o unicsv,utc=0 -F out.csv && cat out.csv"
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let lines = outcome.text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 4, "\(outcome.text)")
        #expect(lines.dropFirst().first?.contains("-17.5") == true)
        #expect(lines.dropFirst().first?.contains("179.98") == true)
        #expect(lines.dropFirst().first?.contains(",-3.") == true)
        #expect(lines.dropFirst().first?.contains("07:31:00") == true)
    }

    @Test func `GeoJSON of trips, visits and places has the row of each beside its position`()
        throws
    {
        let process = try Self.oddTrip()
        for (list, shape) in [
            ("trips", "LineString"), ("visits", "Point"), ("place list", "Point"),
        ] {
            let outcome = try process.shell("ledger \(list) --format geojson")
            let features = try #require(Self.features(of: outcome.output))
            let rows = try process.shell("ledger \(list) --format json").text
                .split(separator: "\n").map { Self.object(Data($0.utf8)) }
            #expect(features.map { $0["properties"] as? NSDictionary } == rows, "\(list)")
            #expect(!rows.isEmpty, "\(list)")
            for feature in features {
                let geometry = feature["geometry"] as? [String: Any]
                #expect(geometry?["type"] as? String == shape, "\(list)")
                let points = geometry?["coordinates"] as? [Any] ?? []
                // Longitude stands first.
                let first = (points.first as? [Double])?.first ?? points.first as? Double
                #expect(abs(first ?? 0) > 179, "\(list)")
            }
        }
    }

    @Test func `a trip without positions is in GeoJSON too, and of unknown place`() throws {
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            ledger report-trip --from 2025-03-03T08:00:00Z --to 2025-03-03T09:00:00Z \
              --km 12 > /dev/null
            ledger trips --format geojson
            """
        )
        let features = try #require(Self.features(of: outcome.output), "\(outcome.errors)")
        #expect(features.count == 1)
        #expect(features.first?["geometry"] is NSNull)
    }

    private static func object(_ json: Data) -> NSDictionary? {
        (try? JSONSerialization.jsonObject(with: json)) as? NSDictionary
    }

    private static func features(of json: Data) -> [[String: Any]]? {
        object(json)?["features"] as? [[String: Any]]
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }
}
