import ArgumentParser
import LedgerRows
import TripEvents
import TripLedger

/// The command `ledger shift-clock`.
struct ShiftClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shift-clock",
        abstract: "Says that the clock of a source was wrong for some time.",
        discussion: """
            What the source reported with times from --from up to --to, by its own clock, counts \
            as having happened later by --by, or earlier if that is negative. The events stay as \
            they are: trips are made again from the times that count, and `ledger explain` shows \
            both. Of several about the same times the last one holds, so --by 0 takes it back.

            `ledger status` says when a clock went back; --by 0 over that time says that it was \
            right.

            Examples:
              ledger shift-clock phone --by 1h \\
                --from 2025-10-26T02:00:00Z --to 2025-10-26T03:00:00Z
              ledger shift-clock box --by -2h \\
                --from 2025-03-30T01:00:00Z --to 2025-10-26T01:00:00Z
              ledger shift-clock box --by 0 \\
                --from 2025-03-30T01:00:00Z --to 2025-10-26T01:00:00Z
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The source whose clock was wrong.", completion: .source)
    var source: String

    @Option(
        help: ArgumentHelp(
            "The first time that was wrong, by the clock of the source: \(TypedTime.forms).",
            valueName: "time"
        )
    )
    var from: TypedTime

    @Option(
        help: ArgumentHelp(
            "The first time that was right again, by that clock; a day that was all wrong.",
            valueName: "time"
        )
    )
    var to: TypedTime

    @Option(
        // A value that begins with a minus sign is not an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "By how much the clock was behind: 1h, 1h30m, 90s or 7d; -1h if it was ahead.",
            valueName: "span"
        )
    )
    var by: ClockSpan

    @Option(help: "Why; people who read the book later see it.")
    var why: String?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (from, to) = (try from.time(in: ledger), try to.end(in: ledger))
        guard from.timestamp < to.timestamp else {
            throw ValidationError("--to is to be later than --from.")
        }
        let shift = ClockShifted(
            appliesTo: source,
            from: from,
            to: to,
            bySeconds: by.seconds,
            why: why
        )
        try decision.decide(.shiftClock(shift), in: ledger, options) { _ in
            "What \(Excerpt.escaped(source)) reported in that time "
                + "\(by.text); see `ledger trips`.\n"
        }
    }
}

/// A span of time such as `1h30m`, or `-2h`.
struct ClockSpan: ExpressibleByArgument {
    /// The span in seconds.
    let seconds: ExactDecimal

    private let milliseconds: Int64

    init?(argument: String) {
        var rest = argument[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        var sum: Int64 = 0
        if rest != "0" {
            guard !rest.isEmpty else { return nil }
            while let unit = rest.firstIndex(where: \.isLetter) {
                guard let milliseconds = Self.units[rest[unit]],
                    let part = Self.milliseconds(rest[..<unit], of: milliseconds)
                else { return nil }
                let (next, isTooLong) = sum.addingReportingOverflow(part)
                guard !isTooLong else { return nil }
                sum = next
                rest = rest[rest.index(after: unit)...]
            }
            guard rest.isEmpty else { return nil }
        }
        guard sum <= ClockShifted.mostSeconds * 1_000,
            let seconds = ExactDecimal(significand: isNegative ? -sum : sum, decimals: 3)
        else { return nil }
        self.seconds = seconds
        milliseconds = isNegative ? -sum : sum
    }

    private static let units: [Character: Int64] = [
        "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000,
    ]

    private static func milliseconds(_ number: Substring, of unit: Int64) -> Int64? {
        guard number.first?.isNumber == true,
            let units = ExactDecimal(argument: String(number))?.units(places: 3)
        else { return nil }
        let (product, isTooLong) = units.multipliedReportingOverflow(by: unit)
        return isTooLong || product % 1_000 != 0 ? nil : product / 1_000
    }

    /// The effect on events, such as `counts as having happened 1 h later`.
    var text: String {
        guard milliseconds != 0 else { return "counts when it was reported to have happened" }
        let span = ClockNotice.span(abs(milliseconds))
        return "counts as having happened \(span) \(milliseconds > 0 ? "later" : "earlier")"
    }
}
