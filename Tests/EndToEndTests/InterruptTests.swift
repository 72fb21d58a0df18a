import Foundation
import TestSupport
import Testing

/// Ctrl-C while events are appended: what was acknowledged stays, and the same command goes on.
@Suite struct InterruptTests {
    @Test func `what was answered before Ctrl-C stays, and the same input goes on`() throws {
        let book = try LedgerProcess()
        #expect(try book.run("init").exitCode == 0)
        let lines = try book.run("simulate", "tunnel").lines
        let append = try FollowedProcess(book.process(["append", "--receipts"]))
        for line in lines.prefix(3) { try append.type(line + "\n") }
        for _ in 0..<3 { #expect(append.nextLine()?.contains("appended") == true) }
        let ending = append.end(with: SIGINT)
        #expect(ending.exitCode == 128 + SIGINT)
        #expect(
            ending.errors == """
                ledger: interrupted. What was stored stays; the same command again goes on, and
                counts it as duplicates.

                """
        )
        let input = Data((lines.joined(separator: "\n") + "\n").utf8)
        let again = try book.run(["append"], input: input)
        #expect(again.exitCode == 0)
        #expect(again.text.contains(#""appended":\#(lines.count - 3),"duplicate":3,"#))
        #expect(try book.run("verify").exitCode == 0)
    }
}
