import LedgerRows
import Projections
import Tables
import TripEvents

extension ClockNotice {
    /// A clause about what the clock did, without a full stop: "went back by 1 h at …".
    var what: String {
        let back = Self.span(step.from.milliseconds(since: step.to))
        let fixes = Count.text(UInt64(clamping: step.fixes), "fix", "fixes")
        return "went back by \(back) at \(RFC3339.text(step.from)), while recording went on; "
            + "\(fixes) since may count too early"
    }

    /// Returns a span of time as people say it, to the second: from two days on in days.
    static func span(_ milliseconds: Int64) -> String {
        let days = milliseconds / Timestamp.millisecondsPerDay
        if days > 1 {
            let rest = milliseconds % Timestamp.millisecondsPerDay
            return Count.text(UInt64(days), "day", "days") + (rest < 1_000 ? "" : " \(span(rest))")
        }
        let seconds = milliseconds / 1_000 % 60
        let text = LocalTime.span(milliseconds: milliseconds)
        guard seconds != 0, milliseconds >= 60_000 else { return text }
        return "\(text) \(seconds) s"
    }
}
