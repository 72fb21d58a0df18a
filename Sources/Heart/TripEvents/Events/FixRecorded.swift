/// A GPS reading, its numbers exactly as reported.
public struct FixRecorded: Hashable, Sendable {
    /// Geodetic latitude in degrees, −90 … 90, north positive.
    public var latitude: ExactDecimal

    /// Longitude in degrees, −180 … 180, east positive.
    public var longitude: ExactDecimal

    /// Radius of 68 % confidence in metres; negative means unknown.
    public var accuracy: ExactDecimal?

    /// Altitude in metres, in whatever datum the source uses.
    public var altitude: ExactDecimal?

    /// Speed over ground in metres per second; negative means unknown.
    public var speed: ExactDecimal?

    /// Direction of travel in degrees from true north; negative means unknown.
    public var course: ExactDecimal?

    /// What made the reading.
    public var provider: FixProvider?

    /// Whether the location was made up, if the source says.
    public var isMock: Bool?

    /// Creates the content of the event.
    public init(
        latitude: ExactDecimal,
        longitude: ExactDecimal,
        accuracy: ExactDecimal? = nil,
        altitude: ExactDecimal? = nil,
        speed: ExactDecimal? = nil,
        course: ExactDecimal? = nil,
        provider: FixProvider? = nil,
        isMock: Bool? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.provider = provider
        self.isMock = isMock
    }
}

extension FixRecorded: EventPayload {
    static var blank: FixRecorded { FixRecorded(latitude: .blank, longitude: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.latitude, &latitude)
        try visitor.required(.longitude, &longitude)
        try visitor.optional(.accuracy, &accuracy)
        try visitor.optional(.altitude, &altitude)
        try visitor.optional(.speed, &speed)
        try visitor.optional(.course, &course)
        try visitor.optional(.provider, &provider)
        try visitor.optional(.mock, &isMock)
    }
}

/// What made a GPS reading.
public enum FixProvider: String, CaseIterable, Sendable {
    case gps
    case network
    case fused
    case passive
    case cell
    case wifi
    case manual
    case simulated

    /// An app that reports its location without saying what measured it, or when.
    case webhook

    /// The provider's number in a fix's origin byte, 1 … 15 (Formats, *Payloads*).
    var code: UInt8 {
        switch self {
        case .gps: 1
        case .network: 2
        case .fused: 3
        case .passive: 4
        case .cell: 5
        case .wifi: 6
        case .manual: 7
        case .simulated: 8
        case .webhook: 9
        }
    }
}

/// The motion sensor reported a new state.
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
