import TripEvents
import TripTracking

/// Events whose identity is their position.
struct NumberedEvents: EventDirectory {
    var utcOffset: UTCOffset?

    func facts(at position: UInt64) -> EventFacts {
        EventFacts(
            identity: IdentityDigest(words: [position, 0, 0, 0]),
            utcOffset: utcOffset
        )
    }
}
