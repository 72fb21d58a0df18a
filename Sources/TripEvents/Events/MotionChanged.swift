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
