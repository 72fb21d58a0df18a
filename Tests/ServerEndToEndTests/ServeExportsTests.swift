import DriveSimulation
import Foundation
import TestSupport
import Testing

/// Trips over HTTP in the forms of other programs: byte for byte as the command writes them.
@Suite struct ServeExportsTests {
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 5)))
    }

    @Test(arguments: ["gpx", "geojson", "kml", "csv", "ics", "excel"])
    func `a list is what the command writes`(form: String) throws {
        let server = try ServedLedger(onSocketOf: Self.fixture.copy())
        let option = form == "excel" ? ["--excel", "de"] : ["--format", form]
        for (query, options) in [("", []), ("&from=1999-01-01&to=1999-12-31", ["--year", "1999"])] {
            let path = "/v1/exports?form=\(form)&language=de\(query)"
            let (head, body) = try server.bytes(path)
            let outcome = try server.process.run(["trips"] + option + options)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(head.status == 200 && Self.stable(body) == Self.stable(outcome.output))
            #expect(head.head.contains("attachment; filename=\"trips"))
        }
    }

    @Test func `a list of a device or a state is what the command writes`() throws {
        let server = try ServedLedger(onSocketOf: Self.fixture.copy())
        let listed = try server.process.run("trips", "--format", "csv", "--columns", "id,source")
        let rows = listed.lines.dropFirst().map { $0.split(separator: ",") }
        let source = try #require(rows.last?.last.map(String.init))
        #expect(Set(rows.compactMap(\.last)).count > 1, "there is one device alone")
        let all = try server.process.run("trips", "--format", "csv").output
        for option in ["source=\(source)", "status=abandoned"] {
            let (head, body) = try server.bytes("/v1/exports?form=csv&\(option)")
            let outcome = try server.process.run("trips", "--format", "csv", "--\(option)")
            #expect(head.status == 200 && body == outcome.output, "\(option)")
            #expect(body != all)
        }
        let own = try server.process.run("trips", "--format", "ids", "--source", source).lines
        #expect(own == rows.filter { $0.last ?? "" == source }.map { String($0[0]) })
        #expect(try server.get("/v1/exports?form=csv&source=nothing").status == 404)
        #expect(try server.get("/v1/exports?form=csv&status=odd").status == 400)
        let backwards = try server.get("/v1/exports?form=csv&from=2025-01-02&to=2025-01-01")
        #expect(backwards.status == 400 && backwards.body.contains("not before from"))
    }

    /// A file without the times at which it was made.
    private static func stable(_ file: Data) -> [String] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("DTSTAMP") && !$0.contains("<metadata>") }
    }

    @Test func `one trip is its positions`() throws {
        let server = try ServedLedger(onSocketOf: Self.fixture.copy())
        let trip = try #require(server.process.run("trips", "--format", "ids").lines.first)
        for form in ["gpx", "geojson", "kml", "csv"] {
            let (head, body) = try server.bytes("/v1/exports?form=\(form)&trip=\(trip)")
            let outcome = try server.process.run("track", trip, "--format", form)
            #expect(head.status == 200 && Self.stable(body) == Self.stable(outcome.output))
        }
        // Its line, as a list has it.
        for (form, options) in [("ics", ["--format", "ics"]), ("excel", ["--excel", "de"])] {
            let path = "/v1/exports?form=\(form)&trip=\(trip)&language=de"
            let (head, body) = try server.bytes(path)
            let outcome = try server.process.run(["trips", "--trip", trip] + options)
            #expect(head.status == 200 && Self.stable(body) == Self.stable(outcome.output))
            #expect(head.head.contains("attachment; filename=\"trip-\(trip.prefix(8))"))
        }
        let alone = try server.process.run("trips", "--trip", trip, "--format", "ids")
        #expect(alone.lines == [trip])
        #expect(try server.get("/v1/exports?form=ics&trip=0000000000").status == 404)
        #expect(try server.get("/v1/exports?form=gpx&trip=none").status == 404)
        #expect(try server.get("/v1/exports?form=gpx&trip=0000000000").status == 404)
        #expect(try server.get("/v1/exports?form=odt").status == 400)
        #expect(try server.get("/v1/exports").status == 400)
    }
}
