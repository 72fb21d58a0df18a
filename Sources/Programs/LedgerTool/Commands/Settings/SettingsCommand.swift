import ArgumentParser
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The command `ledger settings`.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows or changes the settings of the ledger.",
        discussion: """
            A setting holds from now on, or from a day on; a time zone from the beginning, as \
            long as no trip or reading is in the ledger. It is that of trips that begin from then \
            on and whose device did not say how far it was from UTC, and of times without an \
            offset that you type or append; what is stored keeps its time. The others \
            are what lists, reports and the page go by where you ask for nothing else; reports \
            that were issued stay as they were.

            Examples:
              ledger settings
              ledger settings --time-zone Europe/Berlin --language de --country de
              ledger settings --time-zone Asia/Tokyo --from 2026-05-01
              ledger settings --keeper "Roofs & Sons Ltd" --paper a4
              ledger settings --driver Eva --of-source phone
              ledger settings --unset paper
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions
    @OptionGroup var decision: OwnerDecisionOptions

    @Option(help: ArgumentHelp("The time zone, as an IANA name.", valueName: "zone"))
    var timeZone: String?

    @Option(help: "The unit of distances: km or mi.")
    var units: DistanceUnit?

    @Option(
        help: ArgumentHelp(
            "The language of reports: de, en, fr or nl, or such as en-GB; the page has its own."
        )
    )
    var language: String?

    @Option(help: "The country whose reports are meant, by its two letters, such as de.")
    var country: String?

    @Option(help: "The paper of documents: a4 or letter.")
    var paper: PaperSize?

    @Option(help: "Who keeps the ledger, a person or a firm, as logs name them.")
    var keeper: String?

    @Option(help: "Who drives the trips of a source where nothing else says it; with --of-source.")
    var driver: String?

    @Option(help: ArgumentHelp("The source whose driver is meant.", valueName: "source"))
    var ofSource: String?

    @Option(
        help: ArgumentHelp("Take a setting back: language, country, paper, keeper or driver.")
    )
    var unset: [SettingName] = []

    @Option(
        help: ArgumentHelp(
            "The time from which it holds (default: see above). Times as in `ledger go --at`.",
            valueName: "time"
        )
    )
    var from: TypedTime?

    func validate() throws {
        for name in unset where given.contains(name) {
            throw ValidationError("\(name.option) is set and taken back: say one of both.")
        }
        for name in unset where name == .timeZone || name == .units {
            throw ValidationError("A ledger always has \(name.words): set another one.")
        }
        guard (driver != nil || unset.contains(.driver)) == (ofSource != nil) else {
            throw ValidationError("--driver and --of-source belong together: who drives for which.")
        }
        guard from == nil || !change.isEmpty else {
            throw ValidationError("--from says from when on a setting holds: name one.")
        }
        if !change.isEmpty { try options.refuseCSV() }
    }

    /// The settings that are given a value.
    private var given: [SettingName] {
        let options: [(SettingName, Bool)] = [
            (.timeZone, timeZone != nil), (.units, units != nil), (.language, language != nil),
            (.country, country != nil), (.paper, paper != nil), (.keeper, keeper != nil),
            (.driver, driver != nil),
        ]
        return options.filter(\.1).map(\.0)
    }

    /// The change.
    private var change: SettingsChanged {
        SettingsChanged(
            timeZone: timeZone,
            units: units,
            keeper: change(.keeper, keeper),
            language: change(.language, language.map(Self.languageTag)),
            country: change(.country, country?.lowercased()),
            paper: change(.paper, paper),
            driver: change(.driver, driver),
            appliesTo: ofSource
        )
    }

    private func change<Value>(_ name: SettingName, _ value: Value?) -> DetailChange<Value> {
        value.map { .set($0) } ?? (unset.contains(name) ? .cleared : .unchanged)
    }

    /// Returns the tag of a language as BCP 47 writes it: `en-GB` for `EN-gb`.
    private static func languageTag(_ text: String) -> String {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let tail = parts.dropFirst().map { $0.uppercased() }
        return ([parts.first?.lowercased() ?? ""] + tail).joined(separator: "-")
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        guard !change.isEmpty else {
            return try options.list(from: ledger, in: table, ifEmpty: "") { snapshot in
                try ListedSetting.all(in: snapshot, at: WallClock.now)
            }
        }
        let time = try from?.time(in: ledger)
        try decision.decide(.changeSettings(change), at: time, in: ledger, options) { outcome in
            effect(outcome, in: ledger)
        }
    }

    /// Returns the effect of a new time zone, in a sentence.
    private func effect(_ outcome: DecisionOutcome, in ledger: Ledger) -> String {
        guard case .settingsChanged(let change) = outcome.event.body, let zone = change.timeZone
        else { return "" }
        let unless = ", unless their device said its offset from UTC.\n"
        if isFromBeginning(zone, in: ledger) {
            return "All trips count in \(zone)" + unless
        }
        let time = EventTime(outcome.event.occurredAt).told(by: ledger.clock)
        let first = LocalTime.text(time, by: ledger.clock)
        let trips = "Trips that begin from \(first) on count in \(zone)" + unless
        guard from == nil else { return trips }
        return trips + "Earlier ones keep theirs: `ledger settings --time-zone \(zone) --from DAY` "
            + "changes it from a day on.\n"
    }

    /// Whether a time zone is the only one that the ledger ever had.
    private func isFromBeginning(_ zone: String, in ledger: Ledger) -> Bool {
        guard let zones = try? ledger.settings().timeZones else { return false }
        return zones.map(\.name) == [zone]
    }
}

extension SettingName {
    /// The option that sets it.
    fileprivate var option: String { "--" + rawValue.map { $0 == "_" ? "-" : $0 } }

    /// The setting in words.
    fileprivate var words: String {
        switch self {
        case .timeZone: "a time zone"
        case .units: "a unit"
        case .language: "a language"
        case .country: "a country"
        case .paper: "a paper"
        case .keeper: "a keeper"
        case .driver: "a driver"
        }
    }
}
