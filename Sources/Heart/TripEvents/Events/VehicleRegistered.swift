/// A vehicle was entered, or what is known of it changed.
public struct VehicleRegistered: Hashable, Sendable {
    /// The name that other events call it by.
    public var vehicle: String

    /// The registration plate.
    public var plate: String?

    /// Who made it.
    public var make: String?

    /// The model.
    public var model: String?

    /// The first day of its use.
    public var inServiceSince: CivilDate?

    /// What kind of vehicle it is, for rates.
    public var kind: VehicleKind?

    /// Its fiscal power in chevaux fiscaux, as French papers state it (P.6), 1 … 999.
    public var fiscalPower: UInt32?

    /// Whether it drives by electricity alone.
    public var isElectric: Bool?

    /// Who keeps it, a person or a firm, as logs name them.
    public var keeper: String?

    /// Who drives it where a trip does not say otherwise.
    public var driver: String?

    /// What it burns.
    public var fuel: Fuel?

    /// The size of its engine in cubic centimetres, 1 … 99,999.
    public var engine: UInt32?

    /// Creates the content of the event.
    public init(
        vehicle: String,
        plate: String? = nil,
        make: String? = nil,
        model: String? = nil,
        inServiceSince: CivilDate? = nil,
        kind: VehicleKind? = nil,
        fiscalPower: UInt32? = nil,
        isElectric: Bool? = nil,
        keeper: String? = nil,
        driver: String? = nil,
        fuel: Fuel? = nil,
        engine: UInt32? = nil
    ) {
        self.vehicle = vehicle
        self.plate = plate
        self.make = make
        self.model = model
        self.inServiceSince = inServiceSince
        self.kind = kind
        self.fiscalPower = fiscalPower
        self.isElectric = isElectric
        self.keeper = keeper
        self.driver = driver
        self.fuel = fuel
        self.engine = engine
    }
}

extension VehicleRegistered: EventPayload {
    static var blank: VehicleRegistered { VehicleRegistered(vehicle: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.vehicle, &vehicle)
        try visitor.optional(.plate, &plate)
        try visitor.optional(.make, &make)
        try visitor.optional(.model, &model)
        try visitor.optional(.inServiceSince, &inServiceSince)
        try visitor.optional(.vehicleKind, &kind)
        try visitor.optional(.fiscalPower, &fiscalPower)
        try visitor.optional(.electric, &isElectric)
        try visitor.optional(.keeper, &keeper)
        try visitor.optional(.driver, &driver)
        try visitor.optional(.fuel, &fuel)
        try visitor.optional(.engine, &engine)
    }

    func check() throws(Rejection) {
        guard let fuel, let isElectric, isElectric != (fuel == .electric) else { return }
        throw Rejection(
            .invalidValue,
            field: FieldName.electric.jsonName,
            sentence: "electric is \(isElectric) and fuel is \(fuel.rawValue); electric is true if "
                + "fuel is electric, and false if it is another."
        )
    }
}

/// An odometer was read.
public struct OdometerRead: Hashable, Sendable {
    /// The vehicle.
    public var vehicle: String

    /// What it showed, not negative, in `unit`.
    public var value: ExactDecimal

    /// The unit of the odometer.
    public var unit: DistanceUnit

    /// How it was read.
    public var method: OdometerMethod?

    /// The time of the vehicle's wrong reading that this one replaces; `nil` if it replaces none.
    public var corrects: EventTime?

    /// Creates the content of the event.
    public init(
        vehicle: String,
        value: ExactDecimal,
        unit: DistanceUnit,
        method: OdometerMethod? = nil,
        corrects: EventTime? = nil
    ) {
        self.vehicle = vehicle
        self.value = value
        self.unit = unit
        self.method = method
        self.corrects = corrects
    }
}

extension OdometerRead: EventPayload {
    static var blank: OdometerRead { OdometerRead(vehicle: .blank, value: .blank, unit: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.vehicle, &vehicle)
        try visitor.required(.value, &value)
        try visitor.required(.unit, &unit)
        try visitor.optional(.method, &method)
        try visitor.optional(.corrects, &corrects)
    }
}

/// How an odometer was read.
public enum OdometerMethod: String, CaseIterable, Sendable {
    case typed
    case photo
    case onBoardDiagnostics = "obd"
    case imported
}

/// A unit in which an odometer or a report counts.
public enum DistanceUnit: String, CaseIterable, Sendable {
    case kilometers = "km"
    case miles = "mi"
}

/// The kind of a vehicle, as rates per distance distinguish them; the raw value is its name in
/// JSON.
public enum VehicleKind: String, CaseIterable, Sendable {
    /// A car with any kind of engine.
    case car

    /// A van or another goods vehicle.
    case van

    /// A motorcycle.
    case motorcycle

    /// A moped or a light scooter.
    case moped

    /// A bicycle, with or without help of a motor.
    case bicycle

    /// Any other vehicle.
    case other
}

/// What a vehicle burns, for rates that pay its fuel; the raw value is its name in JSON.
public enum Fuel: String, CaseIterable, Sendable {
    case petrol
    case diesel
    case lpg
    case cng
    case electric
    case hybrid
    case hydrogen
    case other
}
