public import TripEvents

/// One row of a rate table: the money that is paid, or allowed, for a distance from one day on.
///
/// A row has two times: the days on which it holds, and the day from which it was known. So a
/// figure that was announced late, or in retrospect, differs from the one known before.
public struct RateRow: Hashable, Sendable {
    /// The name of the row; no two rows of a table have the same.
    public let id: String

    /// The jurisdiction in which it holds: two letters of a country, or a name such as `company`,
    /// in lower case.
    public let jurisdiction: String

    /// Who sets it.
    public let authority: String?

    /// The set of rules that it belongs to, such as `standard_mileage`.
    public let scheme: String

    /// The part of the jurisdiction in which it holds; `nil` for all of it.
    public let region: String?

    /// Whether it counts only where a person names its scheme.
    public let isByNameOnly: Bool

    /// The classes of trips for which it holds.
    public let classes: [TripClass]

    /// The kinds of vehicles for which it holds; none for all.
    public let vehicles: [VehicleKind]

    /// The fiscal power of the vehicles for which it holds, in chevaux fiscaux; `nil` for all.
    public let fiscalPower: ClosedRange<Int>?

    /// The fuels of the vehicles for which it holds; none for all.
    public let fuels: [Fuel]

    /// The engine sizes of the vehicles for which it holds, in cubic centimetres; `nil` for all.
    public let engine: ClosedRange<Int>?

    /// The first day on which it holds.
    public let from: CivilDate

    /// The last day; `nil` until another row takes its place.
    public let to: CivilDate?

    /// The first day on which it was known.
    public let knownFrom: CivilDate

    /// Whether that day was not verified, but assumed.
    public let isKnownFromAssumed: Bool

    /// The currency, such as `EUR` (ISO 4217).
    public let currency: String

    /// The unit of its distances, and of what its rates are paid for.
    public let unit: DistanceUnit

    /// The day of a year on which the periods begin in which thresholds are counted.
    public let yearStart: YearStart

    /// How the money follows from the distance.
    public let shape: RateShape

    /// The rates by distance, in ascending order; a rate without tiers is the only one.
    public let tiers: [RateTier]

    /// The subject for which the distances of the tiers are counted.
    public let subject: RateSubject?

    /// The expenses that may be claimed beside what it pays for the distance of the same trip.
    public let beside: [ExpenseKind]

    /// The yearly limit of the money; `nil` for no such limit.
    public let most: YearlyMost?

    /// How sure it is.
    public let confidence: RateConfidence

    /// The sources of the figures.
    public let sources: [RateSource]

    /// Anything else that a reader should know.
    public let note: String?
}

/// How money follows from a distance; the raw value is its name in JSON.
public enum RateShape: String, CaseIterable, Sendable {
    /// Distance × rate.
    case flat

    /// Distance × rate for each passenger, beside what is paid for the trip itself.
    case perPassenger = "per_passenger"

    /// Each slice of the distance of a period at its own rate.
    case marginalTiers = "marginal_tiers"

    /// For each day, the full units of one way, each slice at its own rate.
    case oneWayDayTiers = "one_way_day_tiers"

    /// Distance × rate up to a distance for the period; what is above is not paid.
    case cap

    /// The distance of the whole period chooses one tier: distance × rate + constant.
    case wholeDistanceBracket = "whole_distance_bracket"

    /// Not for a distance: the amount of electric vehicles × rate.
    case multiplier

    /// No money: a distance of a period that should not be exceeded.
    case limit

    /// No money of its own: a part of another rate.
    case component

    /// Not for a distance: kilowatt-hours that were charged at home × rate.
    case perKilowattHour = "per_kilowatt_hour"
}

/// The yearly limit of the money for ways of one scheme, over all vehicles of a person.
public struct YearlyMost: Hashable, Sendable {
    /// The money, in currency units.
    public let amount: ExactDecimal

    /// The kinds of vehicles whose ways it does not limit; one of no known kind counts as a car.
    public let exempt: [VehicleKind]
}

/// A rate and the distances for which it is paid.
public struct RateTier: Hashable, Sendable {
    /// The distance up to which it holds, in whole units of the row; `nil` without end.
    public let upTo: Int64?

    /// Currency units for one unit of distance, not negative; nothing for a limit.
    public let rate: ExactDecimal

    /// A constant, in currency units; only of a ``RateShape/wholeDistanceBracket``.
    public let plus: ExactDecimal
}

/// Whether distances count against thresholds per person or per vehicle; the raw value is its name
/// in JSON.
public enum RateSubject: String, CaseIterable, Sendable {
    /// All vehicles of the person together.
    case person

    /// Each vehicle for itself.
    case vehicle
}

/// How sure a figure is; the raw value is its name in JSON.
public enum RateConfidence: String, CaseIterable, Sendable {
    /// An official page, or several independent reprints that agree.
    case high

    /// Secondary sources only, or it was not verified that it goes on.
    case medium

    /// From memory, or one weak source.
    case low

    /// A person or a company set it for itself.
    case own
}

/// The source of a figure.
public struct RateSource: Hashable, Sendable {
    /// The name of the source.
    public let name: String

    /// Its address.
    public let url: String?
}
