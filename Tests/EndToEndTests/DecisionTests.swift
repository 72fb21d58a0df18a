import Foundation
import TestSupport
import Testing

/// Decisions made with the real command stay with their trips, whatever is appended later.
@Suite struct DecisionTests {
    /// A trip, as far as these tests look at it.
    private struct ShownTrip: Decodable, Equatable {
        var id: String
        var status: String
        var endedAt: String?
        var purpose: String?
        var adjusted: Double?

        private enum CodingKeys: String, CodingKey {
            case id, status, purpose
            case endedAt = "ended_at"
            case adjusted = "adjusted_distance_m"
        }
    }

    /// A drive of ten minutes with a fix a minute; the car's motion sensor opens the trip.
    private static let motion = line(
        "motion_changed",
        minute: 1,
        #""state":"automotive","confidence":"high""#
    )
    private static let fixes = (1...10)
        .map { minute in
            line("fix_recorded", minute: minute, #""lat":51.\#(900 + 6 * minute),"lon":4.4"#)
        }
    private static let stop = line("stop_pressed", minute: 11)

    @Test func `decisions survive a rebuild, lost views and everything sent again`() throws {
        let ledger = try LedgerProcess()
        let outcome = try ledger.shell(
            """
            set -e
            ledger init
            for scenario in tunnel home-to-office forgotten-stop; do
                ledger simulate $scenario --source $scenario; done > events.jsonl
            ledger append events.jsonl
            ledger edit 162d --purpose roof --client ACME --actor Eva
            ledger adjust 162d --km 8.6 --why odometer --actor Ann
            ledger void a975 --why ferry
            ledger restore a975 --why "no ferry"
            ledger void a975 --why "a ferry after all"
            ledger report-trip --from 2025-03-13T09:00:00+01:00 --to 2025-03-13T09:30:00+01:00 \
                --km 21.5 --class commute
            echo '{"type":"trips_merged","source":"manual","occurred_at":1760000000000,"trips":' \
                "[$(ledger trips --format json | grep -o '^{"id":"[^"]*"' | cut -c7- \
                | head -n 2 | paste -sd,)]}" | ledger append
            """
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let before = try Self.facts(of: ledger)
        #expect(before.contains(#""status":"voided""#))
        #expect(before.contains(#""merged_into":"#))
        #expect(before.contains(#""adjusted_distance_m":8600.000"#))
        for command in [
            "ledger project --rebuild", "rm -r book/views", "ledger append events.jsonl",
            #"sed 's/^{"position":[0-9]*,"recorded_at":"[^"]*",/{/' log.jsonl | ledger append"#,
        ] {
            _ = try ledger.shell("ledger log --format json > log.jsonl")
            _ = try ledger.shell(command)
            #expect(try Self.facts(of: ledger) == before, "\(command)")
            try ledger.expectViewsConfirmed("\(command)")
        }
    }

    @Test func `an edit and an adjustment stay when late fixes move the trip's end`() throws {
        let ledger = try Self.ledger([Self.motion] + Self.fixes.prefix(5))
        try Self.decide(in: ledger)
        let open = try Self.trip(in: ledger, "--as-of", "2025-03-03T08:06:00Z")
        #expect(open.endedAt == nil)
        try ledger.append(DriveLines.data(Self.fixes + [Self.stop]))
        let ended = try Self.trip(in: ledger)
        #expect(ended.id == open.id)
        #expect(ended.endedAt == "2025-03-03T09:11:00.000+01:00")
        #expect(ended.purpose == "roof" && ended.adjusted == 8_600)
        try ledger.expectViewsConfirmed("late fixes")
    }

    @Test func `decisions go to the trip that a late GO makes of theirs`() throws {
        let ledger = try Self.ledger([Self.motion] + Self.fixes + [Self.stop])
        try Self.decide(in: ledger)
        let first = try Self.trip(in: ledger)
        try ledger.append(DriveLines.data([Self.line("go_pressed", minute: 0)]))
        let second = try Self.trip(in: ledger)
        #expect(second.id != first.id)
        #expect(second.purpose == "roof" && second.adjusted == 8_600)
        #expect(try ledger.run("changes", "--orphans", "--format", "json").text == "")
        let history = try ledger.run("history", "last", "--format", "json").lines
        #expect(history.count == 2 && history.allSatisfy { $0.contains(first.id) })
        try ledger.expectViewsConfirmed("a late GO")
    }

    @Test func `a retry under the same id is no second decision`() throws {
        let ledger = try Self.ledger([Self.motion] + Self.fixes + [Self.stop])
        let edit = ["edit", "last", "--purpose", "roof", "--id", "form-1", "--format", "json"]
        let trip = try Self.trip(in: ledger).id
        let change = #"{"field":"purpose","old":null,"new":"roof"}"#
        let appended = #"{"receipt":"appended","position":15,"trip":"\#(trip)""#
        #expect(try ledger.run(edit).text == appended + #","changes":[\#(change)]}"# + "\n")
        let second = #"{"receipt":"duplicate","of":15,"trip":"\#(trip)","changes":[]}"#
        #expect(try ledger.run(edit).text == second + "\n")
        let other = try ledger.run("edit", "last", "--purpose", "wall", "--id", "form-1")
        #expect(other.exitCode == 1)
        #expect(try Self.trip(in: ledger).purpose == "roof")
    }

    private static func line(_ type: String, minute: Int, _ members: String...) -> String {
        let minutes = minute < 10 ? "0\(minute)" : String(minute)
        let head = [
            #""type":"\#(type)""#, #""source":"phone""#,
            #""occurred_at":"2025-03-03T08:\#(minutes):00Z""#,
        ]
        return "{" + (head + members).joined(separator: ",") + "}"
    }

    private static func ledger(_ lines: [String]) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let summary = try ledger.append(DriveLines.data(lines))
        try #require(summary.appended == lines.count)
        return ledger
    }

    private static func decide(in ledger: LedgerProcess) throws {
        for decision in [
            ["edit", "last", "--purpose", "roof"],
            ["adjust", "last", "--km", "8.6", "--why", "odometer"],
        ] {
            let outcome = try ledger.run(decision)
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    /// Returns the only trip.
    private static func trip(in ledger: LedgerProcess, _ options: String...) throws -> ShownTrip {
        let lines = try ledger.run(["trips", "--all", "--format", "json"] + options).lines
        try #require(lines.count == 1)
        return try JSONDecoder().decode(ShownTrip.self, from: Data(lines[0].utf8))
    }

    /// Returns every trip and every history.
    private static func facts(of ledger: LedgerProcess) throws -> String {
        let trips = try ledger.run("trips", "--all", "--format", "json").lines
        let histories = try trips.map { line in
            let id = try JSONDecoder().decode(ShownTrip.self, from: Data(line.utf8)).id
            return try ledger.run("history", id, "--format", "json").text
        }
        return (trips + histories).joined(separator: "\n")
    }
}
