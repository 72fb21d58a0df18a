import ArgumentParser
import Platform
import TotalsProjection
import TripEvents
import TripLedger

/// The options of commands that look at trips or entries of some local days.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The first day, or the month or year that it begins.",
            valueName: "date"
        )
    )
    var from: TypedDays?

    @Option(help: ArgumentHelp("The last day, month or year.", valueName: "date"))
    var to: TypedDays?

    @Option(help: "All days of a year.")
    var year: Int?

    @Option(help: "All days of a month: 2026-03, this or last.")
    var month: TypedMonth?

    @Option(help: "One day, such as 2026-03-14, today or yesterday.")
    var day: TypedDay?

    @Option(help: ArgumentHelp("Count days by the clock of this time zone.", valueName: "zone"))
    var timeZone: String?

    func validate() throws {
        let said = [year != nil, month != nil, day != nil, from != nil || to != nil]
        guard said.count(where: \.self) <= 1 else {
            throw ValidationError(
                "--year, --month and --day mean all their days: use one, without --from and --to."
            )
        }
        if let year { try Self.requireFourDigits(year) }
        _ = try ends(on: CivilDate(of: EventTime(WallClock.now)))
        if let timeZone { try Self.requireKnown(timeZone: timeZone) }
    }

    /// Returns the first and the last day that --from and --to mean when they are given on a day.
    ///
    /// - Throws: `ValidationError` if they are in the wrong order.
    func ends(on today: CivilDate) throws -> (first: CivilDate?, last: CivilDate?) {
        let (first, last) = (from?.days(on: today).first, to?.days(on: today).last)
        if let first, let last, last < first {
            throw ValidationError("--to \(last) is before --from \(first).")
        }
        return (first, last)
    }

    /// Makes sure that the machine knows a time zone.
    ///
    /// - Throws: `ValidationError`.
    static func requireKnown(timeZone: String) throws {
        guard !MachineTimeZone.isKnown(timeZone) else { return }
        let unknown = "\(Excerpt.escaped(timeZone)) is no time zone that this machine knows"
        throw ValidationError(
            TimeZoneRules.question(about: timeZone).map { "\(unknown). \($0)" }
                ?? "\(unknown); use an IANA name such as Europe/Amsterdam."
        )
    }

    /// Makes sure that a year has four digits.
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

    /// Whether no days are given.
    var isUnlimited: Bool {
        year == nil && month == nil && day == nil && from == nil && to == nil
    }

    /// Returns the days that are meant.
    ///
    /// - Parameter ledger: The ledger.
    /// - Returns: The days.
    /// - Throws: `LedgerError` if the machine does not know the time zone.
    func period(in ledger: Ledger) throws -> LocalPeriod {
        let localDay = try clock ?? ledger.requireClock()
        let today = localDay.day(of: EventTime(WallClock.now))
        let whole =
            year.flatMap { AskedDays("\($0)") } ?? day.map { AskedDays($0.day(on: today)) }
            ?? month?.days(on: today)
        let ends = try ends(on: today)
        return LocalPeriod(
            from: whole?.first ?? ends.first,
            to: whole?.last ?? ends.last,
            localDay: localDay
        )
    }
}

/// The option of commands that show trips as they are at a moment.
struct AsOfOption: ParsableArguments {
    @Option(help: ArgumentHelp("Let time pass to this moment, not to now.", valueName: "time"))
    var asOf: TypedTime?

    /// Returns the moment that is meant.
    func instant(in ledger: Ledger) throws -> Timestamp {
        try asOf?.time(in: ledger).timestamp ?? WallClock.now
    }

    /// Returns the unit of distances in the settings of a snapshot at that moment.
    func units(of snapshot: borrowing Snapshot, in ledger: Ledger) throws -> DistanceUnit {
        snapshot.settings.units(at: try instant(in: ledger))
    }
}

extension Ledger {
    /// Reads the ledger in its state at the present time.
    func readNow<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
        try read(asOf: WallClock.now, body)
    }
}
