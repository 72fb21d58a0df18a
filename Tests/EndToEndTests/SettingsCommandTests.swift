import Foundation
import TestSupport
import Testing

/// Settings through the program, at a terminal and over HTTP.
@Suite struct SettingsCommandTests {
    private static func items(_ lines: String) throws -> [String: String?] {
        var items: [String: String?] = [:]
        for line in lines.split(separator: "\n") {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require(value as? [String: Any])
            items[try #require(object["setting"] as? String)] = object["value"] as? String
        }
        return items
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
            "skipped: script, which stands in for a terminal, is not installed"
        ),
        arguments: ["UTC", "Nowhere/Atlantis", "Etc/UTC"]
    )
    func `a person at a terminal is asked where the machine's zone is UTC or not known`(
        zone: String
    ) throws {
        let book = try LedgerProcess()
        let asked = try book.shell(
            #"printf 'Berlin\nEurope/Berlin\n' | TZ=\#(zone) script -qec 'ledger init' /dev/null"#
        )
        #expect(asked.exitCode == 0, "\(asked.text)")
        #expect(asked.text.contains("Did you mean 'Europe/Berlin'?"), "\(asked.text)")
        let settings = try Self.items(book.run("settings", "--format", "json").text)
        #expect(settings["time_zone"] == "Europe/Berlin")
    }

    @Test(arguments: ["settings", "rates load", "rates set"])
    func `no group is offered for what holds for the whole ledger`(command: String) throws {
        let book = try LedgerProcess()
        let words = command.split(separator: " ").map(String.init)
        let help = try book.run(words + ["--help"])
        #expect(help.exitCode == 0)
        #expect(help.text.contains("--actor") && !help.text.contains("--group"), "\(help.text)")
        let refused = try book.run(words + ["--group", "17"])
        #expect(refused.exitCode == 64)
        #expect(refused.errors.contains("Unknown option '--group'"), "\(refused.errors)")
    }

    @Test func `a zone that cannot be checked is refused`() throws {
        let book = try LedgerProcess()
        let refused = try book.shell(
            "TZDIR=/nowhere ledger init --time-zone Europe/Amsterdam; echo $?; ls book"
        )
        #expect(refused.text.hasPrefix("65\n"), "\(refused.text)")
        #expect(refused.errors.contains("tzdata"), "\(refused.errors)")
        let utc = try book.shell("TZDIR=/nowhere ledger init --time-zone UTC > /dev/null; echo $?")
        #expect(utc.text == "0\n", "\(utc.errors)")
    }

