import Foundation
import LedgerTestSupport
import Testing
import TripLedger

/// What the command prints has the form that its schema says, and the schemas refuse what has not.
@Suite struct SchemaTests {
    /// A schema, and a command of the shell whose every line has its form.
    struct Use: Sendable, CustomTestStringConvertible {
        var schema: String
        var command: String

        var testDescription: String { "\(schema): \(command)" }
    }

    static let uses = [
        Use(schema: "event", command: "ledger simulate bulk --drives 2 --fixes 20"),
        Use(schema: "event", command: "cat events.jsonl"),
        Use(schema: "trip", command: "ledger trips --all --format json"),
        Use(
            schema: "trip",
            command: "ledger trip active --as-of 2025-03-03T09:00:00+01:00 --format json"
        ),
        Use(schema: "trip", command: "ledger explain last --format json | tail -n 1"),
        Use(schema: "explanation", command: "ledger explain last --format json | head -n -1"),
        Use(
            schema: "column-map",
            command: "printf 'Date;Begin;End;Miles;Odo start (km);Odo end (km)\\n' > trips.csv; "
                + "printf '31.12.2024;8:05;8:45;1;2,5;3\\n' >> trips.csv; "
                + "ledger append --suggest-map trips.csv 2> /dev/null | tr -d '\\n'; true"
        ),
        Use(schema: "picture", command: "ledger map last -o map.json > /dev/null; cat map.json"),
        Use(schema: "summary", command: "ledger append events.jsonl"),
        Use(schema: "summary", command: "cat bad.jsonl | ledger append 2> /dev/null"),
        Use(schema: "summary", command: "ledger append --all-or-nothing bad.jsonl 2> /dev/null"),
        Use(
            schema: "receipt",
            command: "ledger append --receipts bad.jsonl events.jsonl | head -n -1"
        ),
        Use(
            schema: "receipt",
            command: "ledger append --all-or-nothing --receipts bad.jsonl | head -n -1"
        ),
        Use(schema: "receipt", command: "ledger go --format json"),
        Use(schema: "receipt", command: "ledger fix --lat 91 --lon 4 --format json; true"),
        Use(schema: "receipt", command: "\(split) | head -n 1"),
        Use(schema: "trip", command: "\(split) | tail -n +2"),
        Use(schema: "trip", command: "\(split) > /dev/null; ledger trips --all --format json"),
        Use(
            schema: "explanation",
            command: "\(split) | tail -n 1 | cut -c8-39 > part; "
                + "ledger explain $(cat part) --format json | head -n -1"
        ),
        Use(schema: "trip", command: "\(merge) | tail -n 1"),
        Use(
            schema: "explanation",
            command: "\(merge) > /dev/null; ledger explain $tunnel --format json | head -n -1"
        ),
        Use(
            schema: "explanation",
            command: "\(report); ledger explain last --format json | head -n -1"
        ),
        Use(
            schema: "trip",
            command: "\(report); ledger explain last --format json | tail -n 1"
        ),
        Use(schema: "status", command: "ledger status --format json"),
        Use(schema: "status", command: "rm -r book/views; ledger status --format json"),
        Use(
            schema: "status",
            command: "ledger status --format json --as-of 2025-03-03T08:50:00+01:00"
        ),
        Use(schema: "notification", command: "ledger watch --since 0 --once"),
        Use(
            schema: "notification",
            command: "ledger watch --since 0 --once --on trip_ended --exec cat --format json"
        ),
        Use(schema: "totals", command: "ledger totals --by day --format json"),
        Use(schema: "totals", command: "ledger totals --by client --format json"),
        Use(schema: "totals", command: "ledger totals --year 1999 --time-zone UTC --format json"),
        Use(schema: "mileage-log", command: "ledger report log --format json"),
        Use(schema: "mileage-log", command: "ledger report log --sums --format json"),
        Use(
            schema: "claim",
            command: "\(report); ledger report claim --jurisdiction de --year 2025 --format json"
        ),
        Use(schema: "rate", command: "ledger rates list --format json"),
        Use(
            schema: "rate",
            command: "ledger rates show gb.amap.business.bicycle.2011-04-06 --format json"
        ),
        Use(schema: "rules", command: "ledger rules show --format json"),
        Use(schema: "place", command: "ledger place list --format json"),
        Use(schema: "track", command: "ledger track last --format json"),
        Use(schema: "track", command: "ledger track --all --format json"),
        Use(schema: "visit", command: "ledger visits --format json"),
        Use(schema: "inference", command: "\(inferred) ledger inferences --format json"),
        Use(schema: "trip", command: "\(inferred) \(tunnel) ledger trip $tunnel --format json"),
        Use(schema: "vehicle", command: "ledger vehicle list --format json"),
        Use(schema: "odometer", command: "ledger odometer van --list --format json"),
        Use(schema: "routine", command: "ledger routine list --format json"),
        Use(schema: "suggestion", command: "ledger routine suggest last --format json"),
        Use(schema: "waiting-trip", command: "ledger inbox --format json"),
        Use(schema: "amendment", command: "ledger history 162d --format json"),
        Use(schema: "orphan", command: "ledger changes --orphans --format json"),
        Use(schema: "changes", command: "ledger changes --since 9 --format json"),
        Use(schema: "changes", command: "ledger changes --since 1999-12-31 --format json"),
        Use(
            schema: "changes",
            command: "ledger adjust 162d --km 8 --why x > /dev/null; "
                + "ledger changes --since old.note --format json"
        ),
        Use(schema: "field", command: "ledger field list --format json"),
        Use(schema: "receipt", command: "ledger edit last --purpose roof --format json"),
        Use(schema: "receipt", command: "ledger edit last --field a=b --format json; true"),
        Use(schema: "log-entry", command: "ledger log --format json"),
        Use(
            schema: "log-entry",
            command: "ledger erase --trip last --why x --yes > /dev/null; ledger log --format json"
        ),
        Use(schema: "erasure", command: "ledger erase --trip last --why x --yes --format json"),
        Use(schema: "erasure", command: "ledger erase 3 --why x --format json; true"),
        Use(schema: "export", command: "ledger export out --format json"),
        Use(schema: "export-header", command: "ledger export - | head -n 1"),
        Use(schema: "export-header", command: "ledger export --from 9 - | head -n 1"),
        Use(
            schema: "export-line",
            command: "ledger export --withhold unclassified - | tail -n +2"
        ),
        Use(
            schema: "import",
            command: "ledger export - | ledger import - --ledger copy --format json"
        ),
        Use(schema: "ledger", command: "ledger init --ledger new --units mi --format json"),
        Use(schema: "projection", command: "ledger project --rebuild --format json"),
        Use(schema: "verification", command: "ledger verify --format json"),
        Use(schema: "verification", command: "ledger scrub --format json"),
        Use(schema: "backup", command: "ledger backup b --format json"),
        Use(
            schema: "restored",
            command: "ledger backup b > b.txt; ledger restore-backup b --format json"
        ),
        Use(schema: "rescue", command: "ledger rescue book -o saved --format json"),
        Use(schema: "health", command: "ledger doctor --format json"),
        Use(schema: "projection", command: "rm -r book/views; ledger project --format json"),
        Use(schema: "verification", command: "ledger verify --format json"),
        Use(
            schema: "verification",
            command: "ledger verify old.note old.note --format json; true"
        ),
        Use(
            schema: "verification",
            command: "ledger verify old.note bad.jsonl --format json; true"
        ),
        Use(schema: "key", command: "ledger key show --format json"),
        Use(schema: "key", command: "ledger witness init --directory new w --format json"),
        Use(schema: "head", command: "ledger head --format json"),
        Use(schema: "head", command: "ledger head --sign --format json"),
        Use(schema: "proof", command: "ledger prove last --output proof --format json"),
        Use(schema: "consistency", command: "ledger prove --consistency old.note --format json"),
        Use(schema: "witness", command: "ledger witness show --format json"),
        Use(
            schema: "witness",
            command: "ledger witness init --directory w2 w2 > /dev/null; "
                + "ledger witness add --directory w2 $(ledger key show | sed -n 's/^Ver.* //p') "
                + "--format json"
        ),
        Use(schema: "schema", command: "ledger schema --format json"),
        Use(schema: "error", command: "ledger trips --place Nowhere --format json 2>&1; true"),
        Use(schema: "error", command: "ledger --format json trps 2>&1; true"),
        Use(schema: "error", command: "ledger log --format=json 2>&1 > /dev/full; true"),
    ]

