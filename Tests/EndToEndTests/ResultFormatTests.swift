import Foundation
import TestSupport
import Testing

/// A command's help and its errors name the formats that it takes, and no others.
@Suite struct ResultFormatTests {
    private static let all = ["text", "json", "csv", "ids"]

    private static let ledger = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            """
    )

    /// Commands, each with how many of the formats it takes, in their order.
    private static let commands = [
        ("status", 2), ("doctor", 2), ("trip last", 2), ("rules show", 2), ("token show a", 2),
        ("log", 3), ("totals", 3), ("history --all", 3), ("changes --since 0", 3), ("refused", 3),
        ("explain last", 3), ("rates list", 4), ("rates check", 3), ("inferences", 3),
        ("routine suggest last", 3), ("odometer van --list", 3), ("simulate --list", 3),
        ("schema", 3), ("settings", 4), ("inbox --list", 4), ("vehicle list", 4),
        ("routine list", 4), ("field list", 4), ("expense list", 4), ("token list", 4),
        ("report issued", 4),
    ]

    /// Law: what is printed as ids is the first column of CSV.
    @Test(arguments: [
        "place list", "rates list", "vehicle list", "field list", "routine list", "expense list",
        "token list", "report issued", "trips",
    ])
    func `ids are the first column`(command: String) throws {
        let process = try Self.ledger.copy()
        let session = """
            ledger place save Home --lat 51.92 --lon 4.36 > /dev/null
            ledger vehicle register van > /dev/null
            ledger \(command) --format ids > ids; echo $?
            ledger \(command) --format csv | sed 1d | cut -d, -f1 | cmp - ids; echo $?
            """
        #expect(try process.shell(session).lines == ["0", "0"])
        if command == "place list" {
            #expect(try process.run("place", "list", "--format", "ids").lines == ["Home"])
        }
    }

    @Test(arguments: commands)
    func `help, errors and the command agree on the formats`(command: String, count: Int) throws {
        let process = try Self.ledger.copy()
        _ = try process.shell("ledger token new a; ledger vehicle register van")
        let words = command.split(separator: " ").map(String.init)
        let expected = Array(Self.all.prefix(count))

        let help = try process.run(Array(words.prefix { !$0.hasPrefix("--") }) + ["--help"]).text
        let line = help.split { $0.isWhitespace }.joined(separator: " ")
        let values = try #require(line.firstMatch(of: /--format <format> [^(]*\(values: ([^;]+);/))
        #expect(values.1.split(separator: ", ").map(String.init) == expected, "\(help)")

        for format in Self.all {
            let outcome = try process.run(words + ["--format", format])
            guard !expected.contains(format) else {
                #expect(outcome.exitCode == 0, "\(format): \(outcome.errors)")
                continue
            }
            #expect(outcome.exitCode == 64, "\(format): \(outcome.text)")
            let offer = try #require(
                outcome.errors.firstMatch(of: /Please provide one of ([^.]+)\./),
                "\(outcome.errors)"
            )
            #expect(offer.1.matches(of: /'([a-z]+)'/).map { String($0.1) } == expected)
        }
    }
}
