import ArgumentParser
import Platform
import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger init`.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a new ledger.",
        discussion: """
            The time zone and the units are those of its reports. They stand in the ledger's \
            first entry, which, like every entry, is never changed.

            Examples:
              ledger init
              ledger --ledger book init --time-zone Europe/Amsterdam --units km
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "The time zone, as an IANA name (default: this machine's, else UTC).")
    var timeZone: String?

    @Option(help: "The unit of distances: km or mi.")
    var units: DistanceUnit = .kilometers

    func validate() throws {
        try options.refuseCSV()
        if let timeZone, !MachineTimeZone.isKnown(timeZone) {
            throw ValidationError(
                "\(Excerpt.escaped(timeZone)) is no time zone that this machine knows; "
                    + "use an IANA name such as Europe/Amsterdam."
            )
        }
    }

    func run() throws {
        let zone = timeZone ?? MachineTimeZone.name ?? "UTC"
        let ledger = try Ledger.create(
            at: options.path,
            settings: LedgerSettings(timeZone: zone, units: units),
            now: WallClock.now
        )
        defer { ledger.close() }
        let founding = NewLedger(ledger: ledger, head: try ledger.head())
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(founding.json)
            case .text, .csv: try output.write(founding.text)
            }
        }
    }
}

/// A ledger that was just made, as `ledger init` shows it.
struct NewLedger {
    let ledger: Ledger
    let head: LedgerHead

    /// For people, with what to do next.
    var text: String {
        let place = Excerpt.escaped(ledger.path.string)
        return """
            Made a ledger in \(place).
            Id         \(ledger.founding.ledger)
            Time zone  \(Excerpt.escaped(ledger.founding.timeZone))
            Units      \(ledger.founding.units.rawValue)

            Append events with `ledger --ledger \(place) append FILE`, or press GO with \
            `ledger --ledger \(place) go`.

            """
    }

    /// For programs.
    var json: RowJSON {
        var json = RowJSON()
        json.add("ledger", text: ledger.founding.ledger)
        json.add("path", text: ledger.path.string)
        json.add("time_zone", text: ledger.founding.timeZone)
        json.add("units", text: ledger.founding.units.rawValue)
        json.add("rules", text: ledger.founding.rulesVersion)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
        return json
    }
}
