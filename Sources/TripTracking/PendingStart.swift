import TripEvents

/// Something that starts a trip if there turns out to be none.
struct PendingStart: Hashable, Sendable {
    var cause: TripCause
    var at: Timestamp
    var recordedAt: Timestamp

    /// Where the event stands in the log.
    var position: UInt64

    /// The vehicle, if the driver named one.
    var vehicle: String?
}

extension PendingStart {
    /// Creates the start of a trip at the moment of an event.
    init(_ cause: TripCause, at stamp: EventStamp, vehicle: String? = nil) {
        self.init(
            cause: cause,
            at: stamp.occurredAt,
            recordedAt: stamp.recordedAt,
            position: stamp.position,
            vehicle: vehicle
        )
    }
}
