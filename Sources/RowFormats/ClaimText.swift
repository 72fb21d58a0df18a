import Geodesy
import Rates
import TotalsProjection
import TripEvents

/// What a claim says below its lines: by which rules they were made, and how sure they are.
struct ClaimText {
    private let total: ClaimTotal
    private let assumedCars: [String]
    private let unit: DistanceUnit

    private var lines: [ClaimLine] { total.result.lines }

    /// Describes a claim.
    ///
    /// - Parameters:
    ///   - total: The claim.
    ///   - assumedCars: The vehicles that count as cars because nothing says what they are.
    ///   - unit: The unit of distances.
    init(_ total: ClaimTotal, assumedCars: [String], unit: DistanceUnit) {
        self.total = total
        self.assumedCars = assumedCars
        self.unit = unit
    }

    /// The sentences.
    var sentences: [String] {
        ([total.localDay.sentence, rounding, expenses, years, oneWay] + distances + vehicles + rates
            + ["Figures by the rates that are named, and no advice on taxes."])
            .filter { !$0.isEmpty }
    }

    private var rounding: String {
        let part =
            lines.contains { $0.before > .zero }
            ? " Of a part of a year, it is what the year comes to until then less what it came to "
                + "before (BEFORE)."
            : ""
        return "An amount is distance times rate, computed from whole millimetres and rounded once "
            + "to hundredths, half away from zero; the total is the sum of the lines." + part
    }

    private var expenses: String {
        guard !total.result.expenses.isEmpty || !total.result.unclaimedExpenses.isEmpty else {
            return ""
        }
        return "An expense counts on the day of its trip, in its own currency, rounded to "
            + "hundredths."
    }

    private var years: String {
        guard lines.contains(where: { $0.threshold != nil }) else { return "" }
        let years = Set(lines.map(\.year)).sorted { $0.lowerBound < $1.lowerBound }
            .map { "\($0.lowerBound) to \($0.upperBound)" }
        return "Thresholds are counted in order of the trips over each whole year: "
            + years.joined(separator: ", ") + "."
    }

    private var oneWay: String {
        guard lines.contains(where: { $0.rate.row.shape == .oneWayDayTiers }) else { return "" }
        return "Of the commutes of a day the longest counts, once, in full units, as the way to "
            + "work; TRIPS are days."
    }

    private var distances: [String] {
        let origins = total.result.origins
        let parts = DistanceOrigin.allCases.compactMap { origin -> String? in
            guard let distance = origins.distances[origin], distance > .zero else { return nil }
            return "\(DistanceText.text(distance, in: unit)) \(origin.rawValue)"
        }
        let all =
            "All trips of these days: \(DistanceText.text(origins.distance, in: unit))"
            + (parts.isEmpty ? "." : ", of which \(parts.joined(separator: ", ")).")
        guard origins.gaps > 0 else { return [all] }
        let gaps = origins.gaps == 1 ? "1 gap" : "\(origins.gaps) gaps"
        let lower =
            "\(gaps) of \(DistanceText.text(origins.gapDistance, in: unit)) in a straight "
            + "line, where nothing was measured, are in no distance: it is a lower bound."
        return [all, lower]
    }

    private var vehicles: [String] {
        guard !assumedCars.isEmpty else { return [] }
        let names = assumedCars.map { Excerpt.escaped($0) }.joined(separator: ", ")
        return [
            "No kind is registered of \(names), so these count as cars: "
                + "`ledger vehicle register` says what they are."
        ]
    }

    /// What is to be known of each rate that a line has.
    private var rates: [String] {
        var seen: Set<String> = []
        let rows = lines.flatMap { [$0.rate, $0.multiplier].compactMap(\.self) }.map(\.row)
        return rows.filter { seen.insert($0.id).inserted }
            .map { row in
                let known =
                    row.isKnownFromAssumed
                    ? "known from about \(row.knownFrom), which was not verified"
                    : "known from \(row.knownFrom)"
                let sure =
                    row.confidence == .own
                    ? "set for this ledger" : "\(row.confidence.rawValue) confidence"
                return "\(row.id): \(sure), \(known)." + (row.note.map { " \($0)" } ?? "")
            }
    }
}
