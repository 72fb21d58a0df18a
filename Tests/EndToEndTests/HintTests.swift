import Foundation
import TestSupport
import Testing

/// A command that a hint names is about the ledger that the command line named.
@Suite struct HintTests {
    /// Returns the commands that stand in a text between backticks or behind `Next`.
    private static func commands(in text: String) -> [String] {
        text.matches(of: #/`(ledger [^`]+)`|Next:? +(ledger [^.\n]+)/#)
            .compactMap { ($0.output.1 ?? $0.output.2).map(String.init) }
    }

    @Test(arguments: ["other", "my own book", "it's"])
    func `a hint that is copied acts on the ledger that was named`(name: String) throws {
        let process = try LedgerProcess()
        let word = "'" + name.replacing("'", with: #"'\''"#) + "'"
        let made = try process.shell(
            """
            exec 2>&1
            ledger init > /dev/null
            ledger --ledger \(word) init --time-zone Europe/Amsterdam
            ledger go --ledger=\(word) > /dev/null
            """
        )
        #expect(made.exitCode == 0, "\(made.text)")
        let hints = Self.commands(in: made.text)
        #expect(hints.count == 3, "\(made.text)")
        let start = name == "other" ? "ledger --ledger other " : "ledger --ledger \(word) "
        for hint in hints { #expect(hint.hasPrefix(start), "\(hint)") }

        let status = try process.shell("ledger status --ledger \(word)").text
        let next = try #require(Self.commands(in: status).first, "\(status)")
        #expect(next == start + "stop")
        let stopped = try process.shell(
            "\(next) > /dev/null; ledger log --ledger \(word) --format json | grep -c stop_pressed"
        )
        #expect(stopped.text == "1\n", "\(stopped)")
        // The usual ledger was left alone.
        let entries = try process.shell("ledger log --format json | grep -c pressed").text
        #expect(entries == "0\n")
    }

    @Test func `a ledger that the environment names is not repeated, nor any to a program`()
        throws
    {
        let process = try LedgerProcess()
        let said = try process.shell(
            """
            exec 2>&1
            ledger init; ledger go; ledger status; ledger void last --why x; ledger status
            ledger --ledger book status --format json; ledger --ledger book status --help
            ledger --ledger book edit nothing --purpose x --format json
            """
        )
        #expect(!said.text.contains("--ledger book"), "\(said.text)")
        #expect(Self.commands(in: said.text).contains("ledger stop"), "\(said.text)")
    }

    @Test func `a command that goes by no ledger, or names its own, stays as it is`() throws {
        let process = try LedgerProcess()
        let said = try process.shell(
            """
            exec 2>&1
            ledger init --ledger other > /dev/null
            echo 'not even JSON' | ledger append --ledger other
            ledger --ledger none status
            """
        )
        let hints = Self.commands(in: said.text)
        #expect(
            hints.contains("ledger schema event") && hints.contains("ledger --ledger none init"),
            "\(said.text)"
        )
    }

    @Test(arguments: ["ledger", "trip-ledger"])
    func `what a user typed stays as it is, whatever it says`(name: String) throws {
        let process = try LedgerProcess()
        let purposes = [
            "ledger export review", "`ledger void last` shown", "See: ledger trips",
            "trips | ledger append",
        ]
        for (day, purpose) in purposes.enumerated() {
            let (begun, ended) = ("2025-03-0\(day + 3)T09:00Z", "2025-03-0\(day + 3)T09:30Z")
            let made = try process.shell(
                """
                set -e
                ln -sf "$(command -v ledger)" trip-ledger
                [ -d other ] || ledger init --ledger other > /dev/null
                ledger report-trip --ledger other --from \(begun) --to \(ended) --km 12 > /dev/null
                """
            )
            #expect(made.exitCode == 0, "\(made)")
            let start = "PATH=$PWD:$PATH; exec 2>&1; \(name)"
            for command in ["edit last --purpose '\(purpose)'", "trip last", "history last"] {
                let said = try process.shell("\(start) \(command) --ledger other").text
                #expect(said.contains(purpose), "\(said)")
            }
            // What the program says itself is about the ledger that was named.
            let voided = try process.shell("\(start) void last --why no --ledger other").text
            #expect(voided.contains("`\(name) --ledger other restore "), "\(voided)")
        }
    }

    @Test func `forms and SQL are the same whichever ledger is named`() throws {
        let process = try LedgerProcess()
        let compared = try process.shell(
            """
            for words in error event "event fix_recorded" drop decision column-map --sql; do
                ledger schema $words > plain
                ledger schema $words --ledger "it's" | cmp - plain && echo same
            done
            """
        )
        #expect(compared.text == String(repeating: "same\n", count: 7), "\(compared)")
    }

    @Test func `a ledger whose name begins with a hyphen is no option`() throws {
        let process = try LedgerProcess()
        let said = try process.shell("exec 2>&1; ledger trips --ledger=-car")
        let hint = try #require(Self.commands(in: said.text).first, "\(said.text)")
        #expect(hint == "ledger --ledger=-car init")
        let made = try process.shell("exec 2>&1; \(hint)")
        #expect(made.exitCode == 0 && made.text.contains("`ledger --ledger=-car "), "\(made.text)")
    }

    @Test func `ledger alone says once which ledger its commands are for`() throws {
        let process = try LedgerProcess()
        _ = try process.run("init", "--ledger", "other")
        let page = try process.run("--ledger", "other")
        #expect(page.text.contains("\nEvery day, with --ledger other:\n"), "\(page.text)")
        #expect(page.text.contains("\n  ledger trips "), "\(page.text)")
        #expect(Self.commands(in: page.text).contains("ledger --ledger other go"), "\(page.text)")
    }

    @Test func `a hint about what a group has by a name is about that group`() throws {
        let process = try LedgerProcess()
        let said = try process.shell(
            """
            exec 2>&1
            ledger init --ledger fleet > /dev/null
            ledger vehicle register van --ledger fleet --group 17 > /dev/null
            ledger odometer van 1000 --at 2025-03-03T09:00Z --ledger fleet --group 17 > /dev/null
            ledger odometer van 900 --at 2025-03-04T09:00Z --ledger fleet --group 17 > /dev/null
            """
        )
        let undo = Self.commands(in: said.text).filter { $0.contains("odometer") }
        #expect(!undo.isEmpty, "\(said.text)")
        for command in undo {
            #expect(
                command.hasPrefix("ledger --ledger fleet odometer --group 17 van "),
                "\(command)"
            )
        }
    }
}
