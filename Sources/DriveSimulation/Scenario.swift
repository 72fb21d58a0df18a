/// A named situation around Rotterdam that a recorder can be put into.
public enum Scenario: String, CaseIterable, Sendable {
    case homeToOffice = "home-to-office"
    case stationary
    case skipLocation = "skip-location"
    case tunnel
    case trafficJam = "traffic-jam"
    case parkedDrift = "parked-drift"
    case batteryDeath = "battery-death"
    case forgottenStop = "forgotten-stop"
    case doubleGo = "double-go"
    case walkingAway = "walking-away"
    case lowConfidenceMotion = "low-confidence-motion"
    case lateUpload = "late-upload"
    case shuffledUpload = "shuffled-upload"
    case clockJump = "clock-jump"

    /// What happens, in one sentence.
    public var summary: String {
        switch self {
        case .homeToOffice:
            "A driver presses GO at home and STOP at the office, with five fixes between."
        case .stationary:
            "The motion sensor believes in a drive while the phone lies at home: a false start."
        case .skipLocation:
            "A commute with two fixes at the day care, a place marked skip, goes on to the office."
        case .tunnel:
            "The signal is lost for five minutes in a tunnel: a gap, not distance."
        case .trafficJam:
            "The car creeps a few metres a minute, which adds up, before the road clears."
        case .parkedDrift:
            "After STOP the parked phone drifts for an hour, which is no mileage."
        case .batteryDeath:
            "The phone dies on the way and comes back 20 minutes later with the trip still open."
        case .forgottenStop:
            "Nobody presses STOP, and the car stands at the office for an hour."
        case .doubleGo:
            "GO is pressed again in the middle of a trip, which changes nothing."
        case .walkingAway:
            "The motion sensor sees a drive begin, and its end when the driver walks away."
        case .lowConfidenceMotion:
            "The motion sensor is not sure that this is a drive, so none starts."
        case .lateUpload:
            "Two fixes from the middle of the trip arrive after STOP."
        case .shuffledUpload:
            "Every event arrives, in an order left to chance."
        case .clockJump:
            "The phone's clock is an hour ahead for one fix, and then right again."
        }
    }
}
