import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// A command prints the same as on a copy of the ledger at one head, the one that it names,
/// whatever another process appends meanwhile.
@Suite(.serialized) struct SnapshotTests {
    private static let batches = 10

    /// Commands that print what is in a ledger; every batch changes what each of them prints.
    private static func commands(trip: String) -> [[String]] {
        [
            ["report", "log"], ["report", "log", "--format", "json"],
            ["report", "log", "--format", "csv"], ["report", "log", "--sums"],
            ["totals", "--by", "vehicle"], ["totals", "--by", "class", "--format", "json"],
            ["trips", "--all", "--format", "json"], ["trips", "--format", "csv"],
            ["trips"], ["trip", trip, "--format", "json"],
            ["explain", trip, "--format", "json"], ["history", trip],
            ["changes", "--since", "3", "--format", "json"], ["changes", "--orphans"],
            ["status", "--as-of", "2026-08-01T00:00:00Z", "--format", "json"],
            ["odometer", "van", "--list"], ["vehicle", "list"], ["place", "list"], ["visits"],
            ["field", "list"], ["routine", "list", "--format", "json"], ["rules", "show"],
            ["head"],
        ]
    }

    /// Lines that change what every command prints.
    private static func batch(_ number: Int, trip: String, at fix: FixRecorded) -> String {
        let day = "2026-04-\(number < 9 ? "0" : "")\(number + 1)"
        func line(_ type: String, _ source: String, _ minute: Int, _ members: String) -> String {
            let time = "\(day)T08:\(minute):00Z"
            return
                #"{"type":"\#(type)","source":"\#(source)","occurred_at":"\#(time)",\#(members)}"#
        }
        return [
            line(
                "place_saved",
                "manual",
                10,
                #""place":"place \#(number)","lat":\#(fix.latitude),"lon":\#(fix.longitude),"#
                    + #""radius_m":500"#
            ),
            line("vehicle_registered", "manual", 11, #""vehicle":"van","make":"make \#(number)""#),
            line(
                "odometer_read",
                "manual",
                12,
                #""vehicle":"van","value":\#(50_000 + number),"unit":"km""#
            ),
            line(
                "field_defined",
                "manual",
                13,
                #""key":"field\#(number)","label":"Field","value_type":"text""#
            ),
            line("routine_saved", "manual", 14, #""routine":"routine \#(number)","title":"R""#),
            line("details_edited", "manual", 15, #""trip":"\#(trip)","title":"title \#(number)""#),
            line(
                "details_edited",
                "manual",
                16,
                #""trip":"\#(String(repeating: "\(number)", count: 32))","#
                    + #""trip_started_at":"2001-01-01T00:00:00Z","title":"lost""#
            ),
            line(
                "rules_adopted",
                "manual",
                17,
                #""preset":"logger","applies_to":"logger \#(number)""#
            ),
            line(
                "trip_reported",
                "paper",
                18,
                #""started_at":"\#(day)T06:00:00Z","ended_at":"\#(day)T06:30:00Z","#
                    + #""distance_m":\#(1_000 + number),"class":"business","vehicle":"van""#
            ),
            line("go_pressed", "car \(number)", 19, #""vehicle":"van""#),
        ]
        .map { $0 + "\n" }.joined()
    }

    /// Makes a ledger with a drive, and the files that will be appended to it.
    private func prepare(_ ledger: LedgerProcess) throws -> String {
        try ledger.begin()
        let drive = DriveSimulator.events(of: .homeToOffice)
        try ledger.append(DriveLines.data(DriveLines.lines(drive)))
        let row = try #require(try ledger.run("trips", "--format", "json").lines.first)
        let trip = try #require(row.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
        let fix = drive.lazy
            .compactMap { event -> FixRecorded? in
                guard case .fixRecorded(let fix) = event.body else { return nil }
                return fix
            }
            .last
        for number in 0..<Self.batches {
            let batch = Self.batch(number, trip: String(trip), at: try #require(fix))
            try Data(batch.utf8)
                .write(to: ledger.directory.url.appendingPathComponent("\(number).jsonl"))
        }
        return String(trip)
    }

    @Test func `what is printed is true at one head, whatever is appended meanwhile`() throws {
        let ledger = try LedgerProcess()
        let commands = Self.commands(trip: try prepare(ledger))
        try copy(ledger, as: 0)
        // The outputs of each command beside each append.
        var printed: [[String]] = []
        for number in 0..<Self.batches {
            printed.append(try run(commands, in: ledger, besideAppendOf: number))
            try copy(ledger, as: number + 1)
        }
        var earlier = 0
        var later = 0
        for (index, command) in commands.enumerated() {
            let truths = try (0...Self.batches)
                .map { copy in
                    let outcome = try ledger.run(["--ledger", "copies/\(copy)"] + command)
                    try #require(outcome.exitCode == 0, "\(command): \(outcome.errors)")
                    return Self.comparable(outcome.text)
                }
            // The law could fail: every append changes what is printed.
            #expect(Set(truths).count == truths.count, "\(command)")
            for number in 0..<Self.batches {
                let text = printed[number][index]
                if text == truths[number] { earlier += 1 }
                if text == truths[number + 1] { later += 1 }
                #expect(
                    [truths[number], truths[number + 1]].contains(text),
                    "\(command) printed what was never true:\n\(text)"
                )
            }
        }
        #expect(earlier > 0 && later > 0, "the commands ran beside the appends")
    }

    /// Copies the log, to which nothing is being appended.
    private func copy(_ ledger: LedgerProcess, as number: Int) throws {
        let outcome = try ledger.shell("mkdir -p copies/\(number); cp -r book/log copies/\(number)")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// Runs all commands at once with an append in their midst, and returns what they printed.
    private func run(
        _ commands: [[String]],
        in ledger: LedgerProcess,
        besideAppendOf number: Int
    ) throws -> [String] {
        let append = ["append", "\(number).jsonl"]
        // Each command comes before the append sometimes, and sometimes after it.
        let place = commands.count * number / Self.batches
        let all = commands[..<place] + [append] + commands[place...]
        var running: [(process: Subprocess, output: URL)] = []
        for (index, arguments) in all.enumerated() {
            // On a slow machine too, one command has ended before the append begins, and one
            // begins when that has ended.
            if index == place, index > 0 { running[0].process.waitForEnd() }
            if index == all.count - 1, index > place { running[place].process.waitForEnd() }
            let output = ledger.directory.url.appendingPathComponent("output\(index)")
            try Data().write(to: output)
            let process = ledger.process(arguments)
            process.standardOutput = .file(try FileHandle(forWritingTo: output))
            process.standardError = .null
            try process.start()
            running.append((process: process, output: output))
        }
        var texts = try running.map { process, output in
            #expect(process.waitForEnd().exitCode == 0, "\(process.arguments)")
            return Self.comparable(String(decoding: try Data(contentsOf: output), as: UTF8.self))
        }
        texts.remove(at: place)
        return texts
    }

    /// The output without the ledger's path and without how far its views had lagged behind.
    private static func comparable(_ text: String) -> String {
        text.replacing(/"lag":[^,]*/, with: "").replacing(/copies\/[0-9]+/, with: "book")
    }

    @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "skipped: there is no strace"))
    func `a command opens each environment once`() throws {
        let ledger = try LedgerProcess()
        let trip = try prepare(ledger)
        // Only LMDB opens a data file so that it would be made.
        func openings(_ command: String, of file: String) throws -> Int {
            let outcome = try ledger.shell(
                "strace -f -e trace=open,openat -o calls ledger \(command) > answer; "
                    + "grep -c '\(file).*O_CREAT' calls"
            )
            return try #require(Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let once = try openings("head", of: "book/log/data.mdb")
        #expect(once > 0)
        let commands = [
            "trips", "report log --draft", "status", "totals", "edit \(trip) --title Visit",
        ]
        for command in commands {
            #expect(try openings(command, of: "book/log/data.mdb") == once, "\(command)")
            #expect(try openings(command, of: "book/views/data.mdb") == once, "\(command)")
        }
    }
}
