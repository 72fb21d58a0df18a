import Foundation
import TestSupport
import Testing

/// The schemas are those that the command prints, take their good examples and no bad ones, and
/// have the members that columns list.
///
/// `tools/oracles/schemas` compares them with what commands print.
@Suite struct SchemaTests {
    @Test(
        .enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing),
        arguments: try JSONSchemaValidator.names()
    )
    func `a schema takes its good examples and refuses its bad ones`(name: String) throws {
        let accepted = try JSONSchemaValidator.examples(of: name, "accepted")
        let refused = try JSONSchemaValidator.examples(of: name, "refused")
        #expect(!accepted.isEmpty && !refused.isEmpty)
        for (example, complaint) in zip(
            accepted,
            try JSONSchemaValidator.complaints(about: accepted, schema: name)
        ) {
            #expect(complaint == "", "\(example)")
        }
        // The reader refuses more events than a schema can; the tests of events cover those.
        guard name != "event" else { return }
        for (example, complaint) in zip(
            refused,
            try JSONSchemaValidator.complaints(about: refused, schema: name)
        ) {
            #expect(complaint != "", "\(example)")
        }
    }

    @Test func `the command prints every schema as it stands in the repository`() throws {
        let ledger = try LedgerProcess()
        let listed = try ledger.run("schema").lines
            .compactMap {
                $0.split(separator: " ").first.map(String.init)
            }
        #expect(try listed.sorted() == JSONSchemaValidator.names())
        for name in Seeds.sample(of: listed) {
            let file = JSONSchemaValidator.file(of: name)
            #expect(try ledger.run("schema", name).output == Data(contentsOf: file))
        }
    }

    @Test(arguments: try JSONSchemaValidator.names())
    func `the columns of a form are the members that its schema has`(name: String) throws {
        let listed = try LedgerProcess().run("schema", name, "--columns", "--format", "json")
        guard !Self.formsWithoutColumns.contains(name) else {
            #expect(listed.exitCode == 64)
            return
        }
        let columns = try listed.lines.map {
            try JSONDecoder().decode(ListedColumn.self, from: Data($0.utf8))
        }
        let unexplained = columns.filter { $0.meaning == nil && $0.type != "members" }
            .map(\.name)
        #expect(unexplained.filter { !$0.contains(".") } == [])
        let schema = try Self.schema(name)
        let members = SchemaMembers(of: schema, in: schema)
        #expect(members.differences(from: columns.map { ($0.name, $0.type) }) == [])
    }

    @Test func `a missing, a further and a misplaced column are found`() throws {
        let schema = try Self.schema("trip")
        let members = SchemaMembers(of: schema, in: schema)
        let listed = try LedgerProcess().run("schema", "trip", "--columns", "--format", "json")
        let columns = try listed.lines
            .map { try JSONDecoder().decode(ListedColumn.self, from: Data($0.utf8)) }
            .map { ($0.name, $0.type) }
        #expect(members.differences(from: columns.filter { $0.0 != "status" }) == ["status"])
        #expect(
            members.differences(from: columns.filter { $0.0 != "gaps.count" }) == ["gaps.count"]
        )
        #expect(members.differences(from: columns + [("gaps.more", "integer")]) == ["gaps.more"])
        #expect(members.differences(from: columns + [("more", "integer")]) == ["more"])
    }

    /// The forms whose members are written one by one: what is exchanged and what is in a file.
    private static let formsWithoutColumns: Set = [
        "export-header", "export-line", "rate-table", "rescue", "column-map", "mqtt-settings",
        "picture",
        "bundle-manifest", "document", "serving", "posted-events", "events-answer", "problem",
        "decision", "posted-decisions", "decisions-answer", "page", "trip-line", "change",
        "latest-cursor", "trip-proof",
        "sync", "sync-greeting", "sync-page", "webhook-answer", "client-event", "client-setting",
        "client-changes", "report-form", "report-request", "inbox-count", "new-share",
        "live-trip", "trip-options", "roads", "safekeeping", "drop",
    ]

    private struct ListedColumn: Decodable {
        var name: String
        var type: String
        var meaning: String?
    }

    @Test func `an event is refused with exactly the codes that receipts may have`() throws {
        let schema = try Self.schema("receipt")
        let variants = try #require(schema["oneOf"] as? [[String: Any]])
        let codes = variants.compactMap { variant -> [String]? in
            let properties = variant["properties"] as? [String: Any]
            return (properties?["code"] as? [String: Any])?["enum"] as? [String]
        }
        #expect(codes.count == 1)
        let seen = Set(BadLine.table.compactMap(\.code))
        #expect(seen.isSubset(of: Set(codes.joined())))
        #expect(seen.count > 20)
    }

    @Test func `of several decisions each has the members of one alone`() throws {
        let one = try Self.schema("decision")
        let kinds = try #require(one["oneOf"] as? [[String: String]])
        let forms = try #require(one["$defs"] as? [String: [String: Any]])
        let members = kinds.compactMap { $0["$ref"]?.split(separator: "/").last }
            .compactMap { forms[String($0)]?["properties"] as? [String: Any] }
        #expect(members.count == kinds.count && members.count > 20)
        let several = try Self.schema("posted-decisions")
        let list = (several["properties"] as? [String: [String: Any]])?["decisions"]
        let names = (list?["items"] as? [String: Any])?["propertyNames"] as? [String: Any]
        let listed = try #require(names?["enum"] as? [String])
        #expect(Set(listed) == Set(members.flatMap(\.keys)))
        #expect(Set(listed).count == listed.count)
    }

    private static func schema(_ name: String) throws -> [String: Any] {
        let file = JSONSchemaValidator.file(of: name)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return try #require(object as? [String: Any])
    }
}
