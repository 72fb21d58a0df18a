import Geodesy
public import TripEvents

/// The money for the trips of some days by the rates of a jurisdiction.
///
/// Trips use up thresholds in order of their starts, over the whole of each year that thresholds
/// are counted in. So the slice of a trip is the same whichever days are asked for, and the claims
/// of any parts of a year add up to that of the year, to the hundredth: the money of a line is the
/// money of the year up to its last trip, less the money of the year before the first day.
public struct Claim: Sendable {
    /// The days.
    public let days: ClosedRange<CivilDate>

    /// The only vehicle whose trips are claimed; those of others use up thresholds all the same.
    public let vehicle: String?

    /// The only driver whose trips count, and use up thresholds; `nil` if all trips are those of
    /// one person.
    public let driver: String?

    /// The origins of the distance of the trips, claimed or not.
    public private(set) var origins = ClaimOrigins()

    private let otherSchemes: [RateStretch]
    private var matcher: RateMatcher
    private var lines: [LineKey: LineSum] = [:]
    private var thresholds: [ThresholdKey: Counter] = [:]
    private var oneWays: [DayKey: OneWays] = [:]

    /// How much of their yearly limit the ways of a year have used up.
    private var spent: [MostKey: YearlySpending] = [:]
    private var unclaimed: [UnclaimedKey: UnclaimedSum] = [:]
    private var expenses = ClaimedExpenses()
    private var energies: [EnergyKey: EnergySum] = [:]
    private var otherWays = UnclaimedSum()
    private var unreadPassengers: Int64 = 0
    private var contradicted: Int64 = 0

    /// Who drove the trips that use up an allowance that one person has once: a threshold, or a
    /// day.
    private var drivers: Set<NameKey> = []

    /// Creates a claim without trips.
    ///
    /// - Parameters:
    ///   - stretches: the rates, as `RateBook.stretches(in:scheme:region:)` returns them.
    ///   - days: the days.
    ///   - vehicle: the only vehicle, byte by byte; `nil` for all trips.
    ///   - driver: the only driver, byte by byte; `nil` for all trips.
    ///   - vehicles: what is known of vehicles, by their names.
    ///   - otherSchemes: rates that are not asked for; an expense that one of them pays is left out
    ///     for that reason.
    public init(
        by stretches: [RateStretch],
        on days: ClosedRange<CivilDate>,
        vehicle: String? = nil,
        driver: String? = nil,
        vehicles: [NameKey: ClaimVehicle] = [:],
        otherSchemes: [RateStretch] = []
    ) {
        self.days = days
        self.otherSchemes = otherSchemes
        self.vehicle = vehicle
        self.driver = driver
        matcher = RateMatcher(stretches, vehicles: vehicles)
    }

    /// The days whose trips MUST be added: the whole years of thresholds in which the days lie.
    public var neededDays: ClosedRange<CivilDate> {
        var needed = days
        for stretch in matcher.stretches {
            let start = stretch.row.yearStart
            let first = min(needed.lowerBound, start.year(of: days.lowerBound).lowerBound)
            needed = first...max(needed.upperBound, start.year(of: days.upperBound).upperBound)
        }
        return needed
    }

    // MARK: Trips

    /// Adds a trip; trips MUST come in order of their starts.
    public mutating func add(_ trip: ClaimTrip) {
        guard isAsked(driver: trip.driver) else { return }
        let use = Use(isAsked: isAsked(trip.vehicle), day: trip.day, days: days)
        if use.isClaimed { origins.add(trip) }
        if let limit = matcher.row(of: .limit, for: trip) {
            noteDriver(of: trip, use, by: limit)
            count(trip, use, by: limit)
            take(trip.distance, of: trip, use, by: limit, tier: 0)
        }
        guard let index = matcher.row(of: .distance, for: trip) else {
            if use.isClaimed { leaveOut(trip.distance, of: trip, matcher.reason(for: trip)) }
            return
        }
        noteDriver(of: trip, use, by: index)
        addPaid(trip, use, by: index)
        if trip.hasUnreadPassengers, use.isClaimed, matcher.row(of: .passengers, for: trip) != nil {
            unreadPassengers += 1
        }
        if trip.passengers > 0, let extra = matcher.row(of: .passengers, for: trip) {
            let product = trip.distance.millimeters
                .multipliedReportingOverflow(by: trip.passengers)
            if !product.overflow {
                let distance = Distance(millimeters: product.partialValue)
                take(distance, of: trip, use, by: extra, tier: 0)
            }
        }
    }

