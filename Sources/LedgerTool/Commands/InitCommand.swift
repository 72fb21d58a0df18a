import ArgumentParser
import Platform
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
        let made = NewLedger(founding: ledger.founding, path: ledger.path, head: try ledger.head())
        try Output.show(made, as: options.format, text: \.text)
    }
}

/// A ledger that was just made.
struct NewLedger: Tabular {
    let founding: LedgerCreated
    let path: FilePath
    let head: LedgerHead

    /// What it is: `ledger.v1.schema.json`.
    static let columns = Columns<NewLedger> {
        Column.name("ledger", "Id") { $0.founding.ledger }
        Column.text("path") { $0.path.string }
        Column.text("time_zone", "Time zone") { $0.founding.timeZone }
        Column.name("units", "Units") { $0.founding.units.rawValue }
        Column.name("rules") { $0.founding.rulesVersion }
        Column.integer("size") { $0.head.size }
        Column.name("root") { $0.head.root }
    }

    /// For people, with what to do next.
    var text: String {
        let place = Excerpt.escaped(path.string)
        let next =
            "Append events with `ledger --ledger \(place) append FILE`, or press GO with "
            + "`ledger --ledger \(place) go`."
        return """
            Made a ledger in \(place).
            \(Self.columns.facts(self).text(width: Screen.columnCount))
            \(TextStyle.screen.wrapped(next))

            """
    }
}
