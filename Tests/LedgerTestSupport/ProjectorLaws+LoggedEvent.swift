import DriveSimulation
import Projections
public import TripEvents

extension ProjectorLaws {
    /// An event with its place in the log and in its source's event order.
    struct LoggedEvent {
        var event: TripEvent
        var stamp: EventStamp
        var order: EventOrder

        /// The event as a decision, if it is one.
        var decision: Decision? {
            Decision(event, identity: order.identity, recordedAt: stamp.recordedAt)
        }
    }

    /// Appends events in order of arrival, one a second, as the log does: what it has already, it
    /// does not take again.
    static func log(_ arrivals: [TripEvent]) -> [LoggedEvent] {
        var known: Set<TripEvent> = []
        let began = Timestamp(milliseconds: 1_900_000_000_000)
        return arrivals.filter { known.insert($0).inserted }.enumerated()
            .map { index, event in
                let stamp = EventStamp(
                    occurredAt: event.occurredAt,
                    utcOffset: event.utcOffset,
                    recordedAt: began.advanced(byMilliseconds: Int64(index) * 1_000),
                    position: UInt64(index)
                )
                let order = EventOrder(event, identity: identity(of: event))
                return LoggedEvent(event: event, stamp: stamp, order: order)
            }
    }

    /// Returns a digest that stands in for SHA-256: FNV-1a of everything the event says, stretched.
    public static func identity(of event: TripEvent) -> IdentityDigest {
        let seed = String(describing: event).utf8
            .reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
        var words = SplitMix64(seed: seed)
        return IdentityDigest(words: [words.next(), words.next(), words.next(), words.next()])
    }
}
