package import Projections
import TripEvents
package import TripLedger

/// A clock that went back, and the command that puts it right.
package struct ClockNotice {
    private let source: String
    /// How it went back.
    package let step: ClockStep

    /// Returns `nil` if the clock of a source has not gone back.
    package init?(_ source: LedgerStatus.Source) {
        guard let step = source.clockStep else { return nil }
        self.source = source.name
        self.step = step
    }

    /// The command that moves what was reported by that clock, as far as it is known.
    package var command: String {
        // The first full minute after it.
        let minute: Int64 = 60_000
        let end = (step.until.milliseconds.flooredQuotient(by: minute) + 1) * minute
        let to = RFC3339.text(Timestamp(milliseconds: end))
        return "ledger shift-clock \(ShellWord.quoted(source)) --from \(RFC3339.text(step.to)) "
            + "--to \(to) --by \(Self.argument(step.milliseconds))"
    }

    /// Returns a span of time as `--by` takes it.
    private static func argument(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 500) / 1_000
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        return parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
    }
}
