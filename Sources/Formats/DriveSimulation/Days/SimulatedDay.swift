public import TripEvents

/// The activity of a person, in the words of labelled data.
public enum SimulatedActivity: String, CaseIterable, Sendable {
    case car
    case bus
    case train
    case bicycle = "bike"
    case walking = "walk"
    case boat
    case parked
}

/// A stretch of a simulated day in which a person did one thing.
public struct DayPart: Hashable, Sendable {
    /// What the person did.
    public let activity: SimulatedActivity

    /// When it began.
    public let start: Timestamp

    /// When it ended, which is when the next part began.
    public let end: Timestamp

    /// The length of the way, in whole metres.
    public let lengthMeters: Int

    /// Why people would not agree on where this trip begins or ends, if they would not.
    public let looseness: String?
}

/// The reports of one recorder on a simulated day, and what really happened to it.
public struct DayStream: Hashable, Sendable {
    /// The source of its events.
    public let source: String

    /// What kind of recorder it is.
    public let recorder: DayRecorder

    /// What its carrier did, without a gap or an overlap, in order of time.
    public let parts: [DayPart]
}

/// A day of one person: what recorders reported, and what really happened.
public struct SimulatedDay: Sendable {
    /// The number of the day, from zero.
    public let number: Int

    /// The rules for each recorder, then what all recorders reported in order of time.
    public let events: [TripEvent]

    /// One for each recorder: one or two.
    public let streams: [DayStream]
}

/// A kind of recorder that people carry or have in their car.
public enum DayRecorder: String, CaseIterable, Sendable {
    case androidPrecise = "android-precise"
    case androidBalanced = "android-balanced"
    case iosPrecise = "ios-precise"
    case iosMedium = "ios-medium"
    case iosCoarse = "ios-coarse"
    case history
    case trackingApp = "tracking-app"
    case carBox = "car-box"
    case pressedPhone = "pressed-phone"

    /// The preset of rules that fits it.
    public var preset: String {
        switch self {
        case .androidPrecise, .androidBalanced, .iosPrecise, .iosMedium, .iosCoarse, .history:
            "history"
        case .trackingApp, .carBox: "logger"
        case .pressedPhone: "phone"
        }
    }

    /// Whether it reports what a motion sensor says.
    public var hasMotionSensor: Bool {
        switch self {
        case .androidPrecise, .androidBalanced, .iosPrecise, .iosMedium, .iosCoarse, .pressedPhone:
            true
        case .history, .trackingApp, .carBox: false
        }
    }
}
