import Tables
import Testing
import TripEvents
import TripLedger

@testable import LedgerRows

/// The answers to events of a request.
@Suite("Answers to events")
struct ReceiptRowsTests {
    @Test("are what the columns would write, whatever became of the event")
    func areThoseOfTheColumns() throws {
        var extra = KeptExtra()
        extra.names = ["mood"]
        let receipts: [Receipt] = [
            .appended(position: 0), .appended(position: 123_456_789_012),
            .duplicate(of: 7), .conflict(with: 8, fields: ["lat", "lon"]),
            .rejected(Rejection(.invalidTime, field: "occurred_at", sentence: "It is \"late\".")),
            .heldBack, .passedOver,
        ]
        let columns = LineReceipt.columns.without(["file"])
        for receipt in receipts {
            for kept in [KeptExtra(), extra] {
                for line in [1, 10_000] {
                    let answer = LineReceipt(
                        file: "3",
                        line: line,
                        receipt: receipt,
                        extra: kept
                    )
                    var (written, expected): ([UInt8], [UInt8]) = ([], [])
                    answer.appendAnswer(to: &written)
                    columns.appendJSON(answer, to: &expected, by: nil)
                    #expect(
                        String(decoding: written, as: UTF8.self)
                            == String(decoding: expected, as: UTF8.self)
                    )
                }
            }
        }
    }
}