    /// Whether a rate pays for days with a way to work, so that ways alone on their days matter.
    public var paysDays: Bool {
        matcher.stretches.contains { $0.row.shape == .oneWayDayTiers }
    }

    /// Notes a trip that was added: another one of the same drive, which is left out for it, is of
    /// another class.
    public mutating func addContradicted(_ trip: ClaimTrip) {
        guard days.contains(trip.day), isAsked(trip.vehicle), isAsked(driver: trip.driver) else {
            return
        }
        contradicted += 1
    }

    /// Adds a trip that counts nowhere else because it was not made by car, if its rate is for ways
    /// of any kind: a trip by bicycle is added like any other, one by other means is only listed.
    ///
    /// Trips MUST come in order of their starts, together with those that count.
    public mutating func addOther(_ trip: ClaimTrip) {
        guard isAsked(driver: trip.driver), let index = matcher.row(of: .distance, for: trip),
            matcher.stretches[index].row.shape == .oneWayDayTiers
        else { return }
        if trip.mode == .bicycle {
            add(trip)
        } else if days.contains(trip.day), isAsked(trip.vehicle) {
            otherWays.add(1, trip.distance)
        }
    }

    /// Adds what another program's table of trips says was paid for a trip, in the currency of its
    /// rate.
    public mutating func add(_ kind: ExpenseKind, amount: ExactDecimal, of trip: ClaimTrip) {
        let row = matcher.row(of: .distance, for: trip).map { matcher.stretches[$0].row }
        guard let currency = (row ?? matcher.stretches.first?.row)?.currency else { return }
        add(ClaimExpense(kind: kind, amount: amount, currency: currency), of: trip)
    }

    /// Adds what was paid for a trip, which counts on the day of that trip.
    public mutating func add(_ expense: ClaimExpense, of trip: ClaimTrip) {
        guard isAsked(trip.vehicle), isAsked(driver: trip.driver),
            !addEnergy(of: expense, vehicle: trip.vehicle, on: trip.day), days.contains(trip.day)
        else { return }
        let row = matcher.row(of: .distance, for: trip).map { matcher.stretches[$0].row }
        let reason: UnclaimedExpenseReason? =
            if let row { row.beside.contains(expense.kind) ? nil : .inRate } else { .noRate }
        let other = reason == nil ? nil : otherScheme(for: expense, on: trip.day)
        expenses.add(expense, of: trip, unless: other ?? reason)
    }

    /// Adds an expense of a vehicle on a day that was paid for no trip that counts; its driver is
    /// the one for whom the vehicle is registered.
    public mutating func add(_ expense: ClaimExpense, vehicle: String?, on day: CivilDate) {
        guard isAsked(vehicle), isAsked(driver: matcher.driver(of: vehicle)),
            !addEnergy(of: expense, vehicle: vehicle, on: day), days.contains(day)
        else { return }
        expenses.add(expense, of: nil, unless: otherScheme(for: expense, on: day) ?? .noTrip)
    }

    /// Returns the reason that a scheme which is not asked for pays for an expense; `nil` if none
    /// does.
    private func otherScheme(
        for expense: ClaimExpense,
        on day: CivilDate
    ) -> UnclaimedExpenseReason? {
        guard expense.kind == .charging, expense.isAtHome else { return nil }
        let isPaid = otherSchemes.contains { stretch in
            stretch.row.purpose == .energy && stretch.days.contains(day.daysSince1970)
        }
        return isPaid ? .otherScheme : nil
    }

