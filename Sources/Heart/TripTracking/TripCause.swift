package import RowCoding

/// What started or ended a trip; the raw value is its name in JSON.
public enum TripCause: String, CaseIterable, Sendable {
    /// The driver pressed GO or STOP.
    case press

    /// The motion sensor reported driving.
    case motion

    /// The fixes moved as only a drive does.
    case movement

    /// The driver went on on foot: the motion sensor said so for a minute, or fixes went steadily
    /// at walking pace.
    case walking

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

    /// A person split the drive into two trips.
    case split

    /// A trip that GO had started ended for want of movement, and drove on before STOP.
    case resumed

    /// The driver pressed GO again, for another vehicle or after a stop, and had forgotten STOP.
    case forgottenStop = "forgotten_stop"

    /// Whether it ends a trip only because no person and no sensor has ended it.
    var isLastResort: Bool {
        self == .noMovement || self == .deviceOff
    }

    /// Whether a person started the trip, so that it is one however short.
    var isPersonal: Bool {
        self == .press || self == .split || self == .resumed
    }
}

/// The status of a trip; the raw value is its name in JSON.
public enum TripStatus: String, CaseIterable, Sendable {
    /// It has started and not ended.
    case active

    /// It has ended.
    case completed

    /// It has ended without being a trip; see ``AbandonReason``.
    case abandoned
}

/// The reason why something that began as a trip is not one; the raw value is its name in JSON.
public enum AbandonReason: String, CaseIterable, Sendable {
    /// No fix said where it was.
    case noPosition = "no_position"

    /// It was not started by GO and is shorter than the rules demand.
    case falseStart = "false_start"

    /// It went at walking pace.
    case walkingPace = "walking_pace"

    /// It was the way to the parking place, driven after STOP.
    case afterStop = "after_stop"

    /// It went by bicycle or by rail.
    case notByCar = "not_by_car"

    /// Its recorder died, and the driver did not want what there was of it.
    case discarded
}

/// What a reader of a trip should know beside its figures.
public struct TripFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The start position comes from a fix with poor accuracy.
    public static let approximateStart = TripFlags(rawValue: 1 << 0)

    /// It ended for want of movement or of any report, not because someone or something said so.
    public static let autoStopped = TripFlags(rawValue: 1 << 1)

    /// Its recorder died on the way and came back.
    public static let recovered = TripFlags(rawValue: 1 << 2)

    /// It started by itself, and GO was pressed in it.
    public static let pressed = TripFlags(rawValue: 1 << 3)

    /// The driver had forgotten STOP: GO for the next trip ended it.
    public static let forgottenStop = TripFlags(rawValue: 1 << 4)

    /// Every flag there is; other bits come from a newer version or from damage.
    public static let all: TripFlags = [
        .approximateStart, .autoStopped, .recovered, .pressed, .forgottenStop,
    ]

    /// The names of the flags that are set, in alphabetical order, as shown in JSON.
    public var names: [String] {
        guard !isEmpty else { return [] }
        let named: [(TripFlags, String)] = [
            (.approximateStart, "approximate_start"), (.autoStopped, "auto_stopped"),
            (.forgottenStop, "forgotten_stop"), (.pressed, "pressed"), (.recovered, "recovered"),
        ]
        return named.filter { contains($0.0) }.map(\.1)
    }
}

extension RowDecoder {
    private static let causeNames = ChoiceNames(of: TripCause.self)
    private static let statusNames = ChoiceNames(of: TripStatus.self)
    private static let reasonNames = ChoiceNames(of: AbandonReason.self)

    /// Reads what started or ended a trip.
    mutating func readTripCause() throws(RowCodingError) -> TripCause {
        TripCause.allCases[try readIndex(in: Self.causeNames)]
    }

    /// Reads the status of a trip.
    mutating func readTripStatus() throws(RowCodingError) -> TripStatus {
        TripStatus.allCases[try readIndex(in: Self.statusNames)]
    }

    /// Reads why a trip was abandoned.
    package mutating func readAbandonReason() throws(RowCodingError) -> AbandonReason {
        AbandonReason.allCases[try readIndex(in: Self.reasonNames)]
    }
}
