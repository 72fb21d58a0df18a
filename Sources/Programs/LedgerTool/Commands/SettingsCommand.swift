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
            A setting holds from now on, or from a day on. The time zone is that of trips that \
            begin from then on and whose device did not say how far it was from UTC. The others \
            are what lists, reports and the page go by where you ask for nothing else; reports \
            that were issued stay as they were.

            Examples:
              ledger settings
              ledger settings --time-zone Europe/Berlin --language de --country de
              ledger settings --time-zone Asia/Tokyo --from 2026-05-01
              ledger settings --keeper "Roofs & Sons Ltd" --paper a4
              ledger settings --unset paper
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var decision: DecisionOptions

    @Option(help: ArgumentHelp("The time zone, as an IANA name.", valueName: "zone"))
    var timeZone: String?

    @Option(help: "The unit of distances: km or mi.")
    var units: DistanceUnit?

    @Option(help: "The language of reports and the page: de, en, fr or nl, or such as en-GB.")
    var language: String?

    @Option(help: "The country whose reports are meant, by its two letters, such as de.")
    var country: String?

    @Option(help: "The paper of documents: a4 or letter.")
    var paper: PaperSize?

    @Option(help: "Who keeps the ledger, a person or a firm, as logs name them.")
    var keeper: String?

    @Option(
        help: ArgumentHelp("Take a setting back: language, country, paper or keeper.")
    )
    var unset: [SettingName] = []

    @Option(
        help: ArgumentHelp(
            "The time from which it holds (default: now). Days and times as in `ledger go --at`.",
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
            paper: change(.paper, paper)
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
                ListedSetting.all(in: snapshot.settings, at: WallClock.now)
            }
        }
        let time = try from?.time(in: ledger)
        try decision.decide(.changeSettings(change), at: time, in: ledger, options) { outcome in
            effect(outcome, in: ledger)
        }
    }

    /// Returns what a new time zone means, in a sentence.
    private func effect(_ outcome: DecisionOutcome, in ledger: Ledger) -> String {
        guard case .settingsChanged(let change) = outcome.event.body, let zone = change.timeZone
        else { return "" }
        let time = EventTime(outcome.event.occurredAt).told(by: ledger.clock)
        return "Trips that begin from \(LocalTime.text(time, by: ledger.clock)) on count in "
            + "\(zone), unless their device said its offset from UTC.\n"
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
        }
    }
}
