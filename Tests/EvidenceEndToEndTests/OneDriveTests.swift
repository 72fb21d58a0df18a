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

    @Test func `tolls that another program's table has are claimed with the drive`() throws {
        let ledger = try Self.ledger(
            row: "--miles 5.5 --class business --field tolls=4.50 --field parking=6"
        )
        let claim = try ledger.shell(
            "ledger report claim --jurisdiction us --year 2025 --format json"
        )
        #expect(claim.lines.last?.contains(#""amount":14.25}]"#) ?? false, "\(claim.lines)")
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
