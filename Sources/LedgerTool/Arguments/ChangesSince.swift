import ArgumentParser
import TotalsProjection
import TripEvents
import TripLedger

/// The time or the entries after which changes are listed.
enum ChangesSince: ExpressibleByArgument {
    private static let dayMilliseconds: Int64 = 86_400_000
    private static let minuteMilliseconds: Int64 = 60_000

    /// The first so many entries are known.
    case size(UInt64)

    /// From a local day on, in the ledger's time zone.
    case day(CivilDate)

    /// From an instant on.
    case time(EventTime)

    /// The entries of a head are known.
    case head(NamedHead)

    /// Reads digits as a number of entries, `YYYY-MM-DD` as a day, RFC 3339 as a time, and
    /// everything else as a head.
    init?(argument: String) {
        if let size = UInt64(argument) {
            self = .size(size)
        } else if let day = CivilDate(argument) {
            self = .day(day)
        } else if let time = RFC3339.time(argument) {
            self = .time(time)
        } else if let head = NamedHead(argument: argument) {
            self = .head(head)
        } else {
            return nil
        }
    }

    /// Returns from where on changes are looked at.
    ///
    /// - Throws: `LedgerError.unreadableInput` if the head cannot be read, `ValidationError` if
    ///   this machine does not know the ledger's time zone.
    func start(in ledger: Ledger) throws -> ChangesStart {
        switch self {
        case .size(let size): return .size(size)
        case .time(let time): return .instant(time.timestamp)
        case .head(let head): return .head(try head.read().head)
        case .day(let day):
            let zone = try MachineTimeZone.rules(of: ledger.founding.timeZone)
            return .instant(Self.beginning(of: day, in: zone))
        }
    }

    /// Returns when a local day begins.
    private static func beginning(of day: CivilDate, in zone: TimeZoneRules) -> Timestamp {
        let midnight = Int64(day.daysSince1970) * dayMilliseconds
        func offset(at instant: Int64) -> Int64 {
            let offset = zone.utcOffset(at: Timestamp(milliseconds: instant))
            return Int64(offset?.minutes ?? 0) * minuteMilliseconds
        }
        // The offset at midnight is that of an instant near it, unless clocks change just then.
        return Timestamp(milliseconds: midnight - offset(at: midnight - offset(at: midnight)))
    }
}
