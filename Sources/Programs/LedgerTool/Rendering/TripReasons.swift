import Geodesy
import Tables
import TripEvents
import TripTracking

/// Why a trip began and ended where it did, in words.
struct TripReasons {
    /// The trip as it was measured.
    let trip: Trip

    /// The rules of the trip.
    let rules: TrackingRules

    /// Tells times.
    let clock: LocalDay?

    /// When and why it began.
    var beginning: String {
        let why =
            switch trip.startedBy {
            case .press: "the driver pressed GO"
            case .motion: "the motion sensor said driving"
            case .movement:
                "it went away from \(Self.text(trip.start)) by "
                    + "\(Self.text(rules.startDisplacement)) or more, and another fix agreed"
            case .resumed: "it drove on before STOP"
            case .split: "a person split the drive there"
            case .report: "a person reported it"
            // These only end trips.
            case .walking, .parked, .silence, .noMovement, .deviceOff, .recovery, .forgottenStop:
                trip.startedBy.rawValue
            }
        return "\(LocalTime.text(trip.startedAt.told(by: clock))): \(why)"
    }

    /// When and why it ended, or that it goes on.
    var ending: String {
        guard let endedAt = trip.endedAt, let cause = trip.endedBy else { return "it goes on" }
        let place = Self.text(trip.end)
        let why =
            switch cause {
            case .press: "the driver pressed STOP"
            case .motion: "the motion sensor said driving, after a way without an engine"
            case .walking: "from \(place) on, the driver went on foot"
            case .parked:
                "from then on it stood within \(Self.text(rules.parkedRadius)) of \(place)"
            case .silence:
                "no fix came from \(place) for \(Self.text(rules.silenceMilliseconds)) or more"
            case .noMovement:
                "from then on nothing moved for \(Self.text(rules.noMovementMilliseconds)) or more"
            case .deviceOff:
                "its source reported nothing for \(Self.text(rules.deviceOffMilliseconds)) or more"
            case .recovery: "its recorder had died, and the driver decided to end it"
            case .split: "a person split the drive there"
            case .forgottenStop: "it stood at \(place) until the driver pressed GO again"
            case .report: "a person reported it"
            // These only start trips.
            case .movement, .resumed: cause.rawValue
            }
        return "\(LocalTime.text(endedAt.told(by: clock))): \(why)"
    }

    private static func text(_ place: Coordinate?) -> String {
        place.map { "\($0.latitude), \($0.longitude)" } ?? "an unknown place"
    }

    private static func text(_ distance: Distance) -> String {
        "\(distance.millimeters / 1_000) m"
    }

    private static func text(_ milliseconds: Int64) -> String {
        LocalTime.span(milliseconds: milliseconds)
    }
}
