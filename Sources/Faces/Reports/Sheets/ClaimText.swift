import Geodesy
import Rates
import Tables
import TotalsProjection
import TripEvents

/// The text of a claim below its lines: the rules by which they were made, and how certain these
/// are.
struct ClaimText {
    private let total: ClaimTotal
    private let assumedCars: [String]
    private let definesOneWay: Bool
    private let unit: DistanceUnit

    private var lines: [ClaimLine] { total.result.lines }

    /// Describes a claim.
    ///
    /// - Parameters:
    ///   - total: The claim.
    ///   - assumedCars: The vehicles that count as cars because their kind is unknown.
    ///   - definesOneWay: Whether people may say that a way to work was the only one of its day.
    ///   - unit: The unit of distances.
    init(_ total: ClaimTotal, assumedCars: [String], definesOneWay: Bool, unit: DistanceUnit) {
        self.total = total
        self.assumedCars = assumedCars
        self.definesOneWay = definesOneWay
        self.unit = unit
    }

    /// The sentences.
    var phrases: [Phrase] {
        [total.localDay.phrase, rounding] + expenses + years + oneWay + doubts + distances
            + vehicles + rates
            + [.noAdviceOnTaxes]
    }

    private var rounding: Phrase {
        lines.contains { $0.before > .zero }
            ? Phrase("\(Phrase.amountIsRounded) \(Phrase.partOfYear)") : .amountIsRounded
    }

    private var expenses: [Phrase] {
        let left = total.result.unclaimedExpenses
        guard !total.result.expenses.isEmpty || !left.isEmpty else { return [] }
        var phrases: [Phrase] = [.expenseCounts]
        if left.contains(where: { $0.reason == .noTrip }) { phrases.append(.nameTrip) }
        if left.contains(where: { $0.reason == .otherScheme }),
            let scheme = total.chargingSchemes.first
        {
            phrases.append(.chargedByScheme(scheme, in: total.question.jurisdiction))
        }
        return phrases
    }

    private var years: [Phrase] {
        guard lines.contains(where: { $0.threshold != nil }) else { return [] }
        let years = Set(lines.map(\.year)).sorted { $0.lowerBound < $1.lowerBound }
        return [.thresholds(ofYears: years)]
    }

    private var oneWay: [Phrase] {
        let ways = lines.filter { $0.rate.row.shape == .oneWayDayTiers }
        var phrases: [Phrase] = ways.isEmpty ? [] : [.longestCommute]
        // A way in several tiers has a line for each tier.
        let first = ways.filter { $0.tier == $0.rate.row.tiers.first }
        let half = first.reduce(0) { $0 + $1.halfDays }
        if half > 0 { phrases.append(.halfDays(half)) }
        for currency in Set(ways.map(\.rate.row.currency)).sorted() {
            let paid = ways.filter { $0.rate.row.currency == currency }
            let days = first.filter { $0.rate.row.currency == currency }
                .reduce(0) { $0 + $1.openDays }
            guard days > 0 else { continue }
            // What open days leave of the most of a year, other ways with that limit get.
            let isLimited = paid.contains { $0.openDays > 0 && $0.isLimited }
            let open = paid.filter { $0.openDays > 0 || isLimited && $0.isLimited }
            phrases.append(
                .openDays(
                    days,
                    claimed: open.reduce(.zero) { $0 + ($1.amount ?? .zero) - $1.cut },
                    ifAlone: open.reduce(.zero) { $0 + $1.amountIfAlone - $1.cutIfAlone },
                    currency: currency,
                    isDefined: definesOneWay
                )
            )
        }
        if let cut = total.result.cuts.first { phrases.append(.cut(cut)) }
        let others = total.result.otherWays
        if others.trips > 0 { phrases.append(.otherWays(others, in: unit)) }
        let isByBus = ways.contains { $0.mode == .bus || $0.mode == .rail }
        if isByBus || others.trips > 0, total.question.jurisdiction == LogJurisdiction.de.rawValue {
            phrases.append(.higherFares)
        }
        return phrases
    }

    /// What the claim cannot read, reads twice, or counts as one person's.
    private var doubts: [Phrase] {
        var phrases: [Phrase] = total.result.energies.isEmpty ? [] : [.chargedAtHome]
        let result = total.result
        if result.unreadPassengers > 0 {
            phrases.append(.unreadPassengers(result.unreadPassengers))
        }
        if result.contradicted > 0 { phrases.append(.contradicted(result.contradicted)) }
        if result.drivers.count > 1 { phrases.append(.severalDrivers(result.drivers)) }
        return phrases
    }

    private var distances: [Phrase] {
        let origins = total.result.origins
        let parts = DistanceOrigin.allCases.compactMap { origin in
            origins.distances[origin].map { (distance: $0, origin: origin) }
        }
        let all = Phrase.allTrips(
            origins.distance,
            in: unit,
            ofWhich: parts.filter { $0.distance > .zero }
        )
        guard origins.gaps > 0 else { return [all] }
        return [all, .gaps(origins.gaps, of: origins.gapDistance, in: unit)]
    }

    private var vehicles: [Phrase] {
        var phrases: [Phrase] = assumedCars.isEmpty ? [] : [.assumedCars(assumedCars)]
        let alike = namesAlike
        if !alike.isEmpty { phrases.append(.namesAlike(alike)) }
        return phrases
    }

    /// The vehicles of lines whose names differ from another one only in case.
    private var namesAlike: [String] {
        let names = Set(lines.compactMap(\.vehicle).map { NameKey($0) })
        return Dictionary(grouping: names) { $0.name.lowercased() }
            .values.filter { $0.count > 1 }
            .flatMap(\.self)
            .sorted()
            .map(\.name)
    }

    /// The notes on each rate that a line has.
    private var rates: [Phrase] {
        var seen: Set<String> = []
        let rates =
            lines.flatMap { [$0.rate, $0.multiplier].compactMap(\.self) }
            + total.result.energies.map(\.rate)
        return rates.filter { seen.insert($0.row.id).inserted }.map { .sureness(of: $0) }
    }
}