    /// Adds what was charged, if a rate is paid for it in place of what it cost; what is not paid
    /// is left out with the reason.
    ///
    /// Expenses earlier in the year are needed too, because the money of a part of a year is the
    /// money up to its end less the money before its beginning.
    ///
    /// - Returns: whether the expense is one of charging, and a rate pays for that.
    private mutating func addEnergy(
        of expense: ClaimExpense,
        vehicle: String?,
        on day: CivilDate
    ) -> Bool {
        guard expense.kind == .charging, let index = matcher.energyRow(on: day) else {
            return false
        }
        guard let quantity = expense.microKilowattHours, expense.isAtHome else {
            let reason: UnclaimedExpenseReason =
                expense.isAtHome ? .noKilowattHours : .notAtHome
            if days.contains(day) { expenses.add(expense, of: nil, unless: reason) }
            return true
        }
        let key = EnergyKey(
            rate: index,
            year: matcher.stretches[index].row.yearStart.year(of: day),
            vehicle: vehicle.map { Array($0.utf8) }
        )
        let use = Use(isAsked: true, day: day, days: days)
        energies[key, default: EnergySum()].add(quantity, use)
        return true
    }

    /// Returns whether the claim is about a vehicle.
    private func isAsked(_ name: String?) -> Bool {
        vehicle.map { name?.hasSameBytes(as: $0) ?? false } ?? true
    }

    /// Returns whether the claim is about a driver.
    private func isAsked(driver name: String?) -> Bool {
        driver.map { name?.hasSameBytes(as: $0) ?? false } ?? true
    }

    /// Notes who drove a trip that uses up an allowance that one person has once: a distance or an
    /// amount of the year, or a day with a way to work.
    private mutating func noteDriver(of trip: ClaimTrip, _ use: Use, by index: Int) {
        guard let name = trip.driver else { return }
        let row = matcher.stretches[index].row
        let isOfYear = row.subject == .person || row.most != nil
        let isOfDay = row.shape == .oneWayDayTiers
        if use.isOnDays && (isOfYear || isOfDay) || use.isBefore && isOfYear {
            drivers.insert(NameKey(name))
        }
    }

    private mutating func addPaid(_ trip: ClaimTrip, _ use: Use, by index: Int) {
        let row = matcher.stretches[index].row
        switch row.shape {
        case .oneWayDayTiers:
            let key = DayKey(rate: index, day: trip.day)
            oneWays[key, default: OneWays(trip)].add(trip, use)
        case .marginalTiers, .cap: addSlices(trip, use, by: index)
        default:
            if row.subject != nil { count(trip, use, by: index) }
            take(trip.distance, of: trip, use, by: index, tier: 0)
        }
    }

    /// Divides a trip among tiers, by what was counted against the threshold before it.
    private mutating func addSlices(_ trip: ClaimTrip, _ use: Use, by index: Int) {
        let row = matcher.stretches[index].row
        let before = count(trip, use, by: index)
        var rest = trip.distance.millimeters
        var position = before.millimeters
        for (number, tier) in row.tiers.enumerated() {
            let end = tier.upTo.map { $0 * row.unit.millimeters } ?? .max
            let slice = min(rest, max(0, end - position))
            // A trip without distance counts in the tier that the one before it has reached.
            guard slice > 0 || trip.distance == .zero && position < end else { continue }
            take(Distance(millimeters: slice), of: trip, use, by: index, tier: number)
            rest -= slice
            position += slice
            if rest == 0 { return }
        }
        if rest > 0, use.isClaimed {
            leaveOut(Distance(millimeters: rest), of: trip, .aboveLimit)
        }
    }

    /// Counts a trip against the threshold of its row, and returns what was counted before it.
    @discardableResult
    private mutating func count(_ trip: ClaimTrip, _ use: Use, by index: Int) -> Distance {
        let key = thresholdKey(of: trip.vehicle, on: trip.day, by: index)
        let before = thresholds[key]?.all ?? .zero
        thresholds[key, default: Counter()].add(trip.distance, use)
        return before
    }

