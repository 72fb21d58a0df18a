import Foundation
import TestSupport
import Testing

/// `/openapi.json`: what the server says of itself, for programs that make clients.
@Suite struct ServeDescriptionTests {
    /// The description of a server that has all paths.
    private static func description() throws -> String {
        let process = try LedgerProcess()
        try process.begin()
        #expect(try process.shell("ledger witness init office").exitCode == 0)
        let server = try ServedLedger(process, ["--witness"])
        // The author of a client has no token yet.
        let answer = try server.get("/openapi.json")
        #expect(answer.status == 200)
        return answer.body
    }

    private static func object(_ text: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any])
    }

    /// Returns the schemas of all bodies and answers, by where they stand.
    private static func schemas(in document: [String: Any]) throws -> [String: [String: Any]?] {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        var schemas: [String: [String: Any]?] = [:]
        for (path, methods) in paths {
            for (method, operation) in methods {
                var parts = operation["responses"] as? [String: [String: Any]] ?? [:]
                parts["body"] = operation["requestBody"] as? [String: Any]
                for (name, part) in parts {
                    for (media, content) in part["content"] as? [String: [String: Any]] ?? [:] {
                        let place = "\(method) \(path) \(name) \(media)"
                        schemas[place] = .some(content["schema"] as? [String: Any])
                    }
                }
            }
        }
        return schemas
    }

    /// Returns what a part of the document refers to.
    private static func references(in part: Any) -> Set<String> {
        switch part {
        case let object as [String: Any]:
            let own = (object["$ref"] as? String).map { [$0] } ?? []
            return object.values.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
        case let list as [Any]:
            return list.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: return []
        }
    }

    @Test func `every body and every answer has a schema, and each reference leads to one`() throws
    {
        let document = try Self.object(Self.description())
        let schemas = try Self.schemas(in: document)
        #expect(schemas.count > 190)
        for (place, schema) in schemas { #expect(schema?.isEmpty == false, "\(place)") }
        let components = try #require(document["components"] as? [String: [String: Any]])
        let known = try #require(components["schemas"])
        let references = Self.references(in: document)
        #expect(references.count > 100)
        for reference in references {
            let name = reference.replacingOccurrences(of: "#/components/schemas/", with: "")
            #expect(known[name] != nil, "\(reference)")
        }
        // Programs that make clients name types after these.
        let names = known.keys.map { $0.lowercased().filter(\.isLetter) }
        #expect(Set(names).count == names.count)
        for (place, form) in [
            ("post /v1/events 200 application/json", "events-answer"),
            ("get /v1/trips 200 application/json", "trip.page"),
            ("get /v1/trips/{trip} 200 application/json", "trip"),
            ("get /api/v1/geofences/{geofence} 200 application/json", "client-setting.geofence"),
            ("get /v1/trips default application/problem+json", "problem"),
        ] {
            #expect(
                schemas[place]??["$ref"] as? String == "#/components/schemas/\(form)",
                "\(place)"
            )
        }
    }

    @Test func `what is refused for its form is not of the described form`() throws {
        let schemas = try Self.schemas(in: Self.object(Self.description()))
        func body(of path: String) throws -> [String: Any] {
            try #require(schemas["post \(path) body application/json"] ?? nil)
        }
        #expect(try body(of: "/v1/drops/{drop}/add")["additionalProperties"] as? Bool == false)
        let rate = try #require(try body(of: "/v1/rates")["properties"] as? [String: [String: Any]])
        #expect(rate["from"]?["format"] as? String == "date")
        #expect(rate["to"]?["format"] as? String == "date")
        for (member, taken, refused) in [
            ("name", "acme-2026", "Acme"), ("rate", "0.35", "0.3500001"),
            ("rate", "9999", "10000"), ("currency", "EUR", "eur"),
        ] {
            let pattern = try #require(rate[member]?["pattern"] as? String)
            #expect(taken.range(of: pattern, options: .regularExpression) != nil, "\(member)")
            #expect(refused.range(of: pattern, options: .regularExpression) == nil, "\(member)")
        }
    }

    @Test func `a group that none can be called is refused, in a list as in a report`() throws {
        let server = try ServedLedger()
        let reader = try server.token("reader", "--scope", "read", "--scope", "audit")
        for path in ["/v1/trips?group=", "/v1/reports/log?year=2025&group="] {
            for name in ["a%01b", String(repeating: "a", count: 65)] {
                let answer = try server.get(path + name, "Authorization: Bearer \(reader)")
                #expect(answer.status == 400, "\(answer)")
                #expect(answer.body.contains(#""field":"group""#), "\(answer)")
            }
            let longest = path + String(repeating: "a", count: 64)
            #expect(try server.get(longest, "Authorization: Bearer \(reader)").status == 200)
        }
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `the components are the schemas of the repository`() throws {
        let text = try Self.description()
        let directory = try TemporaryDirectory()
        let file = directory.path("openapi.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let components = try Self.object(text)["components"] as? [String: [String: Any]]
        let known = try #require(components?["schemas"])
        let names = try JSONSchemaValidator.names().filter { known[$0] != nil }
        #expect(names.count > 50)
        for name in Seeds.sample(of: names) {
            let place = "\(file)#/components/schemas/\(name)"
            let accepted = try JSONSchemaValidator.examples(of: name, "accepted")
            for complaint in try JSONSchemaValidator.complaints(about: accepted, at: place) {
                #expect(complaint == "", "\(name)")
            }
            // The reader refuses more events than a schema can.
            guard name != "event" else { continue }
            let refused = try JSONSchemaValidator.examples(of: name, "refused")
            for complaint in try JSONSchemaValidator.complaints(about: refused, at: place) {
                #expect(complaint != "", "\(name)")
            }
        }
    }
}
