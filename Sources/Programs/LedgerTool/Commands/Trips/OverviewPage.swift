import ArgumentParser
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The page that `ledger` prints without a command, on a screen of 24 lines.
///
/// It shows the state of the current ledger or how to make one, everyday commands, and where to
/// find the rest.
struct OverviewPage {
    /// How many sources with something to say are shown.
    private static let mostSources = 3

    /// How many characters a path, a source's name and what stands beside a label may have, so that
    /// lines have at most 80.
    private static let (pathLength, nameLength, factLength) = (40, 20, 68)

    private static let commands = [
        ("ledger go, ledger stop", "begin and end a trip by hand"),
        ("ledger append FILE", "take in what a phone or a tracker recorded"),
        ("ledger status", "what is going on, and what to do next"),
        ("ledger trips", "the trips, newest first"),
        ("ledger edit last --purpose WHAT", "say what the last trip was for"),
        ("ledger totals", "what the trips of each month add up to"),
        ("ledger report log --year YEAR", "the mileage log of a year"),
    ]

    /// The directory of the ledger, or `nil` for the usual one.
    private let directory: String?

    /// Takes arguments without a command, which may name a ledger; `nil` for all others.
    init?(_ arguments: [String]) {
        let option = "--ledger"
        if arguments.isEmpty {
            directory = nil
        } else if arguments.count == 2, arguments[0] == option, !arguments[1].isEmpty {
            directory = arguments[1]
        } else if arguments.count == 1, arguments[0].hasPrefix(option + "="),
            arguments[0].count > option.count + 1
        {
            directory = String(arguments[0].dropFirst(option.count + 1))
        } else {
            return nil
        }
    }

    /// Writes the page.
    ///
    /// - Throws: `LedgerError` if there is a ledger that cannot be read; `OutputError`.
    func show() throws {
        let ledger = try ledgerText()
        // Its commands stand in a table that says once which ledger they are for.
        let option = directory.map { ", with --ledger \(Excerpt.escaped(ShellWord.quoted($0)))" }
        let commands = FactSheet(Self.commands).text(width: Screen.columnCount.map { $0 - 2 })
        let table = ProgramName.named(
            """
            \(Self.indented(commands))
            `ledger help` lists all commands, `ledger help trips` explains one.

            """
        )
        try Output.standard.writing { output in
            try output.write("\(LedgerCommand.configuration.abstract)\n\n\(ledger)\n")
            try output.write("Every day\(option ?? ""):\n\(table)")
        }
    }

    /// The status of the ledger, or how to make one.
    private func ledgerText() throws -> String {
        do {
            let ledger = try LedgerOption.open(directory)
            defer { ledger.close() }
            return FactSheet(try facts(of: ledger)).text(width: Screen.columnCount)
        } catch let error as LedgerError where error.code == .missingLedger {
            let place = Self.cut(Excerpt.escaped(error.place), to: Self.pathLength)
            let name = ProgramName.current
            return """
                There is no ledger in \(place) yet. Make one:
                  \(ProgramName.shown(command: "ledger init"))

                Or try it with a simulated drive:
                  \(name) --ledger try init
                  \(name) simulate home-to-office | \(name) --ledger try append
                  \(name) --ledger try trips

                """
        }
    }

    private func facts(of ledger: Ledger) throws -> [(label: String, fact: String)] {
        let (status, latest) = try ledger.readNow { snapshot in
            (
                try snapshot.status(asOf: WallClock.now),
                try snapshot.trips(TripFilter(limit: 1)).first?.booked
            )
        }
        let unit = status.units
        let activities = status.sources.map { SourceActivity($0, unit: unit) }
        let shown = activities.filter(\.isWorthALook)
        let entries = Count.text(status.head.size, "entry", "entries")
        let path = Self.cut(Excerpt.escaped(ledger.path.string), to: Self.pathLength)
        var facts = [("Ledger", "\(path), \(entries)")]
        for activity in shown.prefix(Self.mostSources) {
            let name = Self.cut(Excerpt.escaped(activity.source.name), to: Self.nameLength)
            facts.append(
                (
                    "Now",
                    Self.cut("\(name): \(activity.message(by: ledger.clock))", to: Self.factLength)
                )
            )
            facts.append(("Next", SuggestedCommand(activity.source).shown))
        }
        if shown.count > Self.mostSources {
            let command = ProgramName.shown("`ledger status`")
            facts.append(("", "… and \(shown.count - Self.mostSources) more: \(command)"))
        } else if shown.isEmpty {
            let next = SuggestedCommand.shown(amongIdle: activities)
            facts += [("Now", "No trip is going on"), ("Next", next)]
        }
        if let latest, latest.status != .active {
            let figures = TripText(latest, unit: unit, clock: ledger.clock).shortFigures
            let day = LocalTime.clock(
                latest.trip.startedAt,
                seenAt: WallClock.now,
                by: ledger.clock
            )
            facts.append(("Last trip", "\(day), \(figures) (\(latest.id.short))"))
        }
        return facts
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// Returns a text that is short enough to leave room for the rest of its line.
    private static func cut(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }
}
