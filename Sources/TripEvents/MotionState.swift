/// What the motion sensor says the carrier of the device is doing.
public enum MotionState: String, CaseIterable, Sendable {
    case unknown
    case stationary
    case walking
    case running
    case cycling
    case automotive
}
