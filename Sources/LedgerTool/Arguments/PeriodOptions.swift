import ArgumentParser
import Platform
import TotalsProjection
import TripEvents
import TripLedger

/// The options of commands that look at trips of some local days.
struct PeriodOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The first day, such as 2026-01-01.", valueName: "date"))
    var from: CivilDate?

    @Option(help: ArgumentHelp("The last day.", valueName: "date"))
    var to: CivilDate?

    @Option(help: "All days of a year.")
    var year: Int?

    @Option(
        help: ArgumentHelp(
            "Count each trip on its day in this time zone (default: by the trip's own UTC offset "
                + "if that is known, else in the ledger's time zone).",
            valueName: "zone"
        )
    )
    var timeZone: String?

    func validate() throws {
        if let year {
            guard from == nil, to == nil else {
                throw ValidationError("--year means all its days: use it without --from and --to.")
            }
            guard CivilDate(year: year, month: 1, day: 1) != nil else {
                throw ValidationError("--year must be a year from 1 to 9999.")
            }
        }
        if let from, let to, to < from {
            throw ValidationError("--to \(to) is before --from \(from).")
        }
        if let timeZone, !MachineTimeZone.isKnown(timeZone) {
            throw ValidationError(
                "\(Excerpt.escaped(timeZone)) is no time zone that this machine knows; "
                    + "use an IANA name such as Europe/Amsterdam."
            )
        }
    }

    /// Whether it is left open which days are meant.
    var isUnlimited: Bool { from == nil && to == nil && year == nil }

    /// Returns the days that are meant.
    func period(in ledger: Ledger) throws -> LocalPeriod {
        let zone = try TimeZoneRules.ofMachine(named: timeZone ?? ledger.founding.timeZone)
        return LocalPeriod(
            from: year.flatMap { CivilDate(year: $0, month: 1, day: 1) } ?? from,
            to: year.flatMap { CivilDate(year: $0, month: 12, day: 31) } ?? to,
            localDay: LocalDay(zone: zone, usesOwnOffsets: timeZone == nil)
        )
    }
}
