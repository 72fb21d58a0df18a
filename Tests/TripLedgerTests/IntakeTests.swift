import DriveSimulation
import Foundation
import LedgerTestSupport
import Platform
import SystemPackage
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

@Suite struct IntakeTests {
    private let broken = #"{"type":"stop_pressed","source":"phone"}"#

    /// A line that differs from every other in its time.
    private func line(_ second: Int, id: String? = nil) -> String {
        let time = RFC3339.text(Timestamp(milliseconds: 1_700_000_000_000 + Int64(second) * 1_000))
        let name = id.map { #","id":"\#($0)""# } ?? ""
        return #"{"type":"go_pressed","source":"phone","occurred_at":"\#(time)"\#(name)}"#
    }

    private func lines(_ seconds: Range<Int>) -> String {
        seconds.map { line($0) + "\n" }.joined()
    }

    @Test func `a file goes in by groups of at most ten thousand events`() throws {
        let book = try TemporaryLedger()
        let collected = try Intake.collect([lines(0..<25_000)], into: book)
        #expect(collected.commits == [10_000, 20_000, 25_000])
        #expect(collected.summary.appended == 25_000)
        #expect(collected.summary.head == (try book.ledger.head()))
        try expectSound(book.ledger)
    }

    @Test func `senders leave the last numbers of sources to the owner of the ledger`() throws {
        let book = try TemporaryLedger()
        #expect(IntakeOptions().mostSources == 999_000)
        var options = IntakeOptions()
        options.mostSources = 3
        let content = (0..<3).map { line($0).replacing("phone", with: "junk \($0)") + "\n" }
        _ = try Intake.collect([content.joined()], into: book, options: options)
        let other = line(4).replacing("phone", with: "junk 4")
        #expect(throws: LedgerError.self) {
            try Intake.collect([other], into: book, options: options)
        }
        let body = EventBody.stopPressed(StopPressed())
        let press = TripEvent(source: "manual", occurredAt: book.now, body: body)
        #expect(throws: LedgerError.self) {
            try book.ledger.append([press], now: book.now, mostSources: 3)
        }
        var field = FieldEdit()
        field.valueType = .text
        let decision = LedgerDecision.defineField("project", field)
        #expect(try book.ledger.decide(decision, now: EventTime(book.now)).receipt.isStored)
        try expectSound(book.ledger)
    }

    @Test func `sources keep their events while one group is stored and the next is read`() throws {
        let book = try TemporaryLedger()
        let content = (0..<35_000)
            .map { second in
                line(second).replacing("phone", with: second % 7 == 0 ? "watch" : "phone") + "\n"
            }
        let collected = try Intake.collect([content.joined()], into: book)
        #expect(collected.summary.appended == 35_000)
        #expect(collected.receipts.map(\.line) == Array(1...35_000))
        var watches = 0
        try book.ledger.scanLog(from: 1) { stored in
            guard case .goPressed = stored.event.body else { return true }
            let isOfWatch = stored.event.source == "watch"
            let second = (stored.event.occurredAt.milliseconds - 1_700_000_000_000) / 1_000
            #expect(isOfWatch == (second % 7 == 0))
            watches += isOfWatch ? 1 : 0
            return true
        }
        #expect(watches == 5_000)
        try expectSound(book.ledger)
    }

    @Test func `lines are answered in order, across groups that are stored and read at a time`()
        throws
    {
        let book = try TemporaryLedger()
        var random = SplitMix64(seed: 7)
        var expected: [String] = []
        var content = ""
        var position = 2
        for second in 0..<30_000 {
            if random.next() % 1_000 == 0 {
                content += broken + "\n"
                expected.append("rejected")
            } else {
                content += line(second) + "\n"
                expected.append("appended \(position)")
                position += 1
            }
        }
        let collected = try Intake.collect([content], into: book)
        let answers = collected.receipts.map { answer in
            switch answer.receipt {
            case .appended(let position): "appended \(position)"
            case .rejected: "rejected"
            default: "other"
            }
        }
        #expect(answers == expected)
        #expect(collected.receipts.map(\.line) == Array(1...30_000))
        #expect(expected.contains("rejected"))
    }

    @Test func `who does not ask for every answer is told about problems, where they stand`()
        throws
    {
        let book = try TemporaryLedger()
        let content = [line(1), broken, line(2, id: "a"), line(1), "", line(3, id: "a")]
        let options = IntakeOptions(answersEveryLine: false)
        let collected = try Intake.collect(
            [content.joined(separator: "\n"), broken],
            into: book,
            options: options
        )
        #expect(collected.receipts.map { "\($0.file):\($0.line)" } == ["0:2", "0:6", "1:1"])
        #expect(collected.summary.appended == 2)
        #expect(collected.summary.duplicate == 1)
        #expect(collected.summary.read == 7)
    }

    @Test func `an id that is taken in the same refused batch is said to be where it was read`()
        throws
    {
        let book = try TemporaryLedger()
        let content = [line(1), line(2, id: "a"), line(3), line(4, id: "a")]
        let receipts =
            try Intake.collect(
                [line(0), content.joined(separator: "\n")],
                into: book,
                options: IntakeOptions(isAllOrNothing: true)
            )
            .receipts
        guard case .rejected(let rejection) = receipts[4].receipt else {
            Issue.record("the line was not refused")
            return
        }
        #expect(rejection.sentence == "It has the id of 1:2 and differs in occurred_at.")
    }

    @Test func `what another writer did to the expected size ends the intake between groups`()
        throws
    {
        let book = try TemporaryLedger()
        let directory = try TemporaryDirectory()
        let path = directory.path("events")
        try Data(lines(0..<35_000).utf8).write(to: URL(fileURLWithPath: path))
        var answered = 0
        var intake = try Intake(
            into: book.ledger,
            options: IntakeOptions(expectedSize: 1),
            now: { book.now },
            onReceipt: { _ in },
            onProgress: { progress in
                answered = progress.lines
                guard progress.lines == 10_000 else { return }
                let event = TripEvent(
                    source: "other",
                    occurredAt: book.now,
                    body: .goPressed(GoPressed())
                )
                _ = try book.ledger.append([event], now: book.now)
            }
        )
        let stream = try InputStream(at: FilePath(path))
        let error = #expect(throws: LedgerError.self) {
            try intake.take(stream, named: "events")
        }
        #expect(error?.code == .sizeMoved)
        // The group that was on its way when the other writer came is not stored, nor is one after.
        #expect(answered == 10_000)
        #expect(intake.summary.appended == 10_000)
        #expect(try book.ledger.head().size == 10_004)
    }

    @Test func `every line is answered, in order, with its number and position`() throws {
        let book = try TemporaryLedger()
        let content = [line(1), broken, line(2), line(1), "", line(3)].joined(separator: "\n")
        let receipts = try Intake.collect([content], into: book).receipts
        #expect(receipts.map(\.line) == [1, 2, 3, 4, 6])
        let codes = receipts.map { answer -> String in
            switch answer.receipt {
            case .appended(let position): "appended \(position)"
            case .duplicate(let position): "duplicate \(position)"
            case .conflict(let position, _): "conflict \(position)"
            case .rejected(let rejection): rejection.code.rawValue
            case .heldBack: "held back"
            case .passedOver: "passed over"
            }
        }
        // Position 0 is ledger_created, 1 is source_registered.
        let expected = [
            "appended 2", "missing_field", "appended 3", "duplicate 2", "appended 4",
        ]
        #expect(codes == expected)
        try expectSound(book.ledger)
    }

    @Test func `another event under a known id is a conflict that names the fields`() throws {
        let book = try TemporaryLedger()
        let content = [line(1, id: "a"), line(2, id: "a")].joined(separator: "\n")
        let receipts = try Intake.collect([content], into: book).receipts
        let expected: [Receipt] = [
            .appended(position: 2), .conflict(with: 2, fields: ["occurred_at"]),
        ]
        #expect(receipts.map(\.receipt) == expected)
    }

    @Test(arguments: [1, 3, 4_096, 1 << 20, (1 << 20) + 1, 3 << 20])
    func `an overlong line is refused, and what follows is not`(excessByteCount: Int) throws {
        let book = try TemporaryLedger()
        let overlong =
            String(repeating: "x", count: LineBuffer.maximumLineByteCount)
            + String(repeating: "y", count: excessByteCount)
        let content = [line(1), overlong, line(2)].joined(separator: "\n") + "\n"
        let collected = try Intake.collect([content], into: book)
        #expect(collected.receipts.map(\.line) == [1, 2, 3])
        #expect(collected.summary.appended == 2)
        guard case .rejected(let rejection) = collected.receipts[1].receipt else {
            Issue.record("the line was not refused")
            return
        }
        #expect(rejection.code == .lineTooLong)
    }

    @Test func `the longest line is read whole, and one at the end without a line feed`() throws {
        let book = try TemporaryLedger()
        let padding = LineBuffer.maximumLineByteCount - line(1).utf8.count
        let longest = line(1) + String(repeating: " ", count: padding)
        let collected = try Intake.collect([longest + "\n" + line(2)], into: book)
        #expect(collected.summary.appended == 2)
    }

    @Test func `all or nothing holds across files`() throws {
        let book = try TemporaryLedger()
        let before = try book.ledger.head()
        let options = IntakeOptions(isAllOrNothing: true)
        let refused = try Intake.collect(
            [lines(0..<12_000), line(20_000) + "\n" + broken],
            into: book,
            options: options
        )
        #expect(refused.summary.heldBack == 12_001)
        #expect(refused.summary.rejected == 1)
        #expect(refused.summary.appended == 0)
        #expect(try book.ledger.head() == before)

        let taken = try Intake.collect(
            [lines(0..<12_000), line(20_000)],
            into: book,
            options: options
        )
        #expect(taken.commits == [12_001])
        #expect(taken.summary.appended == 12_001)
        try expectSound(book.ledger)
    }

    @Test func `all or nothing lets duplicates through and stops at a conflict`() throws {
        let book = try TemporaryLedger()
        _ = try Intake.collect([line(1, id: "a")], into: book)
        let options = IntakeOptions(isAllOrNothing: true)
        let repeated = try Intake.collect(
            [line(1, id: "a") + "\n" + line(2)],
            into: book,
            options: options
        )
        #expect(repeated.receipts.map(\.receipt) == [.duplicate(of: 2), .appended(position: 3)])
        let clashing = try Intake.collect(
            [line(3, id: "a") + "\n" + line(4)],
            into: book,
            options: options
        )
        let expected: [Receipt] = [.conflict(with: 2, fields: ["occurred_at"]), .heldBack]
        #expect(clashing.receipts.map(\.receipt) == expected)
        #expect(try book.ledger.head().size == 4)
    }

    @Test func `the expected size holds for the first group, and for each one after it`() throws {
        let book = try TemporaryLedger()
        let options = IntakeOptions(expectedSize: 1)
        let taken = try Intake.collect([lines(0..<12_000)], into: book, options: options)
        #expect(taken.summary.appended == 12_000)

        let before = try book.ledger.head()
        let error = #expect(throws: LedgerError.self) {
            try Intake.collect([line(20_000)], into: book, options: options)
        }
        #expect(error?.code == .sizeMoved)
        #expect(try book.ledger.head() == before)
    }

    @Test func `events that name no source get the one that was given`() throws {
        let book = try TemporaryLedger()
        let content = line(1).replacing(#""source":"phone","#, with: "")
        let refused = try Intake.collect([content], into: book)
        #expect(refused.summary.rejected == 1)
        let options = IntakeOptions(defaultSource: "phone")
        #expect(try Intake.collect([content], into: book, options: options).summary.appended == 1)
        #expect(try Intake.collect([line(1)], into: book).summary.duplicate == 1)
    }

    @Test func `what a pipe holds is stored before the sender says more`() throws {
        let book = try TemporaryLedger()
        let pipe = try FileDescriptor.pipe()
        try pipe.writeEnd.writeAll((line(1) + "\n" + line(2) + "\n{\"type\":").utf8)
        var said = 0
        var intake = try Intake(
            into: book.ledger,
            options: IntakeOptions(),
            now: { book.now },
            onReceipt: { _ in },
            onProgress: { progress in
                said += 1
                // Only now does the sender go on, so that waiting for it would never end.
                if said == 1 {
                    #expect(progress.lines == 2)
                    try? pipe.writeEnd.close()
                }
            }
        )
        let stream = InputStream(descriptor: pipe.readEnd, isOwned: true)
        try intake.take(stream, named: "-")
        #expect(intake.summary.appended == 2)
        #expect(intake.summary.rejected == 1)
    }
}
