/// The motion sensor came to another opinion.
public struct MotionChanged: Hashable, Sendable {
    /// What the carrier of the device is doing.
    public var state: MotionState

    /// How sure the sensor is.
    public var confidence: MotionConfidence

    /// Creates the content of the event.
    public init(state: MotionState, confidence: MotionConfidence) {
        self.state = state
        self.confidence = confidence
    }
}

extension MotionChanged: EventPayload {
    static var blank: MotionChanged { MotionChanged(state: .blank, confidence: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.state, &state)
        try visitor.required(.confidence, &confidence)
    }
}

/// What the motion sensor says the carrier of the device is doing.
public enum MotionState: String, CaseIterable, Sendable {
    case unknown
    case stationary
    case walking
    case running
    case cycling
    case automotive
}

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
