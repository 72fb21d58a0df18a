import Foundation
import TestSupport
import Testing

/// One drive that is in the book twice, and who drove it, by the real programs.
@Suite struct OneDriveTests {
    /// A ledger with the drive of five minutes and 8,629.702 m, and a row of the same minutes.
    private static func ledger(row options: String) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let made = try ledger.shell(
            "ledger field define tolls --type number && ledger field define parking --type number"
                + " && ledger simulate home-to-office > drive.jsonl && ledger append drive.jsonl"
                + " && ledger report-trip --from 2025-03-03T07:30:00Z --to 2025-03-03T07:35:00Z "
                + options
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        return ledger
    }

    /// The shell's words for the trip that was measured, or for the row.
    private static func trip(measured isMeasured: Bool) -> String {
        "$(ledger trips --format json | grep '\"measured\":\(isMeasured)' | cut -c8-39)"
    }

    @Test func `a drive and a row of its minutes are claimed once, with the row's class`() throws {
        let ledger = try Self.ledger(row: "--miles 5.5 --class business --purpose Visit")
        // 8,629.702 m are 5.36225 miles; times 0.70 that is 3.7536.
        let claim = try ledger.shell(
            "ledger report claim --jurisdiction us --year 2025 --format json"
        )
        #expect(claim.lines.filter { $0.contains(#""kind":"line""#) }.count == 1)
        #expect(claim.lines.first?.contains(#""amount":3.75,"#) ?? false, "\(claim.lines)")
        let log = try ledger.shell("ledger report log --year 2025 --format csv")
        #expect(log.lines.count == 2)
        #expect(log.lines.last?.contains("Visit") ?? false, "\(log.lines)")
        let totals = try ledger.shell("ledger totals --by class --format json")
        #expect(totals.lines.contains { $0.contains(#""name":"business","trips":1,"#) })
        let trips = try ledger.shell("ledger trips --format json")
        #expect(trips.lines.filter { $0.contains(#""left_out":true"#) }.count == 1)
    }

    @Test func `one drive with two purposes waits in the inbox with its reason, until a word`()
        throws
    {
        let ledger = try Self.ledger(
            row: "--miles 5.5 --class business --purpose Visit --vehicle van"
        )
        let said = try ledger.shell(
            "ledger edit \(Self.trip(measured: true)) --class business --purpose Repair "
                + "--vehicle van"
        )
        try #require(said.exitCode == 0, "\(said.errors)")
        let inbox = try ledger.shell("ledger inbox --list")
        #expect(inbox.lines.count { $0.contains("says purpose Visit") } == 1, "\(inbox)")
        #expect(inbox.errors.contains("`ledger edit TRIP --vehicle NAME`"), "\(inbox.errors)")
        let rows = try ledger.shell("ledger inbox --list --format json").text
        #expect(rows.contains(#""asked":"purpose","twin":""#), "\(rows)")
        #expect(rows.contains(#""waits_for":"twin"}"#), "\(rows)")
        let claim = "ledger report claim --jurisdiction us --year 2025"
        let sentence = "two classes, purposes or clients: 1"
        #expect(try ledger.shell(claim).text.contains(sentence))
        // Two cars, and both are true.
        let both = try ledger.shell(
            "ledger edit \(Self.trip(measured: false)) --vehicle car > /dev/null"
                + " && ledger inbox --list && \(claim)"
        )
        #expect(!both.text.contains("says purpose") && !both.text.contains(sentence), "\(both)")
    }

    @Test func `a drive that is there twice without a vehicle is asked about`() throws {
        let ledger = try Self.ledger(row: "--miles 5.5 --class business --purpose Visit")
        let list = "ledger inbox --list"
        #expect(try ledger.shell(list).text.contains("neither has a vehicle"))
        let said = try ledger.shell(
            "ledger edit \(Self.trip(measured: true)) --vehicle van && \(list)"
        )
        #expect(said.exitCode == 0)
        #expect(!said.text.contains("neither has a vehicle"), "\(said)")
    }

    @Test func `tolls that another program's table has are claimed with the drive`() throws {
        let ledger = try Self.ledger(
            row: "--miles 5.5 --class business --field tolls=4.50 --field parking=6"
        )
        let claim = try ledger.shell(
            "ledger report claim --jurisdiction us --year 2025 --format json"
        )
        #expect(claim.lines.last?.contains(#""amount":14.25}]"#) ?? false, "\(claim.lines)")
    }

    @Test func `a log and a summary of a driver have the trips of that driver alone`() throws {
        let ledger = try Self.ledger(row: "--km 3 --vehicle van --driver Tom")
        func report(_ options: String) throws -> [String] {
            try ledger.shell("ledger report \(options) --year 2025").lines
        }
        #expect(try report("log --driver Tom --format csv").count == 2)
        #expect(try report("log --driver Eva --format csv").count == 1)
        let head = try report("log --driver Eva").first { $0.hasPrefix("Driver ") }
        #expect(head?.hasSuffix(" Eva") ?? false)
        let total = try #require(try report("log --driver Tom --format json").last)
        #expect(total.contains(#""driver":"Tom""#), "\(total)")
        for (driver, trips) in [("Tom", 1), ("Eva", 0)] {
            let summary = try report("summary --driver \(driver) --format json").joined()
            #expect(summary.contains(#""driver":"\#(driver)","trips":\#(trips),"#), "\(summary)")
        }
    }

    @Test func `a trip has the driver that it says, else its vehicle's, else its source's`() throws
    {
        let ledger = try Self.ledger(row: "--km 3 --vehicle van --driver Tom")
        func driver(_ commands: String) throws -> [String] {
            let answer = try ledger.shell(
                commands + " > /dev/null; ledger trips --vehicle van --all --format csv "
                    + "--columns driver | tail -n +2"
            )
            return answer.lines
        }
        #expect(try driver("ledger vehicle register van --driver Eva") == ["Tom"])
        #expect(try driver("ledger edit --whose-vehicle van --clear driver -y") == ["Eva"])
        let found = try ledger.shell("ledger trips --driver Eva --all --format ids")
        #expect(found.lines.count == 1)
    }
}
