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
        #expect(try server.get("/v1/exports?form=ics&trip=\(trip)").status == 400)
        #expect(try server.get("/v1/exports?form=gpx&trip=0000000000").status == 404)
        #expect(try server.get("/v1/exports?form=odt").status == 400)
        #expect(try server.get("/v1/exports").status == 400)
    }
}
