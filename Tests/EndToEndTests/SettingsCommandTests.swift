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
