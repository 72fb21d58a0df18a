public import Geodesy
public import TripEvents

/// One line of a claim: the distance of one slice at one rate, for one class and one vehicle.
public struct ClaimLine: Hashable, Sendable {
    /// The row, with the days on which it holds.
    public let rate: RateStretch

    /// The tier of the row.
    public let tier: RateTier

    /// The factor of the money; `nil` for none.
    public let multiplier: RateStretch?

    /// The class.
    public let tripClass: TripClass

    /// The vehicle; `nil` for trips that name none.
    public let vehicle: String?

    /// The means of transport of the ways, if it is neither the vehicle nor a car and a limit
    /// depends on it.
    public let mode: TravelMode?

    /// Whether the yearly limit applies to it.
    public let isLimited: Bool

    /// The year in which thresholds are counted.
    public let year: ClosedRange<CivilDate>

    /// The number of trips with a part in the line; for tiers of a day, the number of days.
    public let trips: Int64

    /// The distance of the line: for a rate per passenger, the distance of each added up.
    public let distance: Distance

    /// The earlier distance of the same year at the same rate, which is not claimed here.
    public let before: Distance

    /// The distance up to which the counted threshold goes; `nil` if there is none.
    public let threshold: Distance?

    /// How much was counted against the threshold before the first day of the claim.
    public let countedBefore: Distance

    /// How much is counted at the end of the last day.
    public let countedAfter: Distance

    /// The days of the line with one way alone, of which half counts.
    public let halfDays: Int64

    /// The days of the line of which one way is perhaps not recorded; they count whole.
    public let openDays: Int64

    /// The distance of these days, and that of the earlier ones of the year.
    let openDistance: Distance
    let openBefore: Distance

    /// What is taken off the money, because the ways of the year up to these exceed the yearly
    /// limit.
    public let cut: Money

    /// The same if the ways that are not recorded were not driven.
    public let cutIfAlone: Money

    /// The money, before anything is taken off; `nil` for a limit.
    public var amount: Money? {
        guard rate.row.shape != .limit else { return nil }
        return amount(for: before + distance) - amount(for: before)
    }

    /// The money if the ways that are not recorded were not driven, before anything is taken off.
    public var amountIfAlone: Money {
        let (all, open) = (before + distance, openBefore + openDistance)
        return amount(for: all - open.half) - amount(for: before - openBefore.half)
    }

    /// Returns the money of a distance that is counted from the beginning of the year.
    func amount(for distance: Distance) -> Money {
        var tier = tier
        if rate.row.shape == .wholeDistanceBracket {
            tier = rate.row.bracket(of: distance)
        }
        return tier.amount(
            for: distance,
            per: rate.row.unit,
            times: multiplier?.row.tiers.first?.rate
        )
    }
}

extension Distance {
    /// Half of the distance; half of whole units is exact.
    var half: Distance { Distance(millimeters: millimeters / 2) }
}

/// The amount by which the lines of a year exceed the yearly limit for its ways.
public struct ClaimCut: Hashable, Sendable {
    /// The row that states the yearly limit.
    public let rate: RateStretch

    /// The year.
    public let year: ClosedRange<CivilDate>

    /// The yearly limit.
    public let most: Money

    /// The amount by which the lines of the claim exceed it.
    public let amount: Money
}

/// What was charged at home, by one rate, in one year and for one vehicle.
public struct EnergyLine: Hashable, Sendable {
    /// The row, with the days on which it holds.
    public let rate: RateStretch

    /// The year.
    public let year: ClosedRange<CivilDate>

    /// The vehicle; `nil` for expenses that name none.
    public let vehicle: String?

    /// How many expenses it has.
    public let count: Int64

    /// The kilowatt-hours, in millionths.
    let microKilowattHours: Int64

    /// The earlier kilowatt-hours of the same year at the same rate, which are not claimed here, in
    /// millionths.
    let microKilowattHoursBefore: Int64

    /// The kilowatt-hours as a decimal.
    public var kilowattHours: String { Self.text(ofMillionths: microKilowattHours) }

    /// The earlier kilowatt-hours of the year as a decimal.
    public var kilowattHoursBefore: String { Self.text(ofMillionths: microKilowattHoursBefore) }

    /// The money: kilowatt-hours × rate of the year up to the last day, less the same before the
    /// first day, each product rounded once.
    public var amount: Money {
        amount(for: microKilowattHoursBefore + microKilowattHours)
            - amount(for: microKilowattHoursBefore)
    }

    private func amount(for microKilowattHours: Int64) -> Money {
        Money(rounding: microKilowattHours, times: rate.row.tiers.first?.rate ?? 0)
    }

    private static func text(ofMillionths millionths: Int64) -> String {
        let whole = millionths / 1_000_000
        var rest = String(1_000_000 + millionths % 1_000_000).dropFirst()
        while rest.last == "0" { rest.removeLast() }
        return rest.isEmpty ? "\(whole)" : "\(whole).\(rest)"
    }
}

extension RateRow {
    /// Returns the tier that the distance of a whole period chooses.
    func bracket(of distance: Distance) -> RateTier {
        let unit = unit.millimeters
        return tiers.first { tier in
            tier.upTo.map { distance.millimeters <= $0 * unit } ?? true
        } ?? RateTier(upTo: nil, rate: 0, plus: 0)
    }
}

/// Trips that are not claimed: those of one class, for one reason.
public struct UnclaimedLine: Hashable, Sendable {
    /// The class.
    public let tripClass: TripClass

    /// The reason.
    public let reason: UnclaimedReason

    /// The vehicle, where the reason lies with it.
    public let vehicle: String?

    /// The number of trips whose distance is not claimed, or not all of it.
    public let trips: Int64

    /// The distance.
    public let distance: Distance
}

/// The origins of the distance of all trips of a claim's days.
public struct ClaimOrigins: Hashable, Sendable {
    /// The sum over trips of each origin.
    public private(set) var distances: [DistanceOrigin: Distance] = [:]

    /// How often a part of the way was not measured.
    public private(set) var gaps: Int64 = 0

    /// The straight lines across these parts, which are not in the distance.
    public private(set) var gapDistance: Distance = .zero

    /// All trips.
    public private(set) var trips: Int64 = 0

    /// The distance of all trips.
    public private(set) var distance: Distance = .zero

    /// Adds a trip.
    mutating func add(_ trip: ClaimTrip) {
        distances[trip.origin, default: .zero] += trip.distance
        gaps += trip.gaps
        gapDistance += trip.gapDistance
        trips += 1
        distance += trip.distance
    }
}