    private func thresholdKey(
        of vehicle: String?,
        on day: CivilDate,
        by index: Int
    ) -> ThresholdKey {
        let row = matcher.stretches[index].row
        let owner = row.subject == .vehicle ? vehicle.map { Array($0.utf8) } : nil
        return ThresholdKey(
            series: RateSeries(of: row),
            year: row.yearStart.year(of: day),
            vehicle: owner
        )
    }

    private mutating func take(
        _ distance: Distance,
        of trip: ClaimTrip,
        _ use: Use,
        by index: Int,
        tier: Int,
        as day: LoneWay = .whole
    ) {
        let key = LineKey(
            rate: index,
            tier: tier,
            multiplier: matcher.multiplier(for: trip),
            year: matcher.stretches[index].row.yearStart.year(of: trip.day),
            tripClass: trip.tripClass,
            vehicle: trip.vehicle.map { Array($0.utf8) },
            mode: matcher.stretches[index].row.most == nil ? nil : trip.mode
        )
        let earlier = lines[key] ?? LineSum()
        lines[key, default: earlier].add(distance, use, as: day)
        takeOff(key, after: earlier, use)
    }

    /// Takes off a line the money of its last way that is above the yearly limit, which the earlier
    /// ways of all vehicles have used up in order of their days.
    private mutating func takeOff(_ key: LineKey, after earlier: LineSum, _ use: Use) {
        guard let amount = matcher.stretches[key.rate].row.most?.amount, let sum = lines[key],
            let most = Money(rounding: amount)
        else { return }
        let line = line(of: key, sum)
        guard line.isLimited else { return }
        let year = MostKey(scheme: line.rate.row.scheme, year: key.year)
        let over = spent[year, default: YearlySpending()]
            .spend(
                line.amount(for: sum.all) - line.amount(for: earlier.all),
                ifAlone: line.amount(for: sum.allIfAlone) - line.amount(for: earlier.allIfAlone),
                upTo: most
            )
        if use.isClaimed { lines[key]?.takeOff(over.amount, ifAlone: over.ifAlone) }
    }

    private mutating func leaveOut(
        _ distance: Distance,
        of trip: ClaimTrip,
        _ reason: UnclaimedReason
    ) {
        let isOfVehicle = reason == .noFiscalPower || reason == .noRateForVehicle
        let key = UnclaimedKey(
            tripClass: trip.tripClass,
            reason: reason,
            vehicle: isOfVehicle ? trip.vehicle.map { Array($0.utf8) } : nil
        )
        unclaimed[key, default: UnclaimedSum()].add(1, distance)
    }

    // MARK: Results

    /// Returns the lines and what is not claimed, after the last trip.
    public consuming func finish() -> ClaimResult {
        for (key, ways) in oneWays.sorted(by: { $0.key < $1.key }) { take(ways, on: key) }
        let lines = lines.filter { $0.value.trips > 0 }
            .sorted { $0.key < $1.key }
            .map { line(of: $0.key, $0.value) }
        let none = UnclaimedKey(tripClass: .unclassified, reason: .unclassified, vehicle: nil)
        unclaimed[none, default: UnclaimedSum()].add(0, .zero)
        let left = unclaimed.sorted { $0.key < $1.key }
            .map { key, sum in
                UnclaimedLine(
                    tripClass: key.tripClass,
                    reason: key.reason,
                    vehicle: key.vehicle.map { String(decoding: $0, as: UTF8.self) },
                    trips: sum.trips,
                    distance: sum.distance
                )
            }
        return ClaimResult(
            lines: lines,
            unclaimed: left,
            expenses: expenses.lines,
            energies: energyLines,
            cuts: Self.cuts(of: lines),
            otherWays: otherWays,
            unreadPassengers: unreadPassengers,
            contradicted: contradicted,
            unclaimedExpenses: expenses.unclaimed,
            origins: origins,
            drivers: drivers.sorted().map(\.name)
        )
    }

