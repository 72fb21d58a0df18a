import Foundation
import TestSupport
import Testing

/// Two names are the same if their bytes are: those that Unicode takes for equal are as different
/// as any others, whatever is asked.
@Suite struct NameBytesTests {
    /// Two names of everything that has one, in the order of their bytes.
    private struct Names {
        let first: String
        let second: String

        /// An "é" as an "e" with an accent behind it, and as one character.
        static let equal = Names(first: "cafe\u{301}", second: "caf\u{E9}")

        // With letters that no id or hash has.
        static let different = Names(first: "cagh1", second: "cagq")
        static let alsoDifferent = Names(first: "cahk", second: "cahz2")

        var both: [String] { [first, second] }
    }

    /// A book in which two sources, vehicles, places, routines and fields have the names.
    private struct Book {
        private var lines: [String] = []

        /// The events, a line each.
        var text: String { lines.joined(separator: "\n") + "\n" }

        init(_ names: Names) {
            for (index, name) in names.both.enumerated() {
                let minute = "3\(index)"
                let preset = index == 0 ? "logger" : "phone"
                let rules = #""preset":"\#(preset)","applies_to":"@""#
                say("rules_adopted", "01T04:" + minute, rules, name)
                let field = #""key":"@","label":"@","value_type":"text""#
                say("field_defined", "01T05:" + minute, field, name)
                let routine = #""routine":"@","purpose":"p\#(index)""#
                say("routine_saved", "01T06:" + minute, routine, name)
                say("vehicle_registered", "01T07:" + minute, #""vehicle":"@","plate":"@""#, name)
                let place = #""lat":\#(52 + index),"lon":4.3,"radius_m":100"#
                say("place_saved", "01T08:" + minute, #""place":"@","# + place, name)
                for (day, value) in [("02", 1_000), ("09", 1_100)] {
                    let reading = #""vehicle":"@","value":\#(value + index),"unit":"km""#
                    say("odometer_read", day + "T07:" + minute, reading, name)
                }
                let day = 3 + index
                say("go_pressed", "0\(day)T08:00", #""vehicle":"@""#, name, of: name)
                drive(name, "0\(day)", from: 1, "5\(2 + index).0")
                say("stop_pressed", "0\(day)T08:30", "", name, of: name)
            }
            // Another vehicle is another trip.
            say("go_pressed", "07T08:00", #""vehicle":"@""#, names.second)
            drive("phone", "07", from: 1, "52.0")
            say("go_pressed", "07T08:11", #""vehicle":"@""#, names.first)
            drive("phone", "07", from: 12, "52.5")
            say("stop_pressed", "07T08:40", "", "")
        }

        /// Adds an event, in whose members a name stands for `@`.
        private mutating func say(
            _ type: String,
            _ time: String,
            _ members: String,
            _ name: String,
            of source: String = "phone"
        ) {
            let named = (members.isEmpty ? "" : ",") + members.replacing("@", with: name)
            lines.append(
                #"{"type":"\#(type)","source":"\#(source)","#
                    + #""occurred_at":"2025-03-\#(time):00Z"\#(named)}"#
            )
        }

        /// Adds ten fixes, one a minute, to the north; the last digit of the latitude is added.
        private mutating func drive(
            _ source: String,
            _ day: String,
            from start: Int,
            _ latitude: String
        ) {
            for step in 0..<10 {
                let minute = start + step
                let time = "\(day)T08:" + (minute < 10 ? "0" : "") + "\(minute)"
                let place = #""lat":\#(latitude)\#(step),"lon":4.3,"accuracy":5"#
                say("fix_recorded", time, place, "", of: source)
            }
        }
    }

    /// What is asked; with NAME, of each of the two.
    private static let questions = [
        "trips --all --format json", "history --all --format json", "totals --format json",
        "status --as-of 2025-04-01T00:00:00Z --format json", "vehicle list --format json",
        "place list --format json", "routine list --format json", "field list --format json",
        "rules show --format json", "visits --format json", "track --all --format csv",
        "report log --year 2025 --draft --format json",
        "report reconcile --year 2025 --draft --format json",
        "report completeness --year 2025 --draft --format json",
        "rules show --source NAME --format json", "track --source NAME --format csv",
        "trips --all --place NAME --format json", "visits --place NAME --format json",
        "report log --year 2025 --vehicle NAME --draft --format json",
        "report reconcile --year 2025 --vehicle NAME --draft --format json",
    ]

    /// Returns what a book with the names answers, with marks in their place.
    private static func answers(_ names: Names) throws -> [String] {
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "UTC")
        let appended = try process.run(["append"], input: Data(Book(names).text.utf8))
        #expect(appended.text.contains(#""rejected":0"#), "\(appended.errors)")
        let commands = questions.flatMap { question in
            question.contains("NAME")
                ? names.both.map { question.replacing("NAME", with: "'\($0)'") } : [question]
        }
        let asked = try process.shell(
            commands.map { "echo; echo '= \($0.replacing("'", with: ""))'; ledger \($0) 2>&1" }
                .joined(separator: "\n")
        )
        var bytes = Array(asked.output)
        for (name, mark) in zip(names.both, ["@1", "@2"]) {
            bytes = replacing(Array(name.utf8), with: Array(mark.utf8), in: bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
            // Ids and hashes, and when this was run.
            .replacing(#/[0-9a-f]{8,}/#, with: "#")
            .replacing(#/"20(2[6-9]|[3-9][0-9])-[^"]*"/#, with: "now")
            .split(separator: "\n").map(String.init)
    }

    private static func replacing(
        _ part: [UInt8],
        with other: [UInt8],
        in bytes: [UInt8]
    ) -> [UInt8] {
        var replaced: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if rest.starts(with: part) {
                replaced += other
                rest = rest.dropFirst(part.count)
            } else {
                replaced.append(byte)
                rest = rest.dropFirst()
            }
        }
        return replaced
    }

    @Test func `an argument that is not UTF-8 is refused, and no name is made of it`() throws {
        let process = try LedgerProcess()
        let session = #"""
            ledger init --time-zone UTC > /dev/null
            ledger place save "$(printf 'Caf\351')" --lat 52 --lon 4 2>&1; echo "exit $?"
            ledger place save A --lat 5 --lon 4 --ledger "$(printf 'x\350')" 2>&1; echo "exit $?"
            ledger place list --format csv | wc -l
            """#
        let lines = try process.shell(session).lines
        #expect(lines.count { $0 == "exit 64" } == 2, "\(lines)")
        #expect(lines.contains { $0.contains("Argument 3, ") && $0.contains("is not UTF-8") })
        #expect(lines.contains { $0.contains("Argument 9, ") && $0.contains("is not UTF-8") })
        #expect(lines.last == "1")
    }

    @Test func `names that Unicode takes for equal are as different as any others`() throws {
        let different = try Self.answers(.different)
        #expect(different.count > 60)
        // The marks hide nothing else.
        #expect(try Self.answers(.alsoDifferent) == different)
        let equal = try Self.answers(.equal)
        for (found, wanted) in zip(equal, different) { #expect(found == wanted) }
        #expect(equal.count == different.count)
    }

    @Test func `a token for one source delivers for no other one of the same look`() throws {
        let server = try ServedLedger()
        let names = Names.equal
        let token = try server.token("phone", "--source", names.second)
        for (source, status) in [(names.second, 200), (names.first, 403)] {
            let event =
                #"{"type":"fix_recorded","source":"\#(source)","#
                + #""occurred_at":"2025-03-03T08:00:00Z","lat":52,"lon":4.3,"accuracy":5}"#
            let answer = try server.post(
                Data((event + "\n").utf8),
                to: "/v1/events",
                "Authorization: Bearer \(token)"
            )
            #expect(answer.status == status, "\(answer)")
            #expect(answer.body.contains("other_source") == (status == 403), "\(answer)")
        }
    }

    @Test func `tokens whose names look the same are two devices`() throws {
        let server = try ServedLedger()
        let fix = Data(#"{"_type":"location","lat":51.9,"lon":4.3,"tst":1795159860}"#.utf8)
        for (name, count) in [(Names.equal.first, 1), (Names.equal.second, 2)] {
            let token = try server.token(name)
            for _ in 0..<count {
                #expect(try server.post(fix, to: "/in/\(token)/owntracks").status == 200)
            }
        }
        let reading = try server.token("page", "--scope", "read")
        let answer = try server.get("/v1/devices", "Authorization: Bearer \(reading)")
        let counts = answer.body.matches(of: #/"deliveries":(\d+)/#).map { String($0.1) }
        #expect(counts == ["1", "2"], "\(answer)")
    }
}
