/// What started or ended a trip; the raw value is its name in JSON.
public enum TripCause: String, CaseIterable, Sendable {
    /// The driver pressed GO or STOP.
    case press

    /// The motion sensor said that this is a drive.
    case motion

    /// The fixes themselves moved as only a drive does.
    case movement

    /// The motion sensor said that the driver walks.
    case walking

    /// The motion sensor said that the driver runs.
    case running

    /// The car stood in one place for so long that it is parked.
    case parked

    /// The recorder fell silent, as one does that is switched off with the engine.
    case silence

    /// There was no movement for so long that STOP was forgotten.
    case noMovement = "no_movement"

    /// Nothing came from the device for hours.
    case deviceOff = "device_off"

    /// The driver decided what to do with a trip whose recorder had died.
    case recovery

    /// A person reported the trip as a whole, without a recorder.
    case report

    /// A person found the drive to be two trips, of which this is one.
    case split

    /// Whether a trip that it ended was ended only because nobody did.
    var isLastResort: Bool {
        self == .noMovement || self == .deviceOff
    }

    /// Whether a trip that it started is one because a person says so, however short.
    var isPersonal: Bool {
        self == .press || self == .split
    }
}
