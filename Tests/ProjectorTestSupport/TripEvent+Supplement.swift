package import DriveSimulation
package import TripEvents

extension TripEvent {
    /// Returns the event as some senders say it: one in three says more than the catalogue asks
    /// for.
    package func supplemented(using random: inout SplitMix64) -> TripEvent {
        var event = self
        switch Int.random(in: 0..<9, using: &random) {
        case 0: event.supplement.nanoseconds = UInt32.random(in: 1...999, using: &random)
        case 1: event.supplement.nanoseconds = 250_000
        case 2:
            let charge = Int.random(in: 10...99, using: &random)
            event.supplement.extra = ExtraMembers(json: #"{"battery":0.\#(charge)0,"a":[]}"#)
        default: break
        }
        return event
    }
}
