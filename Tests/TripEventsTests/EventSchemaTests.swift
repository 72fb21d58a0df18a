import Foundation
import TestSupport
import Testing

@testable import TripEvents

@Suite struct EventSchemaTests {
    /// 2026-03-15T00:00:00Z.
    private static let recordedAt = Timestamp(milliseconds: 1_773_532_800_000)

    /// Rules about numbers, texts and the calendar that no schema can state.
    private static let beyondSchema: Set<String> = [
        "duplicate_key--lat", "number_out_of_range--beyond_double",
        "invalid_number--nan", "invalid_json--trailing_comma", "invalid_time--no_such_day",
        "time_out_of_range--far_future", "invalid_value--ends_before_it_starts",
        "invalid_value--ends_before_it_begins", "invalid_value--electric_diesel",
    ]

    /// A missing source is the command's to fill in; lengths in bytes, which of two fields comes
    /// first, what contradicts another field, and how many decimals a number has, are beyond a
    /// schema.
    private func isBeyondSchema(_ rejection: Rejection) -> Bool {
        rejection.code == .missingField && rejection.field == "source"
            || [.entryTooLong, .extraTooLong, .tooDeep].contains(rejection.code)
            || rejection.code == .invalidValue
                && ["before it starts", "must be later than", "three decimals", "and fuel is "]
                    .contains { rejection.sentence.contains($0) }
    }

    private func name(_ file: URL) -> String {
        file.deletingPathExtension().lastPathComponent
    }

    @Test func `every accepted example is taken, and comes back the same`() throws {
        var reader = EventLineReader()
        var kinds: Set<EventKind> = []
        for file in SchemaFiles.accepted {
            let line = [UInt8](try Data(contentsOf: file))
            let event = try reader.event(line.span, recordedAt: Self.recordedAt)
            var again: [UInt8] = []
            event.appendJSON(to: &again)
            let second = try reader.event(again.span, recordedAt: Self.recordedAt)
            #expect(second == event, "\(name(file))")
            kinds.formUnion(event.body.kind.map { [$0] } ?? [])
        }
        #expect(kinds == Set(EventKind.allCases.filter { !$0.isReserved }))
    }

    @Test func `every refused example is refused with the code in its name`() throws {
        var reader = EventLineReader()
        #expect(SchemaFiles.refused.count > 30)
        for file in SchemaFiles.refused {
            let line = [UInt8](try Data(contentsOf: file))
            do throws(Rejection) {
                try reader.read(line.span, recordedAt: Self.recordedAt)
                Issue.record("\(name(file)) was taken")
            } catch {
                #expect(name(file).hasPrefix(error.code.rawValue + "--"), "\(error)")
            }
        }
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `the schema agrees on every example that it can judge`() throws {
        let refused = SchemaFiles.refused.filter { !Self.beyondSchema.contains(name($0)) }
        #expect(SchemaFiles.refused.count - refused.count == Self.beyondSchema.count)
        let files = SchemaFiles.accepted + refused
        let lines = try files.map {
            try String(contentsOf: $0, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
        let complaints = try JSONSchemaValidator.complaints(about: lines, schema: "event")
        for (file, complaint) in zip(files, complaints) {
            let isAccepted = file.path.contains("/accepted/")
            #expect(complaint.isEmpty == isAccepted, "\(name(file)): \(complaint)")
        }
    }

    @Test(.enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing))
    func `the schema and the reader agree on events and on broken events`() throws {
        var reader = EventLineReader()
        var lines: [String] = []
        var expected: [Bool] = []
        for kind in EventKind.allCases {
            for seed in Seeds.fresh(1) {
                var random = RandomEvents(seed: seed)
                for line in Seeds.sample(of: EventVariants.lines(of: try random.event(kind))) {
                    let bytes = Array(line.utf8)
                    do throws(Rejection) {
                        try reader.read(bytes.span, recordedAt: RandomEvents.recordedAt)
                        expected.append(true)
                    } catch {
                        if isBeyondSchema(error) { continue }
                        expected.append(false)
                    }
                    lines.append(line)
                }
            }
        }
        #expect(expected.contains(true) && expected.contains(false))
        let complaints = try JSONSchemaValidator.complaints(about: lines, schema: "event")
        for (index, line) in lines.enumerated() {
            #expect(complaints[index].isEmpty == expected[index], "\(line)")
        }
    }

    @Test func `the schema names the fields of the catalogue`() throws {
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: SchemaFiles.schema))
        let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: Any])
        let envelope = Set(EnvelopeName.allCases.map(\.jsonName) + [FieldName.group.jsonName])
        for kind in EventKind.allCases where !kind.isReserved {
            let definition = try #require(definitions[kind.name] as? [String: Any])
            let properties = try #require(definition["properties"] as? [String: Any])
            let required = try #require(definition["required"] as? [String])
            let fields = FieldLister.fields(of: kind)
            #expect(Set(properties.keys) == envelope.union(fields.map(\.name.jsonName)))
            #expect(
                Set(required)
                    == Set(fields.filter(\.isRequired).map(\.name.jsonName))
                    .union(["type", "occurred_at"])
            )
        }
    }
}

/// The schema of events and its examples, as they stand in the repository.
enum SchemaFiles {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // TripEventsTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // the repository

    static let schema = root.appendingPathComponent("Schemas/event.v1.schema.json")
    static let formats = root.appendingPathComponent(
        "Sources/Ledger/TripLedger/TripLedger.docc/Formats.md"
    )

    /// Examples that a reader takes, in order of their names.
    static let accepted = examples("accepted")

    /// Examples that a reader refuses; their names start with the code, then two hyphens.
    static let refused = examples("refused")

    private static func examples(_ folder: String) -> [URL] {
        let folder = root.appendingPathComponent("Schemas/examples/event/\(folder)")
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        return (files ?? []).sorted { $0.path < $1.path }
    }
}
