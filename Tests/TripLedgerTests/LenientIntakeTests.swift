import LedgerTestSupport
import Testing
import TripEvents

@testable import TripLedger

/// Lines that are no strict events, and lose nothing by being taken.
@Suite struct LenientIntakeTests {
    private let broken = #"{"type":"stop_pressed","source":"phone"}"#

    /// A line that differs from every other in its time.
    private func line(_ second: Int, id: String? = nil) -> String {
        let time = RFC3339.text(Timestamp(milliseconds: 1_700_000_000_000 + Int64(second) * 1_000))
        let name = id.map { #","id":"\#($0)""# } ?? ""
        return #"{"type":"go_pressed","source":"phone","occurred_at":"\#(time)"\#(name)}"#
    }

    @Test func `blank lines are skipped and counted, and the lines after them keep their numbers`()
        throws
    {
        let book = try TemporaryLedger()
        let content = ["", line(1), "\r", " \t", broken, "", "", line(1)].joined(separator: "\n")
        let collected = try Intake.collect([content, "\n\n" + line(2)], into: book)
        #expect(collected.receipts.map(\.line) == [2, 5, 8, 3])
        #expect(collected.summary.read == 11)
        #expect(collected.summary.blank == 7)
        #expect(collected.summary.appended == 2)
        var options = IntakeOptions()
        options.isAllOrNothing = true
        let whole = try Intake.collect(["\n" + line(3) + "\n\n"], into: book, options: options)
        #expect(whole.summary.appended == 1)
        #expect(whole.summary.isComplete)
    }

    @Test func `what is kept as extra is told, and so is what was perhaps meant`() throws {
        let book = try TemporaryLedger()
        let more = { (second: Int, members: String) in
            String(self.line(second).dropLast()) + "," + members + "}\n"
        }
        let content =
            line(1) + "\n" + broken + "\n" + more(2, #""battery":0.5,"vehicel":"van""#)
            + more(2, #""battery":0.5,"vehicel":"van""#) + more(3, #""vehicle":"van","vehicel":1"#)
        let collected = try Intake.collect([content], into: book)
        #expect(
            collected.receipts.map(\.extra.names)
                == [[], [], ["battery", "vehicel"], ["battery", "vehicel"], ["vehicel"]]
        )
        let misspelling = KeptExtra.Misspelling(name: "vehicel", meant: "vehicle")
        // The last line has a vehicle.
        #expect(
            collected.receipts.map(\.extra.misspellings)
                == [[], [], [misspelling], [misspelling], []]
        )
        #expect(collected.summary.misspellings == [misspelling: 2])
        #expect(collected.summary.misspelt == 2)
        #expect(
            collected.summary.misspeltNote?.text
                == "2 lines have members that their type does not have: vehicel (did you mean "
                + "vehicle?)"
        )
        #expect(collected.summary.withExtra == 3)
        #expect(collected.summary.extraNames == ["battery": 2, "vehicel": 3])
        #expect(collected.receipts[3].receipt == .duplicate(of: 3))

        let strict = IntakeOptions(isStrict: true)
        let refused = try Intake.collect([content], into: book, options: strict)
        #expect(refused.summary.rejected == 4)
        #expect(refused.summary.duplicate == 1)
    }

    @Test(arguments: [
        (#","battery":0.6"#, "extra"), ("", "extra"),
        (#","battery":0.5,"sequence":1"#, "sequence"),
    ])
    func `an id with other members of the sender's is a conflict`(
        members: String,
        field: String
    ) throws {
        let book = try TemporaryLedger()
        let first = String(line(1, id: "a").dropLast())
        let content = [first + #","battery":0.5}"#, first + members + "}"].joined(separator: "\n")
        let receipts = try Intake.collect([content], into: book).receipts
        #expect(
            receipts.map(\.receipt) == [
                .appended(position: 2), .conflict(with: 2, fields: [field]),
            ]
        )
    }

    @Test func `what differs below the millisecond, or in what is extra, is another event`() throws
    {
        let book = try TemporaryLedger()
        let finer = line(1).replacing(".000Z", with: ".000001Z")
        let extra = String(line(1).dropLast()) + #","battery":0.5}"#
        let content = [line(1), finer, extra, line(1), finer, extra].joined(separator: "\n")
        let collected = try Intake.collect([content], into: book)
        #expect(collected.summary.appended == 3)
        #expect(collected.summary.duplicate == 3)
        try expectSound(book.ledger)
    }
}