    /// What was charged at home, in order of the rates, the years and then the vehicles.
    private var energyLines: [EnergyLine] {
        energies.filter { $0.value.count > 0 }
            .sorted { $0.key < $1.key }
            .map { key, sum in
                EnergyLine(
                    rate: matcher.stretches[key.rate],
                    year: key.year,
                    vehicle: key.vehicle.map { String(decoding: $0, as: UTF8.self) },
                    count: sum.count,
                    microKilowattHours: sum.quantity,
                    microKilowattHoursBefore: sum.before
                )
            }
    }

    /// Returns the amounts by which the lines of years exceed their yearly limits.
    private static func cuts(of lines: [ClaimLine]) -> [ClaimCut] {
        var years: [MostKey: ClaimCut] = [:]
        for line in lines where line.cut != .zero {
            guard let most = line.rate.row.most.flatMap({ Money(rounding: $0.amount) }) else {
                continue
            }
            let year = MostKey(scheme: line.rate.row.scheme, year: line.year)
            let amount = (years[year]?.amount ?? .zero) + line.cut
            years[year] = ClaimCut(rate: line.rate, year: line.year, most: most, amount: amount)
        }
        return years.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes the longest way of a day, in full units, and leaves the others out; if it is the only
    /// way of the day, half of it is taken unless it counts whole.
    private mutating func take(_ ways: OneWays, on key: DayKey) {
        let row = matcher.stretches[key.rate].row
        let unit = row.unit.millimeters
        let units = ways.longest.distance.millimeters / unit
        let use = Use(isAsked: isAsked(ways.longest.vehicle), day: key.day, days: days)
        let day = ways.day
        let divisor: Int64 = day == .half ? 2 : 1
        var start: Int64 = 0
        for (number, tier) in row.tiers.enumerated() where start < units {
            let end = min(units, tier.upTo ?? units)
            let slice = Distance(millimeters: max(0, end - start) * unit / divisor)
            take(slice, of: ways.longest, use, by: key.rate, tier: number, as: day)
            start = end
        }
        let taken = use.isClaimed ? units * unit / divisor : 0
        let rest = ways.asked.distance - Distance(millimeters: taken)
        guard rest > .zero else { return }
        let isWhole = use.isClaimed && taken == ways.longest.distance.millimeters
        let left = UnclaimedKey(
            tripClass: ways.longest.tripClass,
            reason: .oneWayADay,
            vehicle: nil
        )
        unclaimed[left, default: UnclaimedSum()].add(ways.asked.trips - (isWhole ? 1 : 0), rest)
    }

    private func line(of key: LineKey, _ sum: LineSum) -> ClaimLine {
        let stretch = matcher.stretches[key.rate]
        let row = stretch.row
        let vehicle = key.vehicle.map { String(decoding: $0, as: UTF8.self) }
        let counter =
            row.subject == nil
            ? nil
            : thresholds[thresholdKey(of: vehicle, on: key.year.lowerBound, by: key.rate)]
        let tier =
            row.shape == .wholeDistanceBracket
            ? row.bracket(of: sum.before + sum.distance) : row.tiers[key.tier]
        let edge = tier.upTo ?? row.tiers.last { $0.upTo != nil }?.upTo
        let threshold =
            row.subject == nil
            ? nil : edge.map { Distance(millimeters: $0 * row.unit.millimeters) }
        return ClaimLine(
            rate: stretch,
            tier: tier,
            multiplier: key.multiplier.map { matcher.stretches[$0] },
            tripClass: key.tripClass,
            vehicle: vehicle,
            mode: key.mode,
            isLimited: row.most
                .map { matcher.isLimited($0, vehicle: vehicle.map { NameKey($0) }, by: key.mode) }
                ?? false,
            year: key.year,
            trips: sum.trips,
            distance: sum.distance,
            before: sum.before,
            threshold: threshold,
            countedBefore: counter?.before ?? .zero,
            countedAfter: counter?.after ?? .zero,
            halfDays: sum.halfDays,
            openDays: sum.openDays,
            openDistance: sum.openDistance,
            openBefore: sum.openBefore,
            cut: sum.cut,
            cutIfAlone: sum.cutIfAlone
        )
    }
}