    /// Remembers the trip through the tunnel.
    private static let tunnel =
        "tunnel=$(ledger trips --format json | grep tunnel | cut -c8-39); "

    /// Splits a trip whose distance was not set by hand.
    private static let split =
        "late=$(ledger trips --format json | grep late-upload | cut -c8-39); "
        + "ledger split $late --at 08:32:30 --format json"

    /// Merges the trip through the tunnel with one an hour later.
    private static let merge =
        tunnel + "ledger simulate tunnel --source next | sed s/T08:/T10:/ | ledger append "
        + "> /dev/null; ledger merge $tunnel "
        + "$(ledger trips --format json | grep next | cut -c8-39) --format json"

    /// Appends what Google made of the time of the trips.
    private static let inferred = """
        echo '{"type":"inference_reported","source":"google","inferred_by":"Google",\
        "occurred_at":"2025-03-03T10:00:00Z","started_at":"2025-03-03T07:00:00Z",\
        "ended_at":"2025-03-03T10:00:00Z","inference":"activity","activity":"IN_BUS",\
        "mode":"bus","distance_m":9000,"probability":0.5}' | ledger append > /dev/null;
        """

    private static let report = """
        echo '{"type":"trip_reported","source":"manual","occurred_at":"2025-03-04T12:00:00Z",\
        "started_at":"2025-03-04T10:00:00Z","ended_at":"2025-03-04T11:00:00Z",\
        "distance_m":12345.6}' | ledger append > /dev/null
        """

