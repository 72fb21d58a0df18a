import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// A history of fixes alone comes to nothing by the default rules: the ledger says so, and the
/// command that it names makes trips of what is there already.
@Suite struct RulesFromTheBeginningTests {
    /// The fixes of a drive, without GO, STOP and motion.
    private static let events = DriveSimulator.drives(seed: 7, count: 1, fixesPerDrive: 80...80)
        .filter { $0.body.kind == .fixRecorded }
    private static let fixes = DriveLines.data(DriveLines.lines(events))
    private static let cure = "ledger rules preset history --source simulated-phone"

    private func trips(_ book: LedgerProcess) throws -> Int {
        let outcome = try book.run("trips", "--format", "json")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return outcome.lines.count
    }

    @Test func `fixes that come to nothing are counted, and the cure is named`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let outcome = try book.run(["append"], input: Self.fixes)
        #expect(outcome.exitCode == 0)
        let count = Self.events.count
        #expect(outcome.errors.contains("simulated-phone: \(count) fixes but no trip"))
        #expect(outcome.errors.contains("`\(Self.cure)`"))
        let last = try #require(Self.events.last).occurredAt
        let status = try book.activity(asOf: last)
        #expect(status["fixes_in_no_trip"] as? Int == count)
        #expect(status["suggested_action"] as? String == Self.cure)
        let text = try book.run("status").text
        #expect(text.contains("\(count) fixes but no trip: by its rules"))
    }

    @Test func `the doctor names the rules that the ledger adopted of itself, until others count`()
        throws
    {
        let book = try LedgerProcess()
        let made = try book.shell(
            """
            set -e
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate --start 2025-03-03 --days 1 --seed 3 | ledger append > /dev/null
            ledger doctor | grep -c 'Own rules' || true
            ledger track last --format gpx > track.gpx
            ledger init --ledger other --time-zone Europe/Amsterdam > /dev/null
            ledger append --ledger other track.gpx > /dev/null
            """
        )
        try #require(made.exitCode == 0 && made.lines == ["0"], "\(made.text)\(made.errors)")
        let name = try book.shell(
            "ledger rules show --ledger other --format json | jq -r '.source // empty' | head -n 1"
        )
        let source = try #require(name.lines.first, "\(name.errors)")
        let doctor = try book.shell("ledger doctor --ledger other")
        #expect(doctor.text.contains(#/Own rules +history for /#), "\(doctor.text)")
        let json = try book.shell("ledger doctor --ledger other --format json | jq -c .own_rules")
        #expect(json.lines == [#"["history for \#(source)"]"#], "\(json.text)")
        let adopted = try book.shell(
            "ledger rules preset logger --ledger other --source '\(source)' > /dev/null; "
                + "ledger status --ledger other > /dev/null; ledger doctor --ledger other"
        )
        #expect(!adopted.text.contains("Own rules"), "\(adopted.text)")
    }

    @Test func `a source that only said what holds from the beginning on is no recorder`() throws {
        let book = try LedgerProcess()
        try book.begin()
        #expect(try book.run("rules", "preset", "phone", "--source", "gpx").exitCode == 0)
        let status = try book.run("status").text
        #expect(!status.contains("manual") && !status.contains("1980"), "\(status)")
    }

    @Test func `the rules that it names hold for what is there already`() throws {
        let book = try LedgerProcess()
        try book.begin()
        try book.append(Self.fixes)
        #expect(try trips(book) == 0)
        let adoption = try book.shell(Self.cure)
        #expect(adoption.text.contains("from the beginning on"))
        #expect(try trips(book) == 1)
        // Now there is a trip, and its rules stay.
        let later = try book.run("rules", "set", "silence_seconds=200")
        #expect(later.text.contains("They hold from now on"))
        let again = try book.run(["append"], input: Self.fixes)
        #expect(again.errors.isEmpty)
    }

    @Test func `rules that are named with lines of the ledger's own form hold for new sources`()
        throws
    {
        let book = try LedgerProcess()
        try book.begin()
        let outcome = try book.run(["append", "--preset", "history"], input: Self.fixes)
        #expect(outcome.exitCode == 0)
        let adopted = #""rules":[{"source":"simulated-phone","preset":"history""#
        #expect(outcome.text.contains(adopted), "\(outcome.text)")
        #expect(!outcome.errors.contains("starts trips by movement"), "\(outcome.errors)")
        #expect(try trips(book) == 1)
        // It is no new source any more.
        let again = try book.run(["append", "--preset", "logger"], input: Self.fixes)
        #expect(!again.text.contains(#""rules""#), "\(again.text)")
        #expect(try trips(book) == 1)
    }

    @Test(arguments: ["none", nil] as [String?])
    func `lines of the ledger's own form bring no rules unless these are named`(
        preset: String?
    ) throws {
        let book = try LedgerProcess()
        try book.begin()
        let options = preset.map { ["--preset", $0] } ?? []
        let outcome = try book.run(["append"] + options, input: Self.fixes)
        #expect(!outcome.text.contains(#""rules""#), "\(outcome.text)")
        #expect(try trips(book) == 0)
    }

    @Test func `rules set before the first event hold from the beginning, however many`() throws {
        let book = try LedgerProcess()
        try book.begin()
        for command in [
            ["rules", "preset", "history", "--source", "simulated-phone"],
            ["rules", "set", "silence_seconds=200", "--source", "simulated-phone"],
            ["rules", "set", "parked_seconds=240"],
        ] {
            let adoption = try book.run(command)
            #expect(adoption.text.contains("from the beginning on"), "\(command)")
        }
        let outcome = try book.run(["append"], input: Self.fixes)
        #expect(outcome.errors.isEmpty)
        #expect(try trips(book) == 1)
        let rules = try book.run("rules", "show").text
        #expect(rules.contains("silence_seconds"))
        let trip = try book.trip("last")
        #expect(trip["rules"] as? String == "v1/history+custom")
    }

    @Test func `rules for a later time are not replaced by those from the beginning`() throws {
        let book = try LedgerProcess()
        try book.begin()
        _ = try book.run("rules", "preset", "logger", "--from", "2025-01-01T00:00:00Z")
        let adoption = try book.run("rules", "set", "silence_seconds=200")
        #expect(adoption.text.contains("They hold from now on"))
    }
}