    /// Settings that cannot stand, as members of an event, with the words that refuse them.
    private static let unfit = [
        (#""source":"elsewhere","time_zone":"Mars/X""#, "the time zone Mars/X is not there"),
        (#""source":"elsewhere","country":"zz""#, "no country has this code"),
        (#""source":"elsewhere","language":"xx""#, "reports are written in de"),
        (#""source":"elsewhere/17","group":"17","units":"mi""#, "are its owner's alone"),
    ]

    /// Returns the settings that cannot stand, a line each.
    private static func unfitLines() -> Data {
        let lines = unfit.map {
            #"{"type":"settings_changed","occurred_at":"2025-07-01T00:00:00Z",\#($0.0)}"#
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    private static func beginWithTrip() throws -> LedgerProcess {
        let book = try LedgerProcess()
        let begun = try book.shell(
            """
            set -e
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger report-trip --from 2025-12-31T20:00Z --to 2025-12-31T20:20Z --km 9 > /dev/null
            """
        )
        try #require(begun.exitCode == 0, "\(begun.errors)")
        return book
    }

    @Test func `settings that cannot stand stop nothing, and are named wherever it is looked for`()
        throws
    {
        let book = try Self.beginWithTrip()
        let questions = [
            ["settings", "--format", "json"], ["totals", "--by", "day"], ["trips"],
            ["history", "--all"],
        ]
        let before = try questions.map { try book.run($0).text }
        let appended = try book.run(["append"], input: Self.unfitLines())
        #expect(appended.exitCode == 0, "\(appended.errors)")
        #expect(appended.errors.contains("4 decisions have no effect: "), "\(appended.errors)")
        let orphans = try book.run("changes", "--orphans", "--format", "json").lines
        let forPeople = try book.run("changes", "--orphans").text
        let doctor = try book.run("doctor").text
        #expect(orphans.count == Self.unfit.count)
        for (_, words) in Self.unfit {
            #expect(appended.errors.contains(words), "\(words)\n\(appended.errors)")
            #expect(appended.lines.last?.contains(words) == true, "\(words)")
            #expect(orphans.contains { $0.contains(words) }, "\(words)\n\(orphans)")
            #expect(forPeople.contains(words), "\(words)\n\(forPeople)")
            #expect(doctor.contains(words), "\(words)\n\(doctor)")
        }
        #expect(try questions.map { try book.run($0).text } == before)
        #expect(try book.run("report", "log", "--year", "2025").exitCode == 0)
        #expect(try book.run("project", "--check").exitCode == 0)
        let cured = try book.run("settings", "--time-zone", "Asia/Tokyo", "--from", "2025-07-01")
        #expect(cured.exitCode == 0, "\(cured.errors)")
        let settings = try Self.items(book.run("settings", "--format", "json").text)
        #expect(settings["time_zone"] == "Asia/Tokyo")
        guard JSONSchemaValidator.isPresent else { return }
        let complaints = try JSONSchemaValidator.complaints(about: orphans, schema: "orphan")
        #expect(complaints.allSatisfy { $0.isEmpty }, "\(complaints)")
        let sums = [try #require(appended.lines.last)]
        #expect(try JSONSchemaValidator.complaints(about: sums, schema: "summary") == [""])
    }

    @Test func `settings of a request that cannot stand are named, and the server goes on`()
        throws
    {
        let server = try ServedLedger(onSocketOf: Self.beginWithTrip())
        let answer = try server.post(Self.unfitLines())
        #expect(answer.status == 200, "\(answer)")
        for (_, words) in Self.unfit { #expect(answer.body.contains(words), "\(answer)") }
        let totals = try server.get("/v1/totals")
        #expect(totals.status == 200, "\(totals)")
        let listed = try server.get("/v1/settings")
        #expect(listed.body.contains(#""value":"Europe/Amsterdam""#), "\(listed)")
        #expect(!listed.body.contains("zz") && !listed.body.contains("Mars"), "\(listed)")
    }

    @Test func `a zone of newer data has no effect until this machine has it`() throws {
        let told = try Self.beginWithTrip()
            .shell(
                """
                set -e
                mkdir -p old/Europe
                cp ${TZDIR:-/usr/share/zoneinfo}/Europe/Amsterdam old/Europe
                ledger settings --time-zone Asia/Tokyo --from 2020-01-01 > /dev/null
                TZDIR=$PWD/old ledger totals --by day | grep -o '^20[0-9-]*'
                TZDIR=$PWD/old ledger changes --orphans --format json | grep -o 'Tokyo is not there'
                ledger totals --by day | grep -o '^20[0-9-]*'
                ledger changes --orphans --format json | wc -l
                """
            )
        #expect(told.exitCode == 0, "\(told.errors)")
        #expect(told.lines == ["2025-12-31", "Tokyo is not there", "2026-01-01", "0"])
    }

    @Test(arguments: ["UTC", "Etc/UTC", "UCT", "Zulu", "GMT", "Etc/GMT", "Greenwich", "No/Where"])
    func `where the machine's zone is UTC by any name, or not known, that is said`(
        zone: String
    ) throws {
        let book = try LedgerProcess()
        let made = try book.shell(
            """
            TZ=\(zone) ledger init < /dev/null
            TZ=\(zone) ledger --ledger given init --time-zone Etc/UTC < /dev/null
            TZ=\(zone) ledger --ledger served serve --setup --socket /nowhere/socket < /dev/null
            """
        )
        let said = made.text.components(separatedBy: "The time zone is UTC, as this machine names")
        #expect(said.count == 3, "\(made.text)\n\(made.errors)")
        let settings = try Self.items(book.run("settings", "--format", "json").text)
        #expect(settings["time_zone"] == "UTC")
    }

    @Test func `an issued report stays what it was, whatever is set later`() throws {
        let book = try LedgerProcess()
        let issued = try book.shell(
            """
            set -e
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger report-trip --from 2025-12-31T23:30Z --to 2025-12-31T23:50Z --km 9 > /dev/null
            ledger settings --keeper 'Dach & Söhne' --language de --country de > /dev/null
            for report in log summary; do
                ledger report $report --year 2025 --issue > $report 2> /dev/null
            done
            ledger settings --keeper Jan --language fr --country us --units mi > /dev/null
            ledger settings --time-zone Asia/Tokyo --from 2020-01-01 > /dev/null
            ledger report reissue R1 | cmp - log; ledger report reissue R2 | cmp - summary
            ledger report log --year 2026 > later; cat log
            """
        )
        #expect(issued.exitCode == 0, "\(issued.errors)")
        #expect(issued.text.contains("Geführt von  "), "\(issued.text)")
        #expect(issued.text.contains("Dach & Söhne"), "\(issued.text)")
        let later = book.directory.url.appendingPathComponent("later")
        let text = try String(contentsOf: later, encoding: .utf8)
        // In Japan's time, the trip began on the first day of 2026.
        #expect(text.contains("Tenu par") && text.contains("Jan"), "\(text)")
        #expect(text.contains("01/01/2026  08:30"), "\(text)")
    }

    @Test func `the server lists settings, and changes them by a decision`() throws {
        let server = try ServedLedger.onSocket()
        func decide(_ body: String) throws -> ServedLedger.Answer {
            try server.post(Data(body.utf8), as: "application/json", to: "/v1/decisions")
        }
        let decided = try decide(
            #"{"type":"settings_changed","time_zone":"Asia/Tokyo","language":"de"}"#
        )
        #expect(decided.status == 200, "\(decided)")
        let listed = try server.get("/v1/settings")
        #expect(listed.body.contains(#""setting":"time_zone","value":"Asia/Tokyo""#), "\(listed)")
        #expect(listed.body.contains(#""setting":"language","value":"de""#), "\(listed)")
        let refused = try decide(#"{"type":"settings_changed","time_zone":"Tokio"}"#)
        #expect(refused.status == 400 || refused.status == 422, "\(refused)")
        #expect(refused.body.contains("Asia/Tokyo"), "\(refused)")
    }
}
