import EventStore
import Proofs
import Testing

/// The group of a source is a fact that its first event brings, and no later one changes.
@Suite struct SourceGroupTests {
    private static func event(_ source: String, _ at: Int64) -> EventSample {
        EventSample(
            source: source,
            occurredAt: at,
            id: nil,
            payload: [UInt8(truncatingIfNeeded: at)]
        )
    }

    @Test func `a source keeps the group of its first event`() throws {
        let book = try TemporaryLog(seed: 1)
        let result = try book.append(
            [
                (Self.event("box", 1), "17"), (Self.event("box", 2), nil),
                (Self.event("box", 3), "18"), (Self.event("phone", 4), nil),
                (Self.event("phone", 5), "17"), (Self.event("box", 6), "17"),
            ],
            recordedAt: 2_000
        )
        #expect(
            result.outcomes == [
                .appended(position: 2), .appended(position: 3), .otherGroup,
                .appended(position: 5), .otherGroup, .appended(position: 6),
            ]
        )
        for _ in 0..<2 {
            #expect(try book.newest.source(numbered: 1)?.group == "17")
            #expect(try book.newest.source(numbered: 2)?.group == nil)
            #expect(try book.findings() == [])
            try book.reopen()
        }
        let later = try book.append(
            [
                (Self.event("phone", 7), "17"), (Self.event("box", 8), "17"),
                (Self.event("box", 9), "1"), (Self.event("phone", 10), nil),
                (Self.event("box", 1), "17"), (Self.event("box", 1), "1"),
            ],
            recordedAt: 3_000
        )
        #expect(
            later.outcomes == [
                .otherGroup, .appended(position: 7), .otherGroup, .appended(position: 8),
                .duplicate(of: 2), .otherGroup,
            ]
        )
        #expect(try book.findings() == [])
    }

    @Test func `names of groups are told apart byte by byte`() throws {
        let book = try TemporaryLog(seed: 2)
        let result = try book.append(
            [(Self.event("box", 1), "\u{E9}"), (Self.event("box", 2), "e\u{301}")],
            recordedAt: 2_000
        )
        #expect(result.outcomes == [.appended(position: 2), .otherGroup])
    }

    @Test func `all or nothing keeps everything out, and registers nothing`() throws {
        let book = try TemporaryLog(seed: 3)
        _ = try book.append(
            [(Self.event("box", 1), "17"), (Self.event("box", 2), "18")],
            recordedAt: 2_000,
            conditions: AppendConditions(isAllOrNothing: true)
        )
        #expect(try book.newest.number(ofSource: "box") == nil)
        #expect(try book.newest.head().size == 1)
    }
}
