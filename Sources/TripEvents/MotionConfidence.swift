/// How sure the motion sensor is.
public enum MotionConfidence: String, CaseIterable, Comparable, Sendable {
    case low
    case medium
    case high

    /// Returns whether one confidence is less sure than another.
    public static func < (left: MotionConfidence, right: MotionConfidence) -> Bool {
        left.order < right.order
    }

    private var order: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }
}
