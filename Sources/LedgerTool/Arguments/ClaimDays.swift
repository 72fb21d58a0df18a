import ArgumentParser
import Platform
import Rates
import TripEvents
import TripLedger

/// The options of commands that make claims for some days, or for a tax year.
struct ClaimDays: ParsableArguments {
    @Option(
        help: """
            The tax year that begins in this year: from 1 January, in gb from 6 April, in au from \
            1 July.
            """
    )
    var year: Int?

    @Option(
        help: ArgumentHelp(
            "The first day, such as 2026-01-01, or the month or year that it begins.",
            valueName: "date"
        )
    )
    var from: TypedDays?

    @Option(help: ArgumentHelp("The last day, month or year.", valueName: "date"))
    var to: TypedDays?

    @Option(
        help: ArgumentHelp(
            "Count each trip on its day in this time zone (default: by its own UTC offset if that "
                + "is known, else in the ledger's time zone).",
            valueName: "zone"
        )
    )
    var timeZone: String?

    func validate() throws {
        guard (year == nil) == (from != nil && to != nil), (from == nil) == (to == nil) else {
            throw ValidationError("Say which days: --year 2025, or --from and --to.")
        }
        if let year { try PeriodOptions.requireFourDigits(year) }
        if let from, let to, to.last < from.first {
            throw ValidationError("--to \(to.last) is before --from \(from.first).")
        }
        if let timeZone { try PeriodOptions.requireKnown(timeZone: timeZone) }
    }

    /// Returns the days that are meant.
    ///
    /// - Parameter start: On which day the tax years of the jurisdiction begin.
    /// - Returns: The days.
    func days(ofYearsFrom start: YearStart) -> ClosedRange<CivilDate> {
        if let from, let to { return from.first...to.last }
        return start.year(beginningIn: year ?? 0)
    }

    /// Returns on which day a trip counts.
    func localDay(in ledger: Ledger) throws -> LocalDay {
        guard let timeZone else { return try ledger.requireClock() }
        return LocalDay(zone: try TimeZoneRules.ofMachine(named: timeZone), usesOwnOffsets: false)
    }
}
