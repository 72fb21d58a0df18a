public import Geodesy
import TripEvents

/// The result of a claim.
public struct ClaimResult: Hashable, Sendable {
    /// The lines, by year, class, row, tier and vehicle.
    public let lines: [ClaimLine]

    /// The trips that are not claimed; those without a class always have a line.
    public let unclaimed: [UnclaimedLine]

    /// The claimed expenses, by class, kind, vehicle and currency.
    public let expenses: [ExpenseLine]

    /// What was charged at home, by rate, year and vehicle.
    public let energies: [EnergyLine]

    /// The years whose lines exceed the yearly limit.
    public let cuts: [ClaimCut]

    /// The commutes by rail that count nowhere, and are in no line.
    public let otherWays: UnclaimedSum

    /// The number of trips whose statement about passengers is not a number of passengers.
    public let unreadPassengers: Int64

    /// The number of drives that are in the book twice, with two classes, purposes or clients; the
    /// statement of the trip that counts holds.
    public let contradicted: Int64

    /// The expenses that are not claimed.
    public let unclaimedExpenses: [UnclaimedExpenses]

    /// The origins of the distance of the trips, claimed or not.
    public let origins: ClaimOrigins

    /// Who drove the trips that use up an allowance that one person has once, a threshold or a day,
    /// in order of their names; trips with an unknown driver add no name.
    public let drivers: [String]

