import DriveSimulation
import Foundation
import TestSupport
import Testing

/// The answer of `append`: words for people and a line of JSON for programs say the same, and what
/// many lines have in common is said once.
@Suite struct AppendAnswerTests {
    private static let empty = LedgerProcess.Fixture(shell: "ledger init --time-zone Etc/UTC")

    private static let drives = LedgerProcess.Fixture(
        shell: """
            ledger init
            ledger simulate --start 2025-03-03 --days 5 --seed 3 > drives.jsonl
            """
    )

    // MARK: Laws

    @Test(arguments: Seeds.fresh(12))
    func `words and JSON have the same figures, and these come to what was read`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let first = #"{"type":"go_pressed","source":"b","occurred_at":"2025-03-03T08:29:00Z"}"#
        let lines = [first] + Self.lines(using: &random)
        let input = Data(lines.joined(separator: "\n").utf8)
        let mode = ["--strict", "--all-or-nothing", "--dry-run", "--trips"]
            .randomElement(
                using: &random
            )
        let options = ["append", mode].compactMap(\.self)
        let json = try Self.empty.copy().run(options + ["--format", "json"], input: input)
        let text = try Self.empty.copy().run(options + ["--format", "text"], input: input)
        #expect(json.exitCode == text.exitCode, "seed \(seed)")
        let summary = try Self.object(try #require(json.lines.last))
        let names = [
            "appended", "duplicate", "conflict", "rejected", "held_back", "passed_over", "ignored",
            "blank",
        ]
        let counts = names.map { summary[$0] as? Int ?? 0 }
        #expect(summary["read"] as? Int == counts.reduce(0, +), "seed \(seed)")
        // What was kept as extra comes in another sentence.
        let balance = try #require(text.lines.last).split(separator: ". ")[0]
        let figures = balance.matches(of: /[0-9][0-9,]*/)
            .compactMap { Int($0.output.replacing(",", with: "")) }
        #expect(figures.first == summary["read"] as? Int, "seed \(seed): \(balance)")
        #expect(Array(figures.dropFirst()) == counts.filter { $0 > 0 }, "seed \(seed): \(balance)")
    }

