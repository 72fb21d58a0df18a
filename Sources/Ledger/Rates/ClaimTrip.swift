public import Geodesy
public import TripEvents

/// A trip as rates see it.
public struct ClaimTrip: Hashable, Sendable {
    /// The local day on which it started, on which it counts.
    public var day: CivilDate

    /// The distance as claimed.
    public var distance: Distance

    /// The class.
    public var tripClass: TripClass

    /// The name of its vehicle; `nil` if it names none.
    public var vehicle: String?

    /// Who drove; `nil` if that is not known.
    public var driver: String?

    /// The means of transport, if it is known to be neither the vehicle nor a car.
    public var mode: TravelMode?

    /// The number of passengers in the trip for whom rates pay.
    public var passengers: Int64

    /// Whether the statement about passengers is not a number, so that nothing is paid for them.
    public var hasUnreadPassengers = false

    /// What it counts as a way to work or back, if it is the only one of its day.
    public var alone: LoneWay

    /// The origin of the distance.
    public var origin: DistanceOrigin

    /// How often a part of the way was not measured.
    public var gaps: Int64

    /// The straight lines across these parts, which are not in the distance.
    public var gapDistance: Distance

    /// When it started; `nil` if that is not known.
    public var startedAt: Timestamp?

    /// When it ended; `nil` if that is not known.
    public var endedAt: Timestamp?

    /// Creates a trip.
    public init(
        day: CivilDate,
        distance: Distance,
        tripClass: TripClass,
        vehicle: String? = nil,
        mode: TravelMode? = nil,
        passengers: Int64 = 0,
        alone: LoneWay = .open,
        origin: DistanceOrigin = .measured,
        gaps: Int64 = 0,
        gapDistance: Distance = .zero
    ) {
        self.day = day
        self.distance = distance
        self.tripClass = tripClass
        self.vehicle = vehicle
        self.mode = mode
        self.passengers = passengers
        self.alone = alone
        self.origin = origin
        self.gaps = gaps
        self.gapDistance = gapDistance
    }
}

/// The origin of a distance; the raw value is its name in JSON.
public enum DistanceOrigin: String, CaseIterable, Sendable {
    /// A recorder measured it.
    case measured

    /// It is the difference of what an odometer showed.
    case odometer

    /// A person set it in place of what was measured.
    case adjusted

    /// A person or another program reported it.
    case reported
}

/// How much of a day a way counts for at a rate per day with both ways, if no other way of that day
/// is known.
public enum LoneWay: Hashable, Sendable {
    /// Half a day: the other way was made on another day, as after a night shift, or by other
    /// means.
    case half

    /// A whole day, which a person said, although one way alone is in the book.
    case whole

    /// A whole day, of which one way is perhaps not recorded; half of it if that was not driven.
    case open
}

/// A vehicle as rates see it.
public struct ClaimVehicle: Hashable, Sendable {
    /// The kind; `nil` if it is not known, and the vehicle then counts as a car.
    public var kind: VehicleKind?

    /// The fiscal power in chevaux fiscaux.
    public var fiscalPower: Int?

    /// Whether it drives by electricity alone.
    public var isElectric: Bool

    /// What it burns.
    public var fuel: Fuel?

    /// The size of its engine, in cubic centimetres.
    public var engine: Int?

    /// Who drives it, if its trips name no other driver; `nil` if that is not known.
    public var driver: String?

    /// Creates a vehicle.
    public init(
        kind: VehicleKind? = nil,
        fiscalPower: Int? = nil,
        isElectric: Bool = false,
        fuel: Fuel? = nil,
        engine: Int? = nil,
        driver: String? = nil
    ) {
        self.kind = kind
        self.fiscalPower = fiscalPower
        self.isElectric = isElectric
        self.fuel = fuel ?? (isElectric ? .electric : nil)
        self.engine = engine
        self.driver = driver
    }
}

/// Why a distance is not claimed; the raw value is its name in JSON.
public enum UnclaimedReason: String, CaseIterable, Sendable {
    /// The trips have no class yet.
    case unclassified

    /// No row is for trips of this class.
    case noRate = "no_rate"

    /// There are rows for the class, but none for this kind of vehicle.
    case noRateForVehicle = "no_rate_for_vehicle"

    /// The rate depends on the fiscal power, and the vehicle has none registered.
    case noFiscalPower = "no_fiscal_power"

    /// The rate depends on what the vehicle burns, and on its engine, and these are not registered.
    case noFuel = "no_fuel"

    /// There are rows for these trips, but none that was known for their days.
    case noRateForDay = "no_rate_for_day"

    /// It is above the distance that is paid for.
    case aboveLimit = "above_limit"

    /// One way a day counts, in full units; the rest of the day does not.
    case oneWayADay = "one_way_a_day"
}
