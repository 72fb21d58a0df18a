import ArgumentParser
import Platform
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger init`.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a new ledger.",
        discussion: """
            The time zone and the units are those of lists and reports. They stand in the ledger's \
            first entry, which, like every entry, is never changed; `ledger settings` says \
            others from a day on. Where this machine's zone is UTC or not known, you are asked \
            for one at a terminal; elsewhere it is UTC.

            Examples:
              ledger init
              ledger --ledger book init --time-zone Europe/Amsterdam --units km
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(help: "The time zone, as an IANA name (default: this machine's, else UTC).")
    var timeZone: String?

    @Option(help: "The unit of distances: km or mi.")
    var units: DistanceUnit = .kilometers

    func validate() throws {
        if let timeZone { try PeriodOptions.requireKnown(timeZone: timeZone) }
    }

    func run() throws {
        let machine = MachineTimeZone.name.flatMap { Self.namesOfUTC.contains($0) ? nil : $0 }
        let named = try timeZone ?? machine ?? namedZone
        let zone = named ?? TimeZoneRules.utc.name
        // With a zone that cannot be checked, the ledger's times could not be shown.
        _ = try TimeZoneRules.ofMachine(named: zone)
        let ledger = try Ledger.create(
            at: options.path,
            settings: LedgerSettings(timeZone: zone, units: units),
            now: WallClock.now
        )
        defer { ledger.close() }
        var made = NewLedger(founding: ledger.founding, path: ledger.path, head: try ledger.head())
        made.isZoneAssumed = named == nil
        try Output.show(made, as: options.format, text: \.text)
    }

    /// The names of the default zone of a machine.
    private static let namesOfUTC: Set<String> = [
        "UTC", "UCT", "Universal", "Zulu", "GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich", "Etc/UTC",
        "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT", "Etc/GMT0", "Etc/GMT+0", "Etc/GMT-0",
        "Etc/Greenwich",
    ]

    /// The zone that a person names at a terminal; `nil` if there is none.
    private var namedZone: String? {
        get throws {
            guard options.format == .text, Terminal.isStandardInput, Terminal.isStandardError,
                try !Ledger.isOne(at: options.path)
            else { return nil }
            return Self.askedZone()
        }
    }

    /// Asks for a zone until this machine knows it; `nil` if the person names none.
    private static func askedZone() -> String? {
        while true {
            let question = "In which time zone do you drive (such as Europe/Amsterdam; UTC)? "
            guard let answer = Question.answer(question), !answer.isEmpty else { return nil }
            do throws(LedgerError) {
                return try TimeZoneRules.ofMachine(named: answer).name
            } catch {
                Diagnostic.say("\(error.cause.prefix(1).uppercased())\(error.cause.dropFirst()). ")
                Diagnostic.say(error.hint + (error.hint.hasSuffix("?") ? "\n" : ".\n"))
            }
        }
    }
}

/// A ledger that was just made.
struct NewLedger: Tabular {
    let founding: LedgerCreated
    let path: FilePath
    let head: LedgerHead

    /// Whether the time zone is UTC because nothing named another one.
    var isZoneAssumed = false

    /// The new ledger: `ledger.v1.schema.json`.
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
            "Append events with `ledger append FILE`, enter a trip with `ledger report-trip`, or "
            + "press GO with `ledger go` while a phone records."
        let zone =
            "The time zone is UTC, as this machine names no other. `ledger settings --time-zone "
            + "Europe/Amsterdam` says where you drive."
        let sentences = ((isZoneAssumed ? [zone] : []) + [next])
            .map { TextStyle.screen.wrapped(ProgramName.shown($0)) }
        return """
            Made a ledger in \(place).
            \(Self.columns.facts(self).text(width: Screen.columnCount))
            \(sentences.joined(separator: "\n"))

            """
    }
}
