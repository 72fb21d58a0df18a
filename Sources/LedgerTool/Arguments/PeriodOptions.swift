import ArgumentParser
import Platform
import Reports
import TotalsProjection
import TripEvents
import TripLedger

/// The options of commands that look at trips or entries of some local days.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The first day, such as 2026-01-01, or the month or year that it begins.",
            valueName: "date"
        )
    )
    var from: TypedDays?

    @Option(help: ArgumentHelp("The last day, month or year.", valueName: "date"))
    var to: TypedDays?

    @Option(help: "All days of a year.")
    var year: Int?

    @Option(help: "All days of a month, such as 2026-03.")
    var month: TypedDays?

    @Option(help: "One day, such as 2026-03-14.")
    var day: CivilDate?

    @Option(
        help: ArgumentHelp(
            "Count each trip or entry on its day in this time zone (default: by its own UTC offset "
                + "if that is known, else in the ledger's time zone).",
            valueName: "zone"
        )
    )
    var timeZone: String?

    func validate() throws {
        let said = [year != nil, month != nil, day != nil, from != nil || to != nil]
        guard said.count(where: \.self) <= 1 else {
            throw ValidationError(
                "--year, --month and --day mean all their days: use one, without --from and --to."
            )
        }
        if let year { try Self.requireFourDigits(year) }
        if let month, month.first.month != month.last.month || month.first == month.last {
            throw ValidationError("--month must be a month, such as 2026-03.")
        }
        if let from, let to, to.last < from.first {
            throw ValidationError("--to \(to.last) is before --from \(from.first).")
        }
        if let timeZone { try Self.requireKnown(timeZone: timeZone) }
    }

    /// Makes sure that the machine knows a time zone.
    ///
    /// - Throws: `ValidationError`.
    static func requireKnown(timeZone: String) throws {
        guard !MachineTimeZone.isKnown(timeZone) else { return }
        throw ValidationError(
            "\(Excerpt.escaped(timeZone)) is no time zone that this machine knows; "
                + "use an IANA name such as Europe/Amsterdam."
        )
    }

    /// Makes sure that a year is not one of a few digits.
    ///
    /// - Throws: `ValidationError`.
    static func requireFourDigits(_ year: Int) throws {
        guard !(1_000...9_999).contains(year) else { return }
        let question = (0...99).contains(year) ? "; did you mean \(2_000 + year)?" : "."
        throw ValidationError("\(year) is no year of four digits\(question)")
    }

    /// The clock of the time zone that was asked for; `nil` if none was.
    ///
    /// - Throws: `LedgerError` if the machine does not know it.
    var clock: LocalDay? {
        get throws {
            try timeZone.map {
                LocalDay(zone: try TimeZoneRules.ofMachine(named: $0), usesOwnOffsets: false)
            }
        }
    }

    /// Whether it is left open which days are meant.
    var isUnlimited: Bool { first == nil && last == nil }

    /// Whether the days that are meant have a first and a last one.
    var isLimited: Bool { first != nil && last != nil }

    /// Finds out which days are meant.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - jurisdiction: Whose tax years `--year` means; `nil` for those of the calendar.
    /// - Returns: The days.
    /// - Throws: `LedgerError` if the machine does not know the time zone.
    func period(
        in ledger: Ledger,
        taxYearsOf jurisdiction: LogJurisdiction? = nil
    ) throws -> LocalPeriod {
        let days = days(taxYearsOf: jurisdiction)
        let localDay = try clock ?? ledger.requireClock()
        return LocalPeriod(from: days.first, to: days.last, localDay: localDay)
    }

    /// Returns the first and the last day that are meant, as far as they are said; `--year` means a
    /// tax year of the jurisdiction, or one of the calendar if there is none.
    func days(taxYearsOf jurisdiction: LogJurisdiction?) -> (first: CivilDate?, last: CivilDate?) {
        let taxYear = year.flatMap { jurisdiction?.days(ofTaxYear: $0) }
        return (taxYear?.lowerBound ?? first, taxYear?.upperBound ?? last)
    }

    private var first: CivilDate? {
        year.flatMap { CivilDate(year: $0, month: 1, day: 1) } ?? day ?? (month ?? from)?.first
    }

    private var last: CivilDate? {
        year.flatMap { CivilDate(year: $0, month: 12, day: 31) } ?? day ?? (month ?? to)?.last
    }
}
