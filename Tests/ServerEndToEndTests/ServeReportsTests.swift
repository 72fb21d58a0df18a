import DriveSimulation
import Foundation
import TestSupport
import Testing

/// Reports over HTTP: what there is, and each of them byte for byte as the command writes it.
@Suite struct ServeReportsTests {
    /// A ledger with measured and reported trips of all classes, places, vehicles and expenses.
    private static let fixture = LedgerProcess.Fixture { process in
        try process.begin()
        try process.append(DriveLines.data(DriveLines.mixed(seed: 11)))
        let classes = ["business", "commute", "personal", "mixed", "unclassified", "medical"]
        let lines = (0..<36)
            .map { trip in
                let start = Date(timeIntervalSince1970: 1_736_150_400 + 864_000 * Double(trip))
                let end = start.addingTimeInterval(1_500)
                return """
                    {"type":"trip_reported","source":"paper",\
                    "occurred_at":"\(end.formatted(.iso8601))","id":"\(trip)",\
                    "started_at":"\(start.formatted(.iso8601))",\
                    "ended_at":"\(end.formatted(.iso8601))",\
                    "distance_m":\(1_000 + trip * 1_237),"class":"\(classes[trip % 6])",\
                    "purpose":"Zoë's \(trip)","vehicle":"\(trip % 4 == 0 ? "car" : "van")"}

                    """
            }
        try process.append(Data(lines.joined().utf8))
        let outcome = try process.shell(
            """
            set -e
            ledger vehicle register van --kind van --plate AB-12-CD
            ledger report log --year 2025 --format html --issue > issued.html
            ledger report claim --year 2025 --jurisdiction us --issue > issued.txt
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private static func serve() throws -> ServedLedger {
        try ServedLedger(onSocketOf: fixture.copy())
    }

    private static let moment = "2026-06-01T12:00:00Z"

    /// A parameter as `/v1/reports` tells of it.
    private struct Parameter: Decodable {
        var name: String
        var form: String
        var required: Bool
        var words: [String]?

        /// The option of the command.
        var option: String { "--" + name.replacingOccurrences(of: "_", with: "-") }

        /// Returns a value that may do, also one that goes together with no other.
        func value(using random: inout SplitMix64) -> String {
            let others: [String: [String]] = [
                "year": ["2025", "2024", "2026"], "from": ["2025-02", "2025-03-04"],
                "to": ["2025-06", "2025-01-31"], "month": ["2025-03", "2025-04"],
                "day": ["2025-03-07"], "vehicle": ["van", "car", "no such"],
                "time_zone": ["UTC", "America/New_York", "Nowhere"], "as_of": [moment],
                "late_after": ["0", "30"], "jurisdiction": ["us", "de", "nowhere"],
                "scheme": ["none"], "region": ["QC"], "as_known_on": ["2025-05-01"],
                "columns": ["trip,distance", "purpose"], "base_year": ["2023"],
            ]
            return (words ?? others[name] ?? ["x"]).randomElement(using: &random) ?? ""
        }
    }

    private struct Form: Decodable {
        var report: String
        var formats: [String]
        var parameters: [Parameter]
    }

    private static func forms(_ server: ServedLedger) throws -> [Form] {
        struct Page: Decodable { var items: [Form] }
        let answer = try server.get("/v1/reports")
        #expect(answer.status == 200)
        return try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8)).items
    }

    @Test(arguments: Seeds.fresh(8))
    func `a report is what the command writes, or refused as the command refuses it`(
        seed: UInt64
    ) throws {
        let server = try Self.serve()
        var random = SplitMix64(seed: seed)
        let forms = try Self.forms(server)
        var counts = (made: 0, refused: 0)
        for _ in 0..<24 {
            let form = try #require(forms.randomElement(using: &random))
            let format = try #require(form.formats.randomElement(using: &random))
            var query = ["format=\(format)", "as_of=\(Self.moment)"]
            var words = ["report", form.report, "--format", format, "--as-of", Self.moment]
            for parameter in form.parameters
            where !["format", "as_of", "download"].contains(parameter.name) {
                let isUsual = parameter.name == "year" || parameter.required
                let odds = isUsual ? 0.9 : 0.12
                guard Double.random(in: 0..<1, using: &random) < odds else { continue }
                let value = parameter.value(using: &random)
                let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                query.append("\(parameter.name)=\(try #require(escaped))")
                words +=
                    parameter.words == ["yes"] ? [parameter.option] : [parameter.option, value]
            }
            let path = "/v1/reports/\(form.report)?\(query.joined(separator: "&"))"
            let (head, body) = try server.bytes(path)
            let outcome = try server.process.run(words)
            let remark: Comment = "seed \(seed): \(path) \(head) \(outcome.errors)"
            if outcome.exitCode == 0 {
                counts.made += 1
                #expect(head.status == 200 && body == outcome.output, remark)
            } else {
                counts.refused += 1
                #expect(head.status == (outcome.exitCode == 64 ? 400 : 404), remark)
            }
        }
        print("seed \(seed): \(counts.made) reports, \(counts.refused) refused")
    }

    @Test func `what a report may be asked for is what its command can do`() throws {
        let server = try Self.serve()
        let forms = try Self.forms(server)
        let help = try server.process.run("report", "--help").text
        let others = ["issued", "reissue"]
        let listed = help.matches(of: #/\n {2}([a-z]+) {3}/#).map { String($0.1) }
            .filter { $0 != "help" }
        #expect(Set(listed) == Set(forms.map(\.report) + others))
        // The parameters for files, screens and people who hand a report out.
        let left: Set = [
            "--actor", "--help", "--issue", "--ledger", "--no-pager", "--output", "--proved",
            "--replace", "--version", "--wide",
        ]
        for form in forms {
            let text = try server.process.run("report", form.report, "--help").text
            let options = text.matches(of: #/\n {2}(?:-[a-z], )?(--[a-z-]+)/#)
                .map { String($0.1) }
            let asked = form.parameters.map(\.option).filter { $0 != "--download" }
            #expect(Set(asked) == Set(options).subtracting(left), "\(form.report)")
        }
        if JSONSchemaValidator.isPresent {
            let page = try server.get("/v1/reports").body
            let value = try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [String: Any]
            let lines = try #require(value?["items"] as? [Any])
                .map {
                    String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
                }
            let complaints = try JSONSchemaValidator.complaints(
                about: lines,
                schema: "report-form"
            )
            #expect(complaints == forms.map { _ in "" })
        }
    }

    @Test func `a report in a browser can do nothing, and a file has a name`() throws {
        let server = try Self.serve()
        let page = try server.get("/v1/reports/log?year=2025&format=html&language=de")
        #expect(page.status == 200 && page.body.hasPrefix("<!DOCTYPE html>"))
        #expect(page.head.contains("Content-Type: text/html; charset=utf-8"))
        let policy = page.head.firstMatch(of: #/Content-Security-Policy: (.*)/#)?.1 ?? ""
        #expect(policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'"))
        #expect(policy.contains("frame-ancestors 'self'; sandbox allow-same-origin allow-modals"))
        #expect(!policy.contains("script"))
        #expect(page.head.contains("X-Content-Type-Options: nosniff"))
        #expect(page.head.contains("inline; filename=\"log-2025.html\""))
        #expect(try server.get("/").head.contains("frame-src 'self'"))
        let file = try server.get("/v1/reports/log?from=2025-01&format=csv&download=yes")
        #expect(file.head.contains("attachment; filename=\"log-2025-01.csv\""))
        #expect(file.head.contains("Content-Type: text/csv; charset=utf-8"))
        let head = try server.get("/v1/reports/log?year=2025", method: "HEAD")
        #expect(head.status == 200 && head.body == "")
    }

    @Test func `what the command refuses is refused in its words`() throws {
        let server = try Self.serve()
        for format in ["json", "html", "text"] {
            let both = try server.get("/v1/reports/log?year=2025&month=2025-03&format=\(format)")
            #expect(both.status == 400 && both.body.contains("use one, without"), "\(both)")
            let nowhere = try server.get(
                "/v1/reports/claim?year=2025&jurisdiction=nowhere&format=\(format)"
            )
            #expect(nowhere.status == 404, "\(nowhere)")
            #expect(nowhere.body.contains("There is no jurisdiction nowhere among the rates"))
        }
        #expect(try server.get("/v1/reports/claim?year=2025").status == 400)
        #expect(try server.get("/v1/reports/log?year=2025&output=x").status == 400)
        // Cut off at its zero, it would be the report of another vehicle.
        #expect(try server.get("/v1/reports/log?year=2025&vehicle=van%00x").status == 400)
        #expect(try server.get("/v1/reports/nothing").status == 404)
        #expect(try server.get("/v1/reports/issued/R9").status == 404)
    }

    @Test func `what was handed out is listed, and comes again byte for byte`() throws {
        let server = try Self.serve()
        let listed = try server.process.run("report", "issued", "--format", "json").lines
        let page =
            #"{"items":[\#(listed.joined(separator: ","))],"#
            + #""next_cursor":null,"has_more":false}"#
        #expect(try server.get("/v1/reports/issued").body == page)
        for (name, file, type) in [
            ("R1", "issued.html", "text/html"), ("R2", "issued.txt", "text/plain"),
        ] {
            let (head, body) = try server.bytes("/v1/reports/issued/\(name)")
            let url = server.process.directory.url.appending(path: file)
            #expect(try head.status == 200 && body == Data(contentsOf: url), "\(head)")
            #expect(head.head.contains("Content-Type: \(type); charset=utf-8"))
        }
    }

    @Test func `who may read or audit may have reports, and no other`() throws {
        let server = try Self.serve()
        for (scope, status) in [
            ("read", 200), ("audit", 200), ("admin", 200), ("edit", 403), ("live", 403),
            ("ingest", 403), ("sync", 403),
        ] {
            let token = try server.token(scope, "--scope", scope)
            for path in ["/v1/reports", "/v1/reports/summary?year=2025", "/v1/reports/issued"] {
                let answer = try server.get(path, "Authorization: Bearer \(token)")
                #expect(answer.status == status, "\(scope) \(path)")
            }
        }
    }

    @Test func `of many at once some are made, and the others are told to come back`() throws {
        let server = try Self.serve()
        let path = "/v1/reports/log?year=2025&format=html&as_of=\(Self.moment)"
        let expected = try server.get(path).body
        // If one takes too long, as it may on a machine that is busy, they do not count.
        let answers = try Scene.played {
            let connections = try (0..<24).map { _ in try server.connect() }
            for connection in connections {
                try connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                )
            }
            let answers = try connections.map { try $0.answer() }
            let isLate = answers.contains { $0.isEmpty || $0.contains("takes too long") }
            return isLate ? nil : try answers.map { try ServedLedger.Answer($0) }
        }
        for answer in answers {
            if answer.status == 200 {
                #expect(answer.body == expected)
            } else {
                #expect(answer.status == 503 && answer.body.contains("urn:ledger:busy"))
                #expect(answer.head.contains("Retry-After: 10"))
            }
        }
        // One that asks has four places.
        #expect(answers.count { $0.status == 200 } >= 4)
        #expect(try server.get(path).body == expected)
    }
}