    /// The sum of the lines and the expenses, less the cuts, for each currency, in order of its
    /// name.
    public var totals: [(currency: String, amount: Money)] {
        var sums: [String: Money] = [:]
        for line in expenses { sums[line.currency, default: .zero] += line.amount }
        for line in energies { sums[line.rate.row.currency, default: .zero] += line.amount }
        for cut in cuts { sums[cut.rate.row.currency, default: .zero] -= cut.amount }
        for line in lines {
            guard let amount = line.amount else { continue }
            sums[line.rate.row.currency, default: .zero] += amount
        }
        return sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// The use of a trip in a claim.
struct Use {
    /// Whether it lies before the days of the claim.
    let isBefore: Bool

    /// Whether it lies on the days of the claim.
    let isOnDays: Bool

    /// Whether it is of a vehicle that is claimed for.
    let isAsked: Bool

    /// Whether the claim has it.
    var isClaimed: Bool { isOnDays && isAsked }

    /// Determines the use of a trip on a day in a claim.
    init(isAsked: Bool, day: CivilDate, days: ClosedRange<CivilDate>) {
        self.isAsked = isAsked
        isBefore = day < days.lowerBound
        isOnDays = days.contains(day)
    }
}

/// The key of one line of a claim.
struct LineKey: Hashable, Comparable {
    let rate: Int
    let tier: Int
    let multiplier: Int?
    let year: ClosedRange<CivilDate>
    let tripClass: TripClass
    let vehicle: [UInt8]?

    /// The means, where a limit of money depends on it.
    let mode: TravelMode?

    static func < (left: LineKey, right: LineKey) -> Bool {
        if left.year != right.year { return left.year.lowerBound < right.year.lowerBound }
        if left.tripClass != right.tripClass {
            return left.tripClass.position < right.tripClass.position
        }
        let (first, second) = ([left.rate, left.tier], [right.rate, right.tier])
        if first != second { return first.lexicographicallyPrecedes(second) }
        if let isFirst = left.vehicle.precedes(right.vehicle) { return isFirst }
        let (means, others) = (left.mode?.rawValue ?? "", right.mode?.rawValue ?? "")
        return means == others ? left.multiplier == nil : means < others
    }
}

/// The distance of one line.
struct LineSum {
    private(set) var trips: Int64 = 0
    private(set) var distance: Distance = .zero
    private(set) var before: Distance = .zero

    /// The distance up to the last day of the claim, also where the claim is not about its vehicle.
    private(set) var all: Distance = .zero

    /// The part of it on days of which one way is perhaps not recorded.
    private var openAll: Distance = .zero

    /// Days with one way alone, of which half counts.
    private(set) var halfDays: Int64 = 0

    /// Days of which one way is perhaps not recorded, with their distance, and the distance of such
    /// days before the claim.
    private(set) var openDays: Int64 = 0
    private(set) var openDistance: Distance = .zero
    private(set) var openBefore: Distance = .zero

    /// The money above the yearly limit, and the money above it if the ways that are not recorded
    /// were not driven.
    private(set) var cut: Money = .zero
    private(set) var cutIfAlone: Money = .zero

    /// The distance up to the last day of the claim if the ways that are not recorded were not
    /// driven.
    var allIfAlone: Distance { all - openAll.half }

    /// Adds the part of a trip, or of a day's way.
    mutating func add(_ part: Distance, _ use: Use, as day: LoneWay = .whole) {
        if use.isBefore {
            before += part
            if day == .open { openBefore += part }
        }
        if use.isBefore || use.isOnDays {
            all += part
            if day == .open { openAll += part }
        }
        guard use.isClaimed else { return }
        trips += 1
        distance += part
        switch day {
        case .whole: break
        case .half: halfDays += 1
        case .open:
            openDays += 1
            openDistance += part
        }
    }

    /// Takes off money that is above the yearly limit.
    mutating func takeOff(_ amount: Money, ifAlone: Money) {
        cut += amount
        cutIfAlone += ifAlone
    }
}

/// How much of their yearly limit the ways of a year have used up.
struct YearlySpending {
    private var used: Money = .zero

    /// The same if the ways that are not recorded were not driven.
    private var usedIfAlone: Money = .zero

    /// Uses up the money of a way, as far as the yearly limit has room for it.
    ///
    /// - Returns: The money above the limit.
    mutating func spend(
        _ amount: Money,
        ifAlone: Money,
        upTo most: Money
    ) -> (amount: Money, ifAlone: Money) {
        (
            amount: Self.spend(amount, from: &used, upTo: most),
            ifAlone: Self.spend(ifAlone, from: &usedIfAlone, upTo: most)
        )
    }

    private static func spend(_ amount: Money, from used: inout Money, upTo most: Money) -> Money {
        let left = max(0, most.hundredths - used.hundredths)
        let paid = Money(hundredths: min(amount.hundredths, left))
        used += paid
        return amount - paid
    }
}

/// What was charged at home, by one rate, in one year and for one vehicle.
struct EnergyKey: Hashable, Comparable {
    let rate: Int
    let year: ClosedRange<CivilDate>
    let vehicle: [UInt8]?

    static func < (left: EnergyKey, right: EnergyKey) -> Bool {
        if left.rate != right.rate { return left.rate < right.rate }
        if left.year != right.year { return left.year.lowerBound < right.year.lowerBound }
        return left.vehicle.precedes(right.vehicle) ?? false
    }
}

/// How much was charged at home.
struct EnergySum {
    private(set) var count: Int64 = 0

    /// The millionths of kilowatt-hours on the days of the claim, and before them.
    private(set) var quantity: Int64 = 0
    private(set) var before: Int64 = 0

    /// Adds an expense.
    mutating func add(_ quantity: Int64, _ use: Use) {
        if use.isBefore { before += quantity }
        guard use.isOnDays else { return }
        count += 1
        self.quantity += quantity
    }
}

/// The ways of a year that one limit of money is for.
struct MostKey: Hashable, Comparable {
    let scheme: String
    let year: ClosedRange<CivilDate>

    static func < (left: MostKey, right: MostKey) -> Bool {
        (left.year.lowerBound, left.scheme) < (right.year.lowerBound, right.scheme)
    }
}

/// The key of one threshold: the rates, the year and the vehicle for which it is counted.
struct ThresholdKey: Hashable {
    let series: RateSeries
    let year: ClosedRange<CivilDate>
    let vehicle: [UInt8]?
}

/// The distance that is counted against a threshold.
struct Counter {
    /// All of it, up to the trip that was added last.
    private(set) var all: Distance = .zero

    /// The part before the days of the claim.
    private(set) var before: Distance = .zero

    /// The part before the end of these days.
    private(set) var after: Distance = .zero

    /// Adds a trip.
    mutating func add(_ distance: Distance, _ use: Use) {
        all += distance
        if use.isBefore { before += distance }
        if use.isBefore || use.isOnDays { after += distance }
    }
}

/// A day on which one way counts by one row.
struct DayKey: Hashable, Comparable {
    let rate: Int
    let day: CivilDate

    static func < (left: DayKey, right: DayKey) -> Bool {
        (left.day, left.rate) < (right.day, right.rate)
    }
}

/// The trips of a day; only the longest counts, and the first of equally long ones.
struct OneWays {
    private(set) var longest: ClaimTrip

    /// The number of ways of the day, including those that are not claimed.
    ///
    /// A way that started during another one is the same way, recorded twice.
    private(set) var count = 0

    /// When the last of these ended.
    private var endedAt: Timestamp?

    /// Those that the claim is about.
    private(set) var asked = UnclaimedSum()

    /// Begins with the first trip, which is still to be added.
    init(_ first: ClaimTrip) {
        longest = first
    }

    /// Adds a trip; trips MUST come in order of their starts.
    mutating func add(_ trip: ClaimTrip, _ use: Use) {
        let isSeenAgain = endedAt.flatMap { end in trip.startedAt.map { $0 < end } } ?? false
        if !isSeenAgain {
            count += 1
            endedAt = trip.endedAt ?? endedAt
        }
        if trip.distance > longest.distance { longest = trip }
        if use.isClaimed { asked.add(1, trip.distance) }
    }
}

extension OneWays {
    /// How much of the day counts: whole with two ways, else what is known of the missing way
    /// decides.
    var day: LoneWay { count > 1 ? .whole : longest.alone }
}

/// The key of what is not claimed for one reason.
struct UnclaimedKey: Hashable, Comparable {
    let tripClass: TripClass
    let reason: UnclaimedReason
    let vehicle: [UInt8]?

    static func < (left: UnclaimedKey, right: UnclaimedKey) -> Bool {
        if left.tripClass != right.tripClass {
            return left.tripClass.position < right.tripClass.position
        }
        if left.reason != right.reason { return left.reason.rawValue < right.reason.rawValue }
        return left.vehicle.precedes(right.vehicle) ?? false
    }
}

/// The trips and the distance that are not claimed for one reason.
public struct UnclaimedSum: Hashable, Sendable {
    /// The number of trips.
    public private(set) var trips: Int64 = 0

    /// Their distance.
    public private(set) var distance: Distance = .zero

    /// Adds trips.
    mutating func add(_ trips: Int64, _ distance: Distance) {
        self.trips += trips
        self.distance += distance
    }
}

extension TripClass {
    /// Its place among the classes.
    var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension [UInt8]? {
    /// Returns whether a name comes before another, none first; `nil` if they are the same.
    fileprivate func precedes(_ other: [UInt8]?) -> Bool? {
        switch (self, other) {
        case (nil, nil): nil
        case (nil, _): true
        case (_, nil): false
        case (let left?, let right?): left == right ? nil : left.lexicographicallyPrecedes(right)
        }
    }
}
