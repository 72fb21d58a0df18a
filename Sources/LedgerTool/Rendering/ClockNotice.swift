import Platform
import Projections
import RowFormats
import TripEvents
import TripLedger

/// What is said of a clock that went back, and the command that puts it right.
struct ClockNotice {
    private let source: String
    private let step: ClockStep

    /// Returns `nil` if the clock of a source has not gone back.
    init?(_ source: LedgerStatus.Source) {
        guard let step = source.clockStep else { return nil }
        self.source = source.name
        self.step = step
    }

    /// What the clock did, without a full stop: "went back by 1 h at …".
    var what: String {
        let back = Self.span(step.from.milliseconds(since: step.to))
        let fixes = Count.text(UInt64(clamping: step.fixes), "fix", "fixes")
        return "went back by \(back) at \(RFC3339.text(step.from)), while recording went on; "
            + "\(fixes) since may count too early"
    }

    /// The command that moves what was reported by that clock, as far as it is known.
    var command: String {
        // The first full minute after it.
        let minute: Int64 = 60_000
        let end = (step.until.milliseconds.flooredQuotient(by: minute) + 1) * minute
        let to = RFC3339.text(Timestamp(milliseconds: end))
        return "ledger shift-clock \(ShellWord.quoted(source)) --from \(RFC3339.text(step.to)) "
            + "--to \(to) --by \(Self.argument(step.milliseconds))"
    }

    /// Returns a span of time as people say it, to the second.
    static func span(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000 % 60
        let text = LocalTime.span(milliseconds: milliseconds)
        guard seconds != 0, milliseconds >= 60_000 else { return text }
        return "\(text) \(seconds) s"
    }

    /// Returns a span of time as `--by` takes it.
    private static func argument(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 500) / 1_000
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        return parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
    }
}
