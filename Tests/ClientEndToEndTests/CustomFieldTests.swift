import Foundation
import TestSupport
import Testing

/// Every door takes or refuses the same values of a custom field.
@Suite struct CustomFieldTests {
    /// Values that a field of a type takes, with what is stored, and values that it refuses.
    struct Row: Sendable, CustomTestStringConvertible {
        var type: String
        var options: [String] = []
        var taken: [String: String]
        var refused: [String]

        var testDescription: String { type }
    }

    static let table = [
        Row(
            type: "text",
            taken: ["yes": #""yes""#, "12.5": #""12.5""#, "a=b": #""a=b""#],
            refused: [""]
        ),
        Row(
            type: "number",
            taken: ["12.50": "12.5", "-3": "-3", "1e2": "100", "12,5": "12.5"],
            refused: ["1,234", "twelve", "0x10", "1_000", ""]
        ),
        Row(
            type: "boolean",
            taken: ["yes": "true", "TRUE": "true", "no": "false", "false": "false"],
            refused: ["1", "on", "maybe", ""]
        ),
        Row(
            type: "date",
            taken: [
                "2024-02-29": #""2024-02-29""#, "29.2.2024": #""2024-02-29""#,
                "2024-2-9": #""2024-02-09""#,
            ],
            refused: ["2023-02-29", "29.2.", "29/2/2024"]
        ),
        Row(
            type: "duration",
            taken: ["PT1H30M": #""PT1H30M""#, "P2D": #""P2D""#],
            refused: ["1:30", "PT1.5H", "P1Y", "90"]
        ),
        Row(
            type: "url",
            taken: ["https://example.org/a?b=c": #""https://example.org/a?b=c""#],
            refused: ["example.org", "ftp://example.org", "https:// a"]
        ),
        Row(
            type: "email",
            taken: ["eva@example.org": #""eva@example.org""#],
            refused: ["eva", "eva@example", "eva@@example.org"]
        ),
        Row(
            type: "select",
            options: ["red", "dark green"],
            taken: ["red": #""red""#, "dark green": #""dark green""#],
            refused: ["Red", "blue", "1"]
        ),
    ]

    /// The commands that take `--field`, without it.
    static let doors = [
        ["edit", "last"],
        [
            "report-trip", "--from", "2025-03-13T09:00:00+01:00", "--to",
            "2025-03-13T09:30:00+01:00", "--km", "21.5",
        ],
    ]

    @Test(arguments: table, doors)
    func `a field takes what its type says, and nothing is appended of anything else`(
        row: Row,
        door: [String]
    ) throws {
        let ledger = try Self.ledger(with: row)
        for (text, stored) in row.taken {
            let outcome = try ledger.run(door + ["--field", "key=\(text)"])
            #expect(outcome.exitCode == 0, "\(text): \(outcome.errors)")
            let last = try #require(try ledger.run("log", "--format", "json").lines.last)
            #expect(last.contains(#""fields":{"key":\#(stored)}"#), "\(text): \(last)")
        }
        let size = try ledger.run("log").lines.count
        for text in row.refused {
            let outcome = try ledger.run(door + ["--field", "key=\(text)"])
            #expect(outcome.exitCode == 1, "\(text)")
            #expect(outcome.errors.hasPrefix("ledger: error: "), "\(text)")
        }
        #expect(try ledger.run(door + ["--field", "other=\(row.type)"]).exitCode == 1)
        #expect(try ledger.run("log").lines.count == size)
    }

    private static func ledger(with row: Row) throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        _ = try ledger.shell("ledger simulate tunnel | ledger append")
        let options = row.options.flatMap { ["--option", $0] }
        let defined = try ledger.run(["field", "define", "key", "--type", row.type] + options)
        try #require(defined.exitCode == 0, "\(defined.errors)")
        return ledger
    }
}
