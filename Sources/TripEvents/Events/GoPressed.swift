/// The driver pressed GO.
public struct GoPressed: Hashable, Sendable {
    /// The vehicle the driver chose.
    public var vehicle: String?

    /// The routine the driver chose.
    public var routine: String?

    /// Creates the content of the event.
    public init(vehicle: String? = nil, routine: String? = nil) {
        self.vehicle = vehicle
        self.routine = routine
    }
}

extension GoPressed: EventPayload {
    static var blank: GoPressed { GoPressed() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.routine, &routine)
    }
}

/// The driver pressed STOP.
public struct StopPressed: Hashable, Sendable {
    /// The vehicle the driver chose.
    public var vehicle: String?

    /// The routine the driver chose.
    public var routine: String?

    /// Creates the content of the event.
    public init(vehicle: String? = nil, routine: String? = nil) {
        self.vehicle = vehicle
        self.routine = routine
    }
}

extension StopPressed: EventPayload {
    static var blank: StopPressed { StopPressed() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.vehicle, &vehicle)
        try visitor.optional(.routine, &routine)
    }
}
