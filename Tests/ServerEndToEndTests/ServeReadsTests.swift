import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The answers of `ledger serve` to readers.
@Suite struct ServeReadsTests {
    /// A ledger with trips, a place, a vehicle, a routine and a field.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 7)))
        let outcome = try process.shell(
            """
            set -e
            ledger place save Home --lat 51.92 --lon 4.36
            ledger vehicle register Van --plate AB-12-CD
            ledger field define order --label Order --type text
            ledger routine save Office --purpose Work --class commute
            ledger edit last --purpose Visit --class business --vehicle Van
            ledger void $(ledger trips --limit 3 --format json | tail -n 1 | cut -c8-39) --why no
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private static func serve() throws -> ServedLedger {
        try ServedLedger(onSocketOf: fixture.copy())
    }

    /// The server that all tests ask that change nothing.
    private static let shared = Result { try ServedLedger.shared(fixture.copy()) }

    /// The last trip of its ledger.
    private static let sharedLast = Result { try last(of: shared.get()) }

    /// Returns the page that lines of a command are.
    private static func page(_ lines: some Collection<String>) -> String {
        #"{"items":[\#(lines.joined(separator: ","))],"next_cursor":null,"has_more":false}"#
    }

    private static func last(of server: ServedLedger) throws -> String {
        let lines = try server.process.run("trips", "--limit", "1", "--format", "json").lines
        let row = try #require(lines.first)
        return try #require(row.firstMatch(of: #/"id":"([0-9a-f]{32})"/#).map { String($0.1) })
    }

    @Test(arguments: [
        ("trips?limit=1000", "trips"),
        ("trips?limit=1000&class=business", "trips --class business"),
        ("trips?vehicle=Van&source=other", "trips --vehicle Van --day 1999-01-01"),
        ("trips?place=Home&limit=1000", "trips --place Home"),
        ("trips?text=VIS&limit=1000", "trips --text vis"),
        ("trips?text=visit%20no-such-word", "trips --day 1999-01-01"),
        ("trips?all=yes&limit=1000", "trips --all"),
        ("trips?status=voided&limit=1000", "trips --status voided"),
        ("trips?status=abandoned&limit=1000", "trips --status abandoned"),
        ("totals?by=month&then_by=class", "totals --by month --then-by class"),
        ("totals?by=vehicle&then_by=year", "totals --by vehicle --then-by year"),
        ("trips?from=2026-01-01&to=2026-12-31&limit=1000", "trips --year 2026"),
        ("totals?by=vehicle", "totals --by vehicle"), ("totals", "totals --by month"),
        ("places", "place list"), ("vehicles", "vehicle list"), ("routines", "routine list"),
        ("fields", "field list"), ("visits?limit=1000", "visits"),
        ("trips/LAST/history", "history LAST"),
    ])
    func `a list has the rows that a command prints`(path: String, command: String) throws {
        let server = try Self.shared.get()
        let last = try Self.sharedLast.get()
        let words = (command + " --format json").replacingOccurrences(of: "LAST", with: last)
            .split(separator: " ").map(String.init)
        let outcome = try server.process.run(words)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let answer = try server.get("/v1/" + path.replacingOccurrences(of: "LAST", with: last))
        #expect(answer.status == 200)
        #expect(answer.body == Self.page(outcome.lines))
        let head = try server.get("/v1/places")
        #expect(answer.head.contains("Ledger-Position: \(try Self.position(head))"))
    }

    private static func position(_ answer: ServedLedger.Answer) throws -> UInt64 {
        let digits = answer.head.firstMatch(of: #/Ledger-Position: (\d+)/#)?.1
        return try #require(digits.flatMap { UInt64($0) })
    }

    @Test func `a trip and its explanation are those that the commands print`() throws {
        let server = try Self.shared.get()
        let last = try Self.sharedLast.get()
        let trip = try server.process.run("trip", last, "--format", "json")
        #expect(try server.get("/v1/trips/\(last)").body + "\n" == trip.text)
        #expect(try server.get("/v1/trips/\(last.prefix(12))").body + "\n" == trip.text)
        let explanation = try server.process.run("explain", last, "--format", "json")
        #expect(try server.get("/v1/trips/\(last)/explanation").body == explanation.text)
    }

    @Test func `a track has no more points than asked for, and begins and ends where it did`()
        throws
    {
        let server = try Self.shared.get()
        let last = try Self.sharedLast.get()
        struct Line: Decodable {
            struct Geometry: Decodable { var coordinates: [[Double]] }
            struct Properties: Decodable {
                var pointCount: Int
                var times: [String]
                var speeds: [Double?]

                private enum CodingKeys: String, CodingKey {
                    case times, speeds
                    case pointCount = "point_count"
                }
            }
            var geometry: Geometry
            var properties: Properties
        }
        func line(_ query: String) throws -> Line {
            let answer = try server.get("/v1/trips/\(last)/track\(query)")
            #expect(answer.head.contains("Content-Type: application/geo+json"))
            return try JSONDecoder().decode(Line.self, from: Data(answer.body.utf8))
        }
        let whole = try line("")
        let tracked = try server.process.run("track", last, "--format", "json").lines
        #expect(whole.properties.pointCount == tracked.count)
        #expect(whole.geometry.coordinates.count == tracked.count)
        for most in [2, 3, 10] {
            let thin = try line("?max=\(most)")
            #expect(thin.geometry.coordinates.count == min(most, tracked.count))
            #expect(thin.properties.times.count == thin.geometry.coordinates.count)
            #expect(thin.properties.speeds.count == thin.geometry.coordinates.count)
            #expect(thin.geometry.coordinates.first == whole.geometry.coordinates.first)
            #expect(thin.geometry.coordinates.last == whole.geometry.coordinates.last)
            #expect(thin.properties.times == thin.properties.times.sorted())
        }
    }

    @Test func `a proof is what the command writes into files`() throws {
        let server = try Self.serve()
        let last = try Self.last(of: server)
        let unsigned = try server.get("/v1/trips/\(last)/proof")
        #expect(unsigned.status == 404)
        #expect(unsigned.body.contains("No head was signed yet."))
        let outcome = try server.process.shell(
            """
            set -e
            ledger key new --name ledger.example/book
            ledger head --sign > /dev/null
            ledger prove \(last) --output proofs
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let answer = try server.get("/v1/trips/\(last)/proof")
        #expect(answer.status == 200)
        struct Proof: Decodable {
            var position: Int
            var entry: String
            var proof: String

            private enum CodingKeys: String, CodingKey {
                case position, proof
                case entry = "entry_base64"
            }
        }
        struct Head: Decodable { var head: String }
        let folder = server.process.directory.url.appendingPathComponent("proofs")
        func file(_ name: String) throws -> Data {
            try Data(contentsOf: folder.appendingPathComponent(name))
        }
        let first = try #require(answer.lines.first)
        let head = try JSONDecoder().decode(Head.self, from: Data(first.utf8)).head
        #expect(try Data(head.utf8) == file("head.note"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(answer.lines.count - 1 == names.count { $0.hasSuffix(".tlog-proof") })
        for line in answer.lines.dropFirst() {
            let proof = try JSONDecoder().decode(Proof.self, from: Data(line.utf8))
            #expect(try Data(proof.proof.utf8) == file("\(proof.position).tlog-proof"))
            #expect(try Data(base64Encoded: proof.entry) == file("\(proof.position).entry"))
        }
        if JSONSchemaValidator.isPresent {
            #expect(
                try JSONSchemaValidator.complaints(about: answer.lines, schema: "trip-proof")
                    == answer.lines.map { _ in "" }
            )
        }
    }

    @Test func `what was set aside is answered page by page, and nothing where nothing was`() throws
    {
        let server = try Self.shared.get()
        #expect(try server.get("/v1/refused").body == Self.page([String]()))
        #expect(try server.get("/v1/refused?cursor=x").status == 400)
    }

    @Test func `roads are those of the days that are asked for`() throws {
        let server = try Self.shared.get()
        let roads = try server.get("/v1/roads").body
        #expect(roads.contains(#""type":"MultiLineString""#))
        #expect(
            try server.get("/v1/roads?from=1999-01-01&to=1999-01-01").body
                == #"{"type":"FeatureCollection","features":[]}"#
        )
        #expect(try server.get("/v1/roads?from=yesterday").status == 400)
    }

    @Test func `stops are ends of trips that are no place, and each is counted once`() throws {
        let server = try Self.shared.get()
        let stops = try server.get("/v1/stops").body
        let arrivals = stops.matches(of: #/"arrivals":(\d+)/#).compactMap { Int($0.1) }
        let trips = try server.get("/v1/trips?limit=1000").body
        let unnamed = trips.matches(of: #/"ended_at":"[^}]*?"to":"-?\d+\.\d+, /#).count
        #expect(arrivals.reduce(0, +) == unnamed && unnamed > 0)
        #expect(try server.get("/v1/stops?from=1999-01-01&to=1999-01-01").body == Self.page([]))
        let first = try server.get("/v1/stops?limit=1").body
        #expect(first.matches(of: #/"arrivals"/#).count == 1)
    }

    @Test func `trips whose routine applies by itself are told apart`() throws {
        let server = try Self.serve()
        let saved = try server.process.shell(
            """
            set -e
            ledger place save Around --lat 51.93 --lon 4.4 --radius 30000
            ledger routine save Near --class personal --to-place Around --since 2000-01-01
            """
        )
        #expect(saved.exitCode == 0, "\(saved.errors)")
        let chosen = try server.get("/v1/trips?by_rule=yes&limit=1000").body
        let all = try server.get("/v1/trips?limit=1000").body
        let marks = chosen.matches(of: #/"by_rule"/#).count
        #expect(marks > 0 && marks == all.matches(of: #/"by_rule"/#).count)
        #expect(marks == chosen.matches(of: #/"started_at"/#).count)
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `answers to readers have the forms of their schemas`() throws {
        let server = try Self.shared.get()
        let last = try Self.sharedLast.get()
        for (path, schema) in [
            ("/v1/status", "status"), ("/v1/trips", "page"), ("/v1/visits?limit=1", "page"),
            ("/v1/trips/\(last)", "trip"), ("/v1/trips/\(last)/track", "trip-line"),
            ("/v1/trips?clas=business", "problem"), ("/v1/trips/ffffffff", "problem"),
            ("/v1/stops?limit=2", "page"), ("/v1/roads", "roads"),
            ("/v1/roads?from=1999-01-01&to=1999-01-01", "roads"),
            ("/v1/safekeeping", "safekeeping"),
        ] {
            let body = try server.get(path).body
            #expect(
                try JSONSchemaValidator.complaints(about: [body], schema: schema) == [""],
                "\(path)"
            )
        }
    }

    @Test(arguments: [
        ("trips?clas=business", 400, "clas"), ("trips?class=fun", 400, "class"),
        ("trips?from=yesterday", 400, "from"), ("trips?limit=0", 400, "limit"),
        ("trips?limit=1001", 400, "limit"), ("trips?cursor=x", 400, "cursor"),
        ("trips?limit=1&limit=2", 400, "limit"), ("trips?place=Nowhere", 400, "place"),
        ("trips?from=2026-02-01&to=2026-01-01", 400, "to"), ("visits?cursor=zz", 400, "cursor"),
        ("totals?by=moon", 400, "by"), ("status?limit=1", 400, "limit"),
        ("trips/ffffffff", 404, nil), ("trips/x", 404, nil), ("trips/", 404, nil),
        ("trips/ffffffff/secret", 404, nil), ("status?source=nothing", 404, nil),
    ])
    func `what cannot be answered is a problem that names the field`(
        path: String,
        status: Int,
        field: String?
    ) throws {
        let server = try Self.shared.get()
        let answer = try server.get("/v1/\(path)")
        #expect(answer.status == status, "\(answer)")
        #expect(answer.head.contains("Content-Type: application/problem+json"))
        if let field { #expect(answer.body.contains(#""errors":[{"field":"\#(field)""#)) }
    }

    @Test func `other methods are refused, and HEAD has no body`() throws {
        let server = try Self.shared.get()
        let deleted = try server.get("/v1/trips", method: "DELETE")
        #expect(deleted.status == 405)
        #expect(deleted.head.contains("Allow: GET, HEAD\r\n"))
        let head = try server.get("/v1/trips", method: "HEAD")
        let body = try server.get("/v1/trips").body
        #expect(head.status == 200)
        #expect(head.body == "")
        #expect(head.head.contains("Content-Length: \(body.utf8.count)"))
    }

    @Test func `what was appended is read, whoever appended it`() throws {
        let server = try Self.serve()
        let press = #"{"type":"go_pressed","source":"button"}"#
        let posted = try server.post(Data(press.utf8), as: "application/json")
        let position = try Self.position(posted)
        let status = try server.get("/v1/status?source=button&at_least=\(position)")
        #expect(status.body.contains(#""phase":"arming""#), "\(status)")
        #expect(try server.process.run("stop", "--source", "button").exitCode == 0)
        let later = try server.get("/v1/status?source=button&at_least=\(position + 1)")
        #expect(later.status == 200)
        #expect(!later.body.contains(#""phase":"arming""#), "\(later)")
        let never = try server.get("/v1/places?at_least=\(position + 1_000)")
        #expect(never.status == 503)
        #expect(never.body.contains("urn:ledger:behind"))
    }

    @Test(arguments: [
        ("read", 200, 200), ("admin", 200, 200), ("live", 200, 403), ("ingest", 403, 403),
        ("edit", 403, 403), ("audit", 403, 403), ("sync", 403, 403),
    ])
    func `each scope may read what it is for`(scope: String, status: Int, trips: Int) throws {
        let server = try ServedLedger(Self.fixture.copy())
        let field = "Authorization: Bearer \(try server.token("app", "--scope", scope))"
        #expect(try server.get("/v1/status", field).status == status)
        #expect(try server.get("/v1/trips", field).status == trips)
    }

    @Test func `nothing is read without a token by way of a port`() throws {
        let server = try ServedLedger(Self.fixture.copy())
        for path in ["/v1/trips", "/v1/status", "/v1/trips?limit=x"] {
            #expect(try server.get(path).status == 401)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `while trips arrive, pages skip none and have none twice`(seed: UInt64) throws {
        let server = try Self.serve()
        var random = SplitMix64(seed: seed)
        let before = try Self.ids(of: server.process.run("trips", "--format", "json").text)
        var found: [String] = []
        var cursor = ""
        while true {
            let limit = UInt64.random(in: 1...5, using: &random)
            let answer = try server.get("/v1/trips?limit=\(limit)\(cursor)")
            try #require(answer.status == 200, "seed \(seed): \(answer)")
            let ids = Self.ids(of: answer.body)
            #expect(ids.count <= limit)
            found += ids
            guard answer.body.hasSuffix(#","has_more":true}"#) else { break }
            let next = try #require(answer.body.firstMatch(of: #/"next_cursor":"([^"]+)"/#)?.1)
            cursor = "&cursor=\(next)"
            let events = DriveSimulator.drives(
                seed: random.next(),
                count: 1,
                fixesPerDrive: 20...40,
                source: "s\(random.next() % 1_000)"
            )
            let answered = try server.post(DriveLines.data(DriveLines.lines(events)))
            #expect(answered.status == 200)
        }
        let after = try Self.ids(of: server.process.run("trips", "--format", "json").text)
        #expect(Set(found).count == found.count, "seed \(seed)")
        let stayed = Set(before).intersection(after)
        #expect(stayed.subtracting(found).isEmpty, "seed \(seed)")
        #expect(after.count > before.count, "seed \(seed): others have come")
        // The order is that of the list.
        #expect(found.filter(stayed.contains) == after.filter(stayed.contains), "seed \(seed)")
    }

    private static func ids(of text: String) -> [String] {
        text.matches(of: #/\{"id":"([0-9a-f]{32})"/#).map { String($0.1) }
    }
}
