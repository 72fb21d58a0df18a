import LedgerTestSupport
import Testing

@testable import TripEvents

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
