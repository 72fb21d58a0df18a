import Testing

@testable import TripEvents

@Suite struct EventOrderTests {
    private func order(
        _ milliseconds: Int64,
        _ kind: EventKind?,
        sequence: UInt64? = nil,
        identity: UInt64 = 0
    ) -> EventOrder {
        EventOrder(
            occurredAt: Timestamp(milliseconds: milliseconds),
            kind: kind,
            sequence: sequence,
            identity: IdentityDigest(words: [identity, 0, 0, 0])
        )
    }

    @Test func `time comes before rank, rank before sequence, sequence before identity`() {
        let inOrder = [
            order(1, .stopPressed, sequence: 9, identity: 9),
            order(2, .rulesAdopted, sequence: 8, identity: 8),
            order(2, .goPressed, sequence: 7, identity: 7),
            order(2, .motionChanged, identity: 6),
            order(2, .fixRecorded, identity: 5),
            order(2, .fixRecorded, sequence: 0, identity: 4),
            order(2, .fixRecorded, sequence: 1, identity: 2),
            order(2, .fixRecorded, sequence: 1, identity: 3),
            order(2, .stopPressed),
            order(2, .detailsEdited),
            order(2, nil),
            order(3, .goPressed),
        ]
        for (left, first) in inOrder.enumerated() {
            for (right, second) in inOrder.enumerated() {
                #expect((first < second) == (left < right), "\(left) and \(right)")
            }
        }
    }
}
