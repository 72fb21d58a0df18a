import Foundation
import TestSupport
import Testing

/// `append` reads its plainest arguments by itself, and leaves the others to the argument parser.
@Suite struct AppendArgumentsTests {
    /// Arguments of all kinds; those with `--format=text` in one word are left to the parser.
    @Test(arguments: [
        "append", "append drive.jsonl", "append drive.jsonl nothing.jsonl", "append append",
        "append help", "append - drive.jsonl", "append -- drive.jsonl", "append ''",
        "append drive.jsonl --ledger book", "--ledger book append drive.jsonl",
        "--ledger=book append drive.jsonl", "--ledger nowhere append drive.jsonl",
        "--ledger append append drive.jsonl", "--ledger nowhere append --ledger book drive.jsonl",
        "append --ledger '' drive.jsonl", "append drive.jsonl --ledger", "append --receipts",
        "append --receipts drive.jsonl --receipts", "append --all-or-nothing drive.jsonl bad.jsonl",
        "append --receipts bad.jsonl", "append bad.jsonl --source phone", "append --source",
        "append --strict bad.jsonl", "append --strict drive.jsonl --strict",
        "append --source '' bad.jsonl", "append --source --receipts bad.jsonl",
        "append --source car --source phone bad.jsonl", "append --expect-size 1 drive.jsonl",
        "append --expect-size 2 drive.jsonl", "append --expect-size +1 drive.jsonl",
        "append --expect-size -1 drive.jsonl", "append --expect-size one drive.jsonl",
        "append --expect-size 2 --expect-size 1 drive.jsonl", "append --help", "append --version",
        "append --nonsense drive.jsonl", "append -r drive.jsonl",
        "append --trips drive.jsonl", "append --trips drive.jsonl --trips",
        "append drive.jsonl --format csv",
        "append --format xml drive.jsonl", "append --format",
    ])
    func `append does the same with either reader of its arguments`(arguments: String) throws {
        let plain = try outcome(of: "ledger --format text \(arguments)")
        let parsed = try outcome(of: "ledger --format=text \(arguments)")
        #expect(plain == parsed)
    }

    @Test(arguments: ["append drive.jsonl", "append --trips drive.jsonl", "append --receipts"])
    func `a pipe gets JSON, with either reader of its arguments`(arguments: String) throws {
        let unsaid = try outcome(of: "ledger \(arguments)")
        for format in ["--format json", "--format=json"] {
            #expect(try outcome(of: "ledger \(format) \(arguments)") == unsaid)
        }
        #expect(unsaid[0].contains(#""read":"#))
    }

    /// Runs a command beside a new ledger; returns all that can be seen of it.
    private func outcome(of command: String) throws -> [String] {
        let ledger = try Self.fixture.copy()
        let outcome = try ledger.shell("\(command) < drive.jsonl")
        let size = try ledger.append(Data()).size
        // Roots depend on nonces, which are random.
        let text = outcome.text.replacing(/"root":"[0-9a-f]{64}"/, with: "")
        return [text, outcome.errors, "\(outcome.exitCode)", "\(size)"]
    }

    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init
            ledger simulate tunnel > drive.jsonl
            echo '{"type":"go_pressed","occurred_at":"2025-03-03T08:30:00+01:00"}' > bad.jsonl
            """
    )
}