    @Test func `the trips in words are those that are listed, and those that there are`() throws {
        let ledger = try Self.drives.copy()
        let json = try ledger.run("append", "drives.jsonl", "--trips", "--dry-run")
        let summary = try Self.object(try #require(json.lines.last))
        let listed = try #require(summary["trips"] as? [[String: Any]])
        let text = try ledger.run("append", "drives.jsonl", "--format", "text")
        let answer = try #require(text.lines.first)
        let trips = try ledger.run("trips", "--format", "json").lines.map(Self.object)
        try #require(trips.count > 5)
        #expect(listed.compactMap { $0["trip"] as? String }.count == trips.count)
        #expect(
            Set(listed.compactMap { $0["trip"] as? String })
                == Set(trips.compactMap { $0["id"] as? String })
        )
        #expect(listed.allSatisfy { $0["change"] as? String == "began" })
        let meters = listed.compactMap { $0["distance_m"] as? Double }.reduce(0, +)
        #expect(
            abs(meters - trips.compactMap { $0["distance_m"] as? Double }.reduce(0, +)) < 0.001
        )
        let kilometers = Int((meters / 1_000).rounded())
        let days = trips.compactMap { ($0["started_at"] as? String)?.prefix(10) }
        let stretch = "\(try #require(days.min())) to \(try #require(days.max()))"
        #expect(
            answer
                == "\(trips.count) trips, \(kilometers) km, \(stretch), from simulated-phone. "
                + "Next: ledger inbox"
        )
    }

    @Test func `what changes nothing is said too, and a change is no beginning`() throws {
        let ledger = try Self.drives.copy()
        #expect(try ledger.run("append", "drives.jsonl").exitCode == 0)
        let again = try ledger.run("append", "drives.jsonl", "--format", "text")
        #expect(again.lines.first == "No trip began or changed.")
        #expect(try ledger.run("log", "--format", "json").lines.count > 10)
        // An edit from another ledger is an event too.
        let other = try ledger.shell(
            "cp -r book other; ledger --ledger other edit last --purpose Visit --class business;"
                + "ledger --ledger other log --format json > other.jsonl"
        )
        #expect(other.exitCode == 0, "\(other.errors)")
        let changed = try ledger.run("append", "other.jsonl", "--format", "text")
        #expect(changed.lines.first == "1 trip changed. Next: ledger trips")
    }

    // MARK: Said once

    @Test func `a fault that many lines have is said once, with its count`() throws {
        let ledger = try Self.empty.copy()
        let lines = (0..<30).map { "[\($0)]" } + [#"{"type":"go_pressed","source":"a"}"#]
        let outcome = try ledger.run(
            "append",
            input: Data(lines.joined(separator: "\n").utf8)
        )
        #expect(outcome.exitCode == 1)
        let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("ledger: error:") }
        #expect(errors.count == 3)
        #expect(outcome.errors.contains("29 more lines like that (not_an_object): 2-30"))
        #expect(outcome.errors.contains("-:31: The event has no occurred_at"))
        #expect(outcome.errors.contains("See `ledger schema event`."))
    }

    @Test(arguments: ["when,where,how far\n2025-03-01,Home,12\n2025-03-02,Home,12\n", "a;b;c\n"])
    func `a table is told what helps a table`(table: String) throws {
        let ledger = try Self.empty.copy()
        try Data(table.utf8).write(to: ledger.directory.url.appendingPathComponent("t.csv"))
        let outcome = try ledger.run("append", "t.csv")
        #expect(outcome.exitCode != 0)
        #expect(outcome.errors.contains("ledger append --suggest-map t.csv"))
        #expect(!outcome.errors.contains("schema event"))
    }

    @Test func `lines behind a byte order mark are no table, and are told what helps`() throws {
        let ledger = try Self.empty.copy()
        let url = ledger.directory.url.appendingPathComponent("marked.jsonl")
        let line = #"{"type":"go_pressed","source":"a","occurred_at":"2025-03-03T08:00:00Z"}"#
        try Data("\u{FEFF}\(line)\n".utf8).write(to: url)
        let outcome = try ledger.run("append", "marked.jsonl")
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("save it as UTF-8 without one"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("--suggest-map"), "\(outcome.errors)")
        try Data(line.utf8).write(to: url)
        #expect(try ledger.run("append", "marked.jsonl").exitCode == 0)
    }

    @Test(arguments: [
        "Date;Time;Latitude;Longitude;Speed\n03.03.2025;08:31:00;51,927;4,362;50,0\n"
            + "03.03.2025;08:32:00;51,930;4,390;50,0\n",
        "time;lat;lon\n2025-03-03T08:31:00Z;51,927;4,362\n2025-03-03T08:32:00Z;51,93;4,39\n",
        "time,lat,lon\n2025-03-03T08:31:00Z,51.927,4.362\n",
        "time;lat;lon\n2025-03-03T08:31:00;51.927;4.362\n",
    ])
    func `a table is said to need no map exactly if it is read as it is`(table: String) throws {
        let ledger = try Self.empty.copy()
        let url = ledger.directory.url
        try Data(table.utf8).write(to: url.appendingPathComponent("t.csv"))
        let proposal = try ledger.run("append", "t.csv", "--suggest-map")
        try Data(proposal.text.utf8).write(to: url.appendingPathComponent("map.json"))
        let plain = try ledger.run("append", "t.csv", "--dry-run")
        let needsNone = proposal.errors.contains("it needs no map")
        #expect(needsNone == (plain.exitCode == 0), "\(proposal.errors) \(plain.errors)")
        guard plain.exitCode != 0 else { return }
        let mapped = try ledger.run("append", "t.csv", "--map", "map.json")
        #expect(mapped.exitCode == 0 && mapped.text.contains(#""appended":2"#), "\(mapped.errors)")
    }

    @Test func `classes are read in the language of the table, and other words are named`() throws {
        let ledger = try Self.empty.copy()
        let url = ledger.directory.url
        let table =
            "Datum;Km;Soort;Kenteken\n02-03-2025;12,5;Zakelijk;NL-1\n03-03-2025;8,0;Privé;NL-1\n"
            + "04-03-2025;9,0;Woon-werk;NL-1\n05-03-2025;7,0;Diversen;NL-1\n"
        try Data(table.utf8).write(to: url.appendingPathComponent("t.csv"))
        let proposal = try ledger.run("append", "t.csv", "--suggest-map")
        #expect(proposal.errors.contains("No class of the ledger is called \"Diversen\""))
        #expect(!proposal.errors.contains("Zakelijk"), "\(proposal.errors)")
        try Data(proposal.text.utf8).write(to: url.appendingPathComponent("map.json"))
        let read = try ledger.shell(
            """
            ledger append t.csv --map map.json > /dev/null
            ledger trips --format json | jq -r '"\\(.class) \\(.category)"'
            """
        )
        let expected = [
            "unclassified Diversen", "commute null", "personal null", "business null",
        ]
        #expect(read.lines == expected, "\(read)")
    }

    @Test func `a row that is equal to an earlier one is named, and the map proposed keeps it`()
        throws
    {
        let ledger = try Self.empty.copy()
        let url = ledger.directory.url
        let table =
            "Date,Km,Order no,Class,Vehicle\n2025-03-02,12.5,K-1,business,car\n"
            + "2025-03-02,12.5,K-2,business,car\n2025-03-02,30,K-3,business,car\n"
        try Data(table.utf8).write(to: url.appendingPathComponent("t.csv"))
        let proposal = try ledger.run("append", "t.csv", "--suggest-map")
        try Data(proposal.text.utf8).write(to: url.appendingPathComponent("map.json"))
        let bare = proposal.text.replacing(/\n *"notes": "Order no",/, with: "")
        try #require(bare != proposal.text, "\(proposal.text)")
        try Data(bare.utf8).write(to: url.appendingPathComponent("bare.json"))
        let options = ["append", "t.csv", "--format", "text", "--map"]
        let one = try ledger.run(options + ["bare.json", "--dry-run"])
        #expect(one.text.contains("2 would be appended, 1 not used (equal_row)"), "\(one.text)")
        let note =
            "t.csv: line 3 is equal to line 2 in all that the map reads, and counts once; if both "
            + "are real, map a column that tells them apart to notes, such as \"Order no\""
        #expect(one.errors.contains(note), "\(one.errors)")
        let all = try ledger.run(options + ["map.json"])
        #expect(all.exitCode == 0 && !all.errors.contains("is equal"), "\(all.errors)")
        #expect(all.lines.first?.hasPrefix("3 trips, 55.00 km") == true, "\(all.text)")
    }

    @Test func `a row of MileIQ that is equal to an earlier one is named, with what helps`() throws
    {
        let ledger = try Self.empty.copy()
        let row = "1/31/2024 8:05,1/31/2024 8:45,Business,A,B,5\n"
        let table = "START_DATE*,END_DATE*,CATEGORY*,START*,STOP*,MILES*\n" + row + row
        try Data(table.utf8).write(to: ledger.directory.url.appendingPathComponent("m.csv"))
        let outcome = try ledger.run("append", "m.csv", "--format", "text", "--dry-run")
        #expect(outcome.text.contains("1 would be appended, 1 not used (equal_row)"))
        let note =
            "m.csv: line 3 is equal to line 2 in all that is read, and counts once; if both are "
            + "real, write what tells them apart into their notes"
        #expect(outcome.errors.contains(note), "\(outcome.errors)")
    }

    @Test func `misspelt members are said in one sentence, by the command and over HTTP`() throws {
        let line = { (day: Int) in
            let day = day < 10 ? "0\(day)" : "\(day)"
            return #"{"type":"trip_reported","source":"paper","distance_m":1000,"#
                + #""occurred_at":"2025-03-\#(day)T09:00:00Z","origin":"Home","#
                + #""destination":"Office","mood":"good","started_at":"2025-03-\#(day)T08:00:00Z","#
                + #""ended_at":"2025-03-\#(day)T09:00:00Z"}"#
        }
        let input = Data((1...12).map(line).joined(separator: "\n").utf8)
        let sentence =
            "12 lines have members that their type does not have: destination, origin (did you "
            + "mean to, from?)"
        let outcome = try Self.empty.copy().run("append", input: input)
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains(sentence))
        let server = try ServedLedger.onSocket()
        let answer = try server.post(input)
        for summary in [outcome.lines.last, answer.lines.last] {
            let notes = try Self.object(try #require(summary))["notes"] as? [[String: String]]
            #expect(notes == [["kind": "misspelt", "text": sentence + "."]])
        }
    }

    @Test(arguments: [
        (#"{"type":"fix","source":"a","occurred_at":1741000000000}"#, "perhaps fix_recorded was"),
        (#"{"type":"go_presed","source":"a","occurred_at":1741000000000}"#, "perhaps go_pressed"),
        (#"{"type":"go_pressed","source":"a","time":1741000000000}"#, #"perhaps "time" was meant"#),
        (#"{"type":"trip","source":"a","occurred_at":1741000000000}"#, #"the type "trip" ("#),
    ])
    func `a line that cannot be taken is told what may be meant`(line: String, words: String) throws
    {
        let outcome = try Self.empty.copy().run("append", input: Data(line.utf8))
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(words))
    }

    @Test(arguments: ["drives.jsonl", "track.gpx"])
    func `what another app wrote is no export, and goes to append`(name: String) throws {
        let ledger = try Self.drives.copy()
        let made = try ledger.shell(
            "ledger append drives.jsonl > /dev/null && ledger track last --format gpx > track.gpx"
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        let outcome = try ledger.run("import", name, "--ledger", "new")
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.contains("`ledger --ledger new append \(name)` takes that"))
        #expect(outcome.errors.contains("Nothing was imported"))
    }

    // MARK: Input

    /// Lines of which some are the same, some are no events, and some are blank.
    private static func lines(using random: inout SplitMix64) -> [String] {
        (0..<Int.random(in: 0...60, using: &random))
            .map { _ in
                let second = Int.random(in: 10...59, using: &random)
                let time = #""occurred_at":"2025-03-03T08:30:\#(second)Z""#
                switch Int.random(in: 0..<8, using: &random) {
                case 0: return ""
                case 1: return "nonsense, and more, of it"
                case 2: return #"{"type":"go_pressed",\#(time)}"#
                case 3: return #"{"type":"go_pressed","source":"a","id":"x",\#(time)}"#
                case 4: return #"{"type":"stop_pressed","source":"a",\#(time),"vehicel":"van"}"#
                default: return #"{"type":"go_pressed","source":"a",\#(time)}"#
                }
            }
    }

    private static func object(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }
}