    @Test(
        .enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing),
        arguments: uses + usesOfIssued + usesOfTokens
    )
    func `output has the form of its schema, and with a member less or more it has not`(
        use: Use
    ) throws {
        let lines = try Self.ledger.copy().shell(use.command).lines
        let first = try #require(lines.first)
        let altered = use.schema == "event" ? [] : try Self.altered(first, schema: use.schema)
        let complaints = try JSONSchemaValidator.complaints(
            about: lines + altered,
            schema: use.schema
        )
        #expect(complaints.count == lines.count + altered.count)
        for (line, complaint) in zip(lines, complaints) {
            #expect(complaint == "", "\(line)")
        }
        for (line, complaint) in zip(altered, complaints.dropFirst(lines.count)) {
            #expect(complaint != "", "\(line)")
        }
    }

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
        // Of events the reader refuses more than a schema can: the tests of events see to these.
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
        for name in listed {
            let file = JSONSchemaValidator.file(of: name)
            #expect(try ledger.run("schema", name).output == Data(contentsOf: file))
        }
    }

    @Test func `the schema of errors names every code, and no other`() throws {
        let schema = try Self.schema("error")
        let properties = try #require(schema["properties"] as? [String: Any])
        let code = try #require(properties["code"] as? [String: Any])
        let listed = try #require(code["enum"] as? [String])
        let codes = LedgerError.Code.allCases.map(\.rawValue) + ["usage", "failure"]
        #expect(listed.sorted() == codes.sorted())
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
        "export-header", "export-line", "rate-table", "rescue", "column-map", "picture",
        "bundle-manifest", "document", "serving", "posted-events", "events-answer", "problem",
        "decision", "posted-decisions", "decisions-answer", "page", "trip-line", "change",
        "latest-cursor", "trip-proof",
        "sync", "sync-greeting", "sync-page", "webhook-answer", "client-event", "client-setting",
        "client-changes", "device", "report-form", "inbox-count", "new-share",
        "live-trip",
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

    private static func requiredMembers(ofSchema name: String) throws -> [String] {
        try schema(name)["required"] as? [String] ?? ["receipt"]
    }

    private static func schema(_ name: String) throws -> [String: Any] {
        let file = JSONSchemaValidator.file(of: name)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return try #require(object as? [String: Any])
    }

    /// Returns the line without each member that the schema demands, and with one too many.
    private static func altered(_ line: String, schema name: String) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let members = try #require(object as? [String: Any])
        var altered = try requiredMembers(ofSchema: name)
            .map { member in
                var rest = members
                #expect(rest.removeValue(forKey: member) != nil, "\(line) has no \(member)")
                return String(
                    decoding: try JSONSerialization.data(withJSONObject: rest),
                    as: UTF8.self
                )
            }
        // Some members depend on the type of the event.
        if !["log-entry", "orphan", "export-line"].contains(name) {
            altered.append(#"{"surprise":1,"# + line.dropFirst())
        }
        return altered
    }

    /// A ledger with trips of every status, and files of good and bad events.
    private static let ledger = LedgerProcess.Fixture(
        shell: """
            ledger init
            for scenario in tunnel late-upload stationary; do
                ledger simulate $scenario --source $scenario; done > events.jsonl
            ledger append events.jsonl
            ledger simulate forgotten-stop --source open | head -n 30 | ledger append
            ledger go --source nowhere --at 2025-03-02T08:00:00+01:00 --id go
            ledger stop --source nowhere --at 2025-03-02T09:00:00+01:00
            ledger go --source nowhere --at 2025-03-02T10:00:00Z --id go || true
            ledger field define project --type select --option P-17 --order 1
            ledger edit 162d --purpose roof --field project=P-17 --actor Eva
            ledger adjust 162d --km 7 --why odometer
            ledger place save Home --at-trip-start 162d --skip
            ledger place save Office --at-trip-end 162d --label Work
            ledger vehicle register van --in-service-since 2020-01-31
            ledger odometer van 100.5
            ledger odometer van 90 --unit mi --method photo
            ledger odometer car 7
            ledger routine save Roof --from-trip 162d
            ledger routine save Never --title Never
            ledger routine apply Roof 162d
            gone='{"type":"trip_voided","source":"manual","occurred_at":1740987000000'
            echo "$gone"',"trip":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}' | ledger append
            bad='{"type":"go_pressed","source":"nowhere","id":"go","occurred_at":'
            printf '%s1}\n%s1740987000000}\n[]\n' "$bad" "$bad" > bad.jsonl
            ledger simulate tunnel --source third >> bad.jsonl
            ledger key new --name example.com/book
            ledger head --sign > old.note
            ledger witness init accountant.example
            ledger witness cosign old.note > cosigned.note \\
                --key "$(ledger key show | sed -n 's/Verifier key *//p')"
            """
    )
}
