/// The driver pressed GO.
public struct GoPressed: Hashable, Sendable {
    /// The vehicle the driver chose.
    public var vehicle: String?

    /// The routine the driver chose.
    public var routine: String?

    /// Who drives.
    public var driver: String?

    /// Creates the content of the event.
    public init(vehicle: String? = nil, routine: String? = nil, driver: String? = nil) {
        self.vehicle = vehicle
        self.routine = routine
        self.driver = driver
    }
}

extension GoPressed: EventPayload {
    static var blank: GoPressed { GoPressed() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.routine, &routine)
        try visitor.optional(.driver, &driver)
    }
}

/// The driver pressed STOP, or the recorder did so by itself.
public struct StopPressed: Hashable, Sendable {
    /// The vehicle the driver chose.
    public var vehicle: String?

    /// The routine the driver chose.
    public var routine: String?

    /// Who drives.
    public var driver: String?

    /// Whether the recorder ended the trip by itself and no person pressed; `nil` if it did not
    /// say.
    public var isAutomatic: Bool?

    /// Creates the content of the event.
    public init(
        vehicle: String? = nil,
        routine: String? = nil,
        isAutomatic: Bool? = nil,
        driver: String? = nil
    ) {
        self.vehicle = vehicle
        self.routine = routine
        self.isAutomatic = isAutomatic
        self.driver = driver
    }
}

extension StopPressed: EventPayload {
    static var blank: StopPressed { StopPressed() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.routine, &routine)
        try visitor.optional(.automatic, &isAutomatic)
        try visitor.optional(.driver, &driver)
    }
}

/// What to do with a trip that was open when its recorder died.
public struct RecoveryDecided: Hashable, Sendable {
    /// The trip.
    public var trip: TripID

    /// When the trip started, so that the event finds it again if its id has gone.
    public var tripStartedAt: EventTime?

    /// What was decided.
    public var decision: RecoveryDecision

    /// Creates the content of the event.
    public init(trip: TripID, tripStartedAt: EventTime? = nil, decision: RecoveryDecision) {
        self.trip = trip
        self.tripStartedAt = tripStartedAt
        self.decision = decision
    }
}

extension RecoveryDecided: EventPayload {
    static var blank: RecoveryDecided { RecoveryDecided(trip: .blank, decision: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.trip, &trip)
        try visitor.optional(.tripStartedAt, &tripStartedAt)
        try visitor.required(.decision, &decision)
    }
}

/// What to do with a trip that was open when its recorder died.
public enum RecoveryDecision: String, CaseIterable, Sendable {
    case resume
    case save
    case abandon
}
