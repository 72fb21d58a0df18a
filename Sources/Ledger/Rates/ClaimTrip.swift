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

    /// The number of passengers in the trip for whom rates pay.
    public var passengers: Int64

    /// The origin of the distance.
    public var origin: DistanceOrigin

    /// How often a part of the way was not measured.
    public var gaps: Int64

    /// The straight lines across these parts, which are not in the distance.
    public var gapDistance: Distance

    /// Creates a trip.
    public init(
        day: CivilDate,
        distance: Distance,
        tripClass: TripClass,
        vehicle: String? = nil,
        passengers: Int64 = 0,
        origin: DistanceOrigin = .measured,
        gaps: Int64 = 0,
        gapDistance: Distance = .zero
    ) {
        self.day = day
        self.distance = distance
        self.tripClass = tripClass
        self.vehicle = vehicle
        self.passengers = passengers
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

/// A vehicle as rates see it.
public struct ClaimVehicle: Hashable, Sendable {
    /// The kind; `nil` if it is not known, and the vehicle then counts as a car.
    public var kind: VehicleKind?

    /// The fiscal power in chevaux fiscaux.
    public var fiscalPower: Int?

    /// Whether it drives by electricity alone.
    public var isElectric: Bool

    /// Creates a vehicle.
    public init(kind: VehicleKind? = nil, fiscalPower: Int? = nil, isElectric: Bool = false) {
        self.kind = kind
        self.fiscalPower = fiscalPower
        self.isElectric = isElectric
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

    /// There are rows for these trips, but none that was known for their days.
    case noRateForDay = "no_rate_for_day"

    /// It is above the distance that is paid for.
    case aboveLimit = "above_limit"

    /// One way a day counts, in full units; the rest of the day does not.
    case oneWayADay = "one_way_a_day"
}
