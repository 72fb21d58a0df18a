import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// Every door fills the same batch, so that the same events get the same answers.
@Suite struct OneBatchLawTests {
    @Test(arguments: Seeds.fresh(6), [false, true])
    func `values, lines and deliveries of the same events get the same answers`(
        seed: UInt64,
        isAllOrNothing: Bool
    ) throws {
        var random = SplitMix64(seed: seed)
        // The same name for another event, and the same event again.
        let events = (0..<20)
            .map { _ in
                Self.press(
                    second: Int64.random(in: 0..<4, using: &random),
                    id: "\(Int.random(in: 0..<6, using: &random))"
                )
            }
        let texts = events.map(\.json)
        let text = texts.joined(separator: "\n")

        let values = try TemporaryLedger()
        let ofValues = try values.ledger.append(
            events,
            now: values.now,
            isAllOrNothing: isAllOrNothing
        )
        let lines = try TemporaryLedger()
        let ofLines = try Intake.collect(
            [text],
            into: lines,
            options: IntakeOptions(isAllOrNothing: isAllOrNothing)
        )
        let delivered = try TemporaryLedger()
        var delivery = Self.delivery(texts, in: Array(text.utf8))
        delivery.isAllOrNothing = isAllOrNothing
        let ofDelivery = try delivered.ledger.append([delivery], now: delivered.now)[0].get()

        let expected = ofLines.receipts.map { Self.answer($0.receipt) }
        #expect(ofValues.map(Self.answer) == expected, "seed \(seed)")
        #expect(ofDelivery.receipts.map { Self.answer($0.receipt) } == expected, "seed \(seed)")
        #expect(ofDelivery.receipts.allSatisfy { $0.file.isEmpty })
        let size = try lines.ledger.head().size
        #expect(try values.ledger.head().size == size, "seed \(seed)")
        #expect(try delivered.ledger.head().size == size, "seed \(seed)")
        if isAllOrNothing, ofLines.summary.rejected > 0 {
            #expect(!ofValues.contains { $0.isStored }, "seed \(seed)")
        }
    }

    @Test func `a value or item with the id of an earlier one is told which one`() throws {
        let events = [Self.press(second: 1, id: "a"), Self.press(second: 2, id: "a")]
        let texts = events.map(\.json)
        let book = try TemporaryLedger()
        let receipts = try book.ledger.append(events, now: book.now, isAllOrNothing: true)
        var delivery = Self.delivery(texts, in: Array(texts.joined(separator: "\n").utf8))
        delivery.isAllOrNothing = true
        let answer = try book.ledger.append([delivery], now: book.now)[0].get()
        #expect(
            Self.sentences(receipts) == ["It has the id of event 1 and differs in occurred_at."]
        )
        #expect(
            Self.sentences(answer.receipts.map(\.receipt)) == [
                "It has the id of item 1 and differs in occurred_at."
            ]
        )
    }

    private static func press(second: Int64, id: String) -> TripEvent {
        TripEvent(
            source: "phone",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000 + second * 1_000),
            id: id,
            body: .goPressed(GoPressed())
        )
    }

    private static func delivery(_ lines: [String], in bytes: [UInt8]) -> Delivery {
        var start = 0
        let items = lines.map { line in
            defer { start += line.utf8.count + 1 }
            return Delivery.Item(.success(start..<start + line.utf8.count))
        }
        return Delivery(items, in: bytes)
    }

    /// The answer without its sentence, which says where other events stand.
    private static func answer(_ receipt: Receipt) -> String {
        if case .rejected(let rejection) = receipt { return "\(rejection.code)" }
        return "\(receipt)"
    }

    private static func sentences(_ receipts: [Receipt]) -> [String] {
        receipts.compactMap { receipt in
            if case .rejected(let rejection) = receipt { return rejection.sentence }
            return nil
        }
    }
}
