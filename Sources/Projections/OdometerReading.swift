public import Geodesy
public import TripEvents

/// What an odometer showed once.
public struct OdometerReading: Hashable, Sendable {
    /// What was reported.
    public let reading: OdometerRead

    /// When it was read.
    public let readAt: EventTime

    /// Who read it; `nil` if nobody was named.
    public let actor: String?

    /// What it showed, in whole millimetres.
    public let distance: Distance

    /// Creates a reading from what was reported.
    init(_ reading: OdometerRead, by decision: Decision) {
        self.reading = reading
        readAt = EventTime(decision.event.occurredAt, utcOffset: decision.event.utcOffset)
        actor = decision.event.actor
        distance = Distance(nearestTo: reading.value, reading.unit)
    }
}
