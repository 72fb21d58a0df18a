import Foundation
import TestSupport
import Testing
import TripEvents

/// `ledger schema event KIND` prints the part of the schema of events that is about one kind.
@Suite struct EventSchemaTests {
    static let kinds = EventKind.allCases.filter { !$0.isReserved }.map(\.name)

    @Test func `the form of each kind is that of all events, and has what it refers to`() throws {
        let ledger = try LedgerProcess()
        let whole = try Self.object(try ledger.run("schema", "event").output)
        let definitions = try #require(whole["$defs"] as? [String: Any])
        for kind in Self.kinds {
            let printed = try ledger.run("schema", "event", kind)
            #expect(printed.exitCode == 0, "\(kind)")
            var one = try Self.object(printed.output)
            let own = try #require(one.removeValue(forKey: "$defs") as? [String: Any])
            #expect(one.removeValue(forKey: "title") as? String == kind)
            #expect(one.removeValue(forKey: "$schema") as? String == whole["$schema"] as? String)
            let expected = try #require(definitions[kind])
            #expect(try Self.sorted(one) == Self.sorted(expected), "\(kind)")
            for (name, form) in own {
                let expected = try #require(definitions[name])
                #expect(try Self.sorted(form) == Self.sorted(expected), "\(name)")
            }
            let text = String(decoding: printed.output, as: UTF8.self)
            let named = Set(text.matches(of: /#\/\$defs\/([a-z_]+)/).map { String($0.output.1) })
            #expect(named == Set(own.keys), "\(kind)")
        }
    }

    @Test func `every member of every kind has a meaning and a shape`() throws {
        let ledger = try LedgerProcess()
        for kind in Self.kinds {
            let listed = try ledger.run("schema", "event", kind, "--columns", "--format", "json")
            let members = try listed.lines.map { try Self.object(Data($0.utf8)) }
            #expect(members.count > 8, "\(kind)")
            for member in members {
                let name = try #require(member["name"] as? String)
                #expect((member["type"] as? String)?.isEmpty == false, "\(kind) \(name)")
                let goesWithoutSaying = ["type", "sequence"].contains(name)
                #expect(member["meaning"] is String || goesWithoutSaying, "\(kind) \(name)")
            }
        }
        let words = try ledger.run("schema", "event", "fix_recorded", "--columns").text
        #expect(words.contains("number. Over ground, in metres per second"))
        #expect(words.contains("number, from -90 to 90, required. Degrees, north positive."))
    }

    @Test func `the examples in the schema are events that a strict ledger takes`() throws {
        let ledger = try LedgerProcess()
        #expect(try ledger.run("init").exitCode == 0)
        let whole = try Self.object(try ledger.run("schema", "event").output)
        let definitions = try #require(whole["$defs"] as? [String: [String: Any]])
        let examples = Self.kinds.flatMap { definitions[$0]?["examples"] as? [Any] ?? [] }
        try #require(examples.count >= 8)
        for example in examples {
            let line = try JSONSerialization.data(withJSONObject: example)
            let outcome = try ledger.run("append", "--strict", input: line)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    @Test func `only events have kinds, and a kind that there is none of is asked about`() throws {
        let ledger = try LedgerProcess()
        let other = try ledger.run("schema", "trip", "fix_recorded")
        #expect(other.exitCode == 64)
        #expect(other.errors.contains("Only `ledger schema event`"))
        let misspelt = try ledger.run("schema", "event", "fix_recordet")
        #expect(misspelt.exitCode == 64)
        #expect(misspelt.errors.contains("fix_recorded"))
        #expect(try ledger.run("schema", "event", "ledger_created").exitCode == 64)
    }

    private static func sorted(_ object: Any) throws -> Data {
        try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
