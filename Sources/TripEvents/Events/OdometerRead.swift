/// Somebody or something read an odometer.
public struct OdometerRead: Hashable, Sendable {
    /// The vehicle.
    public var vehicle: String

    /// What it showed, not negative, in `unit`.
    public var value: ExactDecimal

    /// The unit of the odometer.
    public var unit: DistanceUnit

    /// How it was read.
    public var method: OdometerMethod?

    /// Creates the content of the event.
    public init(
        vehicle: String,
        value: ExactDecimal,
        unit: DistanceUnit,
        method: OdometerMethod? = nil
    ) {
        self.vehicle = vehicle
        self.value = value
        self.unit = unit
        self.method = method
    }
}

extension OdometerRead: EventPayload {
    static var blank: OdometerRead { OdometerRead(vehicle: .blank, value: .blank, unit: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.vehicle, &vehicle)
        try visitor.required(.value, &value)
        try visitor.required(.unit, &unit)
        try visitor.optional(.method, &method)
    }
}
