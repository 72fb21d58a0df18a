import ArgumentParser
import TripEvents
import TripLedger

/// The options for the trips to which a routine applies automatically.
struct PatternOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Trips that start at this place.", valueName: "place"),
        completion: .place
    )
    var fromPlace: String?

    @Option(
        help: ArgumentHelp("Trips that end at this place.", valueName: "place"),
        completion: .place
    )
    var toPlace: String?

    @Flag(inversion: .prefixedNo, help: "The other way, too.")
    var bothWays: Bool?

    @Option(
        help: ArgumentHelp(
            "On these days: mon-fri, or sat,sun, or all (default: all).",
            valueName: "days"
        )
    )
    var days: TypedWeekdays?

    @Option(
        help: ArgumentHelp("From this day or time on (default: now).", valueName: "time")
    )
    var since: TypedTime?

    @Flag(help: "To no trip any more: from now on, apply it by hand.")
    var byHand = false

    /// Whether any of them is given.
    var isGiven: Bool {
        fromPlace != nil || toPlace != nil || bothWays != nil || days != nil || since != nil
            || byHand
    }

    func validate() throws {
        let isPattern =
            fromPlace != nil || toPlace != nil || bothWays != nil || days != nil || since != nil
        guard !byHand || !isPattern else {
            throw ValidationError(
                "--by-hand is for a routine that applies to no trip by itself: leave out "
                    + "--from-place and the like."
            )
        }
        for (option, place) in [("--from-place", fromPlace), ("--to-place", toPlace)]
        where place == "" {
            throw ValidationError("\(option) is empty; leave it out for trips from or to anywhere.")
        }
    }

    /// Returns the edit that the options describe.
    func edit(in ledger: Ledger) throws -> PatternEdit {
        var edit = PatternEdit()
        edit.pattern = TripPattern(
            from: fromPlace,
            to: toPlace,
            goesBothWays: bothWays,
            days: days?.days,
            since: try since?.time(in: ledger)
        )
        edit.isRemoval = byHand
        return edit
    }
}

/// Days of the week as people type them.
struct TypedWeekdays: ExpressibleByArgument {
    /// The days in order.
    let days: [Weekday]

    /// Reads days and ranges of days, such as `mon-fri` or `tue,thu,sat-sun`, or `all`.
    init?(argument: String) {
        let all = Weekday.allCases
        guard argument != "all" else {
            days = all
            return
        }
        var chosen: Set<Weekday> = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Weekday(rawValue: $0.lowercased()) }
            guard ends.count <= 2, let first = ends.first.flatMap(\.self),
                let last = ends.last.flatMap(\.self)
            else { return nil }
            var day = first
            chosen.insert(day)
            while day != last {
                day = all[((all.firstIndex(of: day) ?? 0) + 1) % all.count]
                chosen.insert(day)
            }
        }
        days = all.filter(chosen.contains)
    }
}
