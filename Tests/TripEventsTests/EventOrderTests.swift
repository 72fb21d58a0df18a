import TestSupport
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

@Suite struct EventDifferenceTests {
    private let event = TripEvent(
        source: "phone",
        occurredAt: Timestamp(milliseconds: 0),
        id: "1",
        body: .goPressed(GoPressed(vehicle: "van"))
    )

    @Test(arguments: EventKind.allCases)
    func `an event does not differ from itself`(kind: EventKind) throws {
        for seed in Seeds.fresh(20) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            #expect(EventDifference(event, event).names == [], "seed \(seed)")
        }
    }

    @Test func `every field that differs is named, in order`() {
        var other = event
        other.occurredAt = Timestamp(milliseconds: 1)
        other.actor = "Eva"
        other.body = .goPressed(GoPressed(routine: "to work"))
        #expect(
            EventDifference(event, other).names == ["occurred_at", "actor", "vehicle", "routine"]
        )
    }

    @Test func `another type is a difference`() {
        var other = event
        other.body = .stopPressed(StopPressed(vehicle: "van"))
        #expect(EventDifference(event, other).names == ["type"])
    }

    @Test func `another offset of the same instant is a difference`() {
        var other = event
        other.utcOffset = UTCOffset(minutes: 0)
        #expect(EventDifference(event, other).names == ["occurred_at"])
    }

    @Test func `another spelling of the same letters is a difference`() {
        var left = event
        var right = event
        left.body = .goPressed(GoPressed(vehicle: "caf\u{E9}"))
        right.body = .goPressed(GoPressed(vehicle: "cafe\u{301}"))
        #expect(EventDifference(left, right).names == ["vehicle"])
    }
}
