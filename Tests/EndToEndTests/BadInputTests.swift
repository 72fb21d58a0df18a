import Foundation
import TestSupport
import Testing

/// Bad input is an answer with a line number and a code: never a crash, never silence, and never
/// the end of the good lines around it.
@Suite struct BadInputTests {
    private static let before = BadLine.line(#""lat":51.927,"lon":4.362"#, time: "1740987000000")
    private static let after = BadLine.line(#""lat":51.93,"lon":4.39"#, time: "1740987120000")

    private static let refused = BadLine.table.filter { $0.code != nil }

    /// What `append --receipts` says of all bad lines in one input, with good ones around each, and
    /// the entries that the log then has.
    private static let answered = Result {
        let ledger = try empty.copy()
        var input = Data()
        for (index, bad) in refused.enumerated() {
            input += Data((good(index) + "\n").utf8) + bad.bytes
        }
        input += Data((good(refused.count) + "\n").utf8)
        let outcome = try ledger.run(["append", "--receipts"], input: input)
        let stored = try ledger.run("log", "--type", "fix_recorded", "--format", "json").lines
        return (outcome: outcome, stored: stored)
    }

    private static func good(_ index: Int) -> String {
        BadLine.line(#""lat":51.927,"lon":4.362"#, time: "\(1_740_987_000_000 + 1_000 * index)")
    }

    @Test func `of an input with all bad lines the good ones are stored`() throws {
        let (outcome, stored) = try Self.answered.get()
        let hint = "phone: \(stored.count) fixes but no trip: "
        #expect(outcome.errors.hasPrefix(hint), "\(outcome.errors)")
        #expect(outcome.exitCode == 1)
        #expect(outcome.lines.count == 2 * Self.refused.count + 2)
        #expect(stored.count == Self.refused.count + 1)
    }

    @Test(arguments: refused)
    func `a bad line is answered with its number and a code`(_ bad: BadLine) throws {
        let lines = try Self.answered.get().outcome.lines
        let index = try #require(Self.refused.firstIndex { $0.name == bad.name })
        try #require(lines.count > 2 * index + 2)
        for place in 2 * index...2 * index + 2 {
            let answer = try Self.object(lines[place])
            let isBad = place == 2 * index + 1
            #expect(answer["line"] as? Int == place + 1)
            #expect(answer["receipt"] as? String == (isBad ? "rejected" : "appended"))
            guard isBad else { continue }
            #expect(answer["code"] as? String == bad.code)
            #expect((answer["message"] as? String)?.isEmpty == false)
        }
    }

    @Test(arguments: Seeds.sample(of: refused) + BadLine.table.filter { $0.code == nil })
    func `a bad line is answered and the good ones around it are stored`(_ bad: BadLine) throws {
        let ledger = try Self.empty.copy()
        let input = Data((Self.before + "\n").utf8) + bad.bytes + Data((Self.after + "\n").utf8)
        let outcome = try ledger.run("append", "--receipts", input: input)
        // Only a member of another program's is worth a word beside the answers.
        let isNoted = bad.name == "unknown field"
        #expect(outcome.errors.isEmpty != isNoted, "\(outcome.errors)")
        #expect(outcome.exitCode == (bad.code == nil ? 0 : 1))
        try #require(outcome.lines.count == 4)
        let middle = try Self.object(outcome.lines[1])
        #expect(middle["line"] as? Int == 2)
        #expect(middle["receipt"] as? String == (bad.code == nil ? "appended" : "rejected"))
        #expect(middle["code"] as? String == bad.code)
        if bad.code != nil { #expect((middle["message"] as? String)?.isEmpty == false) }
        let last = try Self.object(outcome.lines[2])
        #expect(last["line"] as? Int == 3)
        #expect(last["receipt"] as? String == "appended")
        let stored = try ledger.run("log", "--after", "1", "--format", "json").lines
        #expect(stored.count == (bad.code == nil ? 3 : 2))
        #expect(stored.first?.contains(#""occurred_at":"2025-03-03T07:30:00.000Z""#) == true)
        #expect(stored.last?.contains(#""occurred_at":"2025-03-03T07:32:00.000Z""#) == true)
    }

    private static let empty = LedgerProcess.Fixture(shell: "ledger init")

    /// Input that is odd as a whole, the lines it has, those that are blank, and those that are
    /// events.
    @Test(arguments: [
        ("", 0, 0, 0), ("\n", 1, 1, 0), ("\n \t\n\r\n", 3, 3, 0), (before, 1, 0, 1),
        (before + "\n" + after, 2, 0, 2), (before + "\r\n" + after + "\r\n", 2, 0, 2),
        (before + "\n\n" + after, 3, 1, 2), (before + "\n{", 2, 0, 1),
        (before + "\r" + after, 1, 0, 0),
    ])
    func `input is cut into lines`(input: String, read: Int, blank: Int, appended: Int) throws {
        let ledger = try Self.empty.copy()
        let outcome = try ledger.run("append", input: Data(input.utf8))
        let summary = try Self.object(try #require(outcome.lines.last))
        #expect(summary["read"] as? Int == read)
        #expect(summary["appended"] as? Int == appended)
        #expect(summary["blank"] as? Int == (blank == 0 ? nil : blank))
        #expect(summary["rejected"] as? Int == read - blank - appended)
        #expect(outcome.exitCode == (read == blank + appended ? 0 : 1))
    }

    @Test func `bytes that are no text are refused as a whole`() throws {
        let ledger = try Self.empty.copy()
        let outcome = try ledger.run("append", input: Data([0]))
        #expect(outcome.exitCode == 65)
        #expect(outcome.errors.contains("this is no text"))
        let summary = try Self.object(try #require(outcome.lines.last))
        #expect(summary["appended"] as? Int == 0)
    }

    private static func object(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }
}
