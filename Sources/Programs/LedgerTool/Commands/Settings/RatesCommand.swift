import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import Rates
import Tables
import TripEvents
import TripLedger

/// The command `ledger rates`.
struct RatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Lists, loads or sets what is paid for a distance.",
        discussion: """
            The program comes with rates of us, gb, ca, nl, de, at, au and fr from 2015 on, each \
            with its sources and how sure it is. A row has two times: the days on which it holds, \
            and the day from which it was known. Tables that are loaded, and rates that are \
            set, are events of the ledger, and count before those of the program.

            Examples:
              ledger rates list --jurisdiction gb --on 2026-04-20
              ledger rates show gb.amap.business.car_or_van.2026-04-06
              ledger rates set company --rate 0.35 --per km --currency EUR \\
                --from 2026-01-01
            """,
        subcommands: [
            RatesListCommand.self, RatesShowCommand.self, RatesCheckCommand.self,
            RatesLoadCommand.self, RatesSetCommand.self,
        ]
    )
}

/// The command `ledger rates list`.
struct RatesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists rates with the days on which they hold.",
        discussion: """
            Where a rate was announced backwards, FROM and TO of the one before say until when it \
            holds by what is known now; with --as-known-on, by what was known then. Where there is \
            no ledger, and none is named, the rates of the program are listed.

            Examples:
              ledger rates list --jurisdiction us
              ledger rates list --jurisdiction gb --on 2026-04-20 --as-known-on 2026-05-01
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions

    @Option(help: "Only this jurisdiction, such as gb, or a name of your own.")
    var jurisdiction: String?

    @Option(help: ArgumentHelp("Only rates that hold on this day.", valueName: "day"))
    var on: TypedDay?

    @OptionGroup var knowledge: KnowledgeOption

    func run() throws {
        try options.list(
            in: table,
            ifEmpty: "There are no such rates; `ledger rates list` lists all."
        ) { tables in
            let book = RateBook(tables, knownOn: knowledge.day)
            return ListedRate.all(
                of: book,
                jurisdiction: jurisdiction?.lowercased(),
                on: on?.day(on: .today)
            )
        }
    }
}

/// The option of commands that look at rates as they were known on a day.
struct KnowledgeOption: ParsableArguments {
    @Option(
        name: [.customLong("as-known-on"), .customLong("rates-as-known-on")],
        help: ArgumentHelp(
            "Only rates that were known on this day (default: all).",
            valueName: "day"
        )
    )
    var typedDay: TypedDay?

    /// The day; `nil` for all that is known.
    var day: CivilDate? { typedDay?.day(on: .today) }
}

/// The command `ledger rates show`.
struct RatesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows all that is known of a rate, with its sources.",
        discussion: """
            Example:
              ledger rates show us.standard_mileage.business.2026-01-01
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>

    @Argument(help: "The name of the rate, as `ledger rates list` has it.")
    var rate: String

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let all = try ledger.readNow { try $0.rates() }
        let rows = ListedRate.all(of: RateBook(all.tables))
        let found = rows.filter { $0.id == rate }
        guard !found.isEmpty else {
            let question = NearestNames(to: rate, among: Set(rows.map(\.id)).sorted()).question
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "there is no rate \(Excerpt.escaped(rate))",
                hint: question ?? "`ledger rates list` lists them"
            )
        }
        try options.showEach(found)
    }
}

/// The command `ledger rates check`.
struct RatesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Names rates that end soon, or that are not sure.",
        discussion: """
            ends: within 60 days, and no later row is known. ended: in the year before, likewise. \
            unsure: the row holds, and is less than highly sure; its note says why. Where there is \
            no ledger, and none is named, the rates of the program are looked at.

            Examples:
              ledger rates check
              ledger rates check --jurisdiction gb --on 2026-08-01
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Option(help: "Only this jurisdiction, such as gb, or a name of your own.")
    var jurisdiction: String?

    @Option(help: ArgumentHelp("The day on which to look (default: today).", valueName: "day"))
    var on: TypedDay?

    func run() throws {
        try options.list(in: table, ifEmpty: "No rate ends soon, and all are highly sure.") {
            CheckedRate.all(
                of: RateBook($0),
                jurisdiction: jurisdiction?.lowercased(),
                on: on?.day(on: .today) ?? .today
            )
        }
    }
}

extension GlobalOptions {
    /// Writes a list that is made from tables of rates: those that the ledger uses, or those of the
    /// program if there is no ledger and none is named.
    fileprivate func list<Row: Tabular>(
        in table: TableOptions,
        ifEmpty remark: String,
        _ rows: ([RateTable]) throws -> [Row]
    ) throws {
        let found: Ledger
        do {
            found = try open()
        } catch let error as LedgerError where error.code == .missingLedger && ledger == nil {
            let style = table.style(TextStyle.screen)
            return try list(try rows(RateTable.builtIn()), in: table, style: style, ifEmpty: remark)
        }
        defer { found.close() }
        try list(from: found, in: table, ifEmpty: remark) { snapshot in
            let rates = try snapshot.rates()
            Diagnostic.sayUnreadable(rates)
            return try rows(rates.tables)
        }
    }
}

/// The option of commands that may give the owner's rate the name of an official one.
struct OfficialNameOption: ParsableArguments {
    @Flag(help: "Allow the name of an official rate or table.")
    var asOfficial = false

    /// Refuses a table that would be mistaken for one of the program.
    ///
    /// - Throws: `.unreadableInput`.
    func require(_ table: RateTable, at place: String) throws(LedgerError) {
        guard !asOfficial, let cause = LoadedRates.mistakable(table) else { return }
        throw LedgerError(
            .unreadableInput,
            at: place,
            cause: cause,
            hint: "Nothing was changed. Give it a name of its own, or add --as-official: claims "
                + "and `ledger verify` will say that the rate is this ledger's own"
        )
    }
}

/// The command `ledger rates load`.
struct RatesLoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Takes a table of rates into the ledger.",
        discussion: """
            The file is one of `ledger schema rate-table`. Its rows stand in the log, with the \
            SHA-256 of the file, so that nothing else is needed to compute a claim again. A table \
            takes the place of an earlier one of its name; a row counts before those of the \
            program that are for the same trips. Claims and `ledger verify` call such a row the \
            ledger's own. One that has the name of a rate or a table of the program, and says \
            something else, is refused: give it a name of its own, or add --as-official.

            Example:
              ledger rates load company-2026.json
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: OwnerDecisionOptions

    @OptionGroup var official: OfficialNameOption

    @Argument(help: "The file.", completion: .file(extensions: ["json"]))
    var file: String

    func run() throws {
        let bytes = try InputFile.bytes(of: file)
        let table: RateTable
        do throws(RateProblem) {
            table = try RateTable(bytes)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: file,
                cause: error.description,
                hint: "`ledger schema rate-table` says what a table looks like"
            )
        }
        try official.require(table, at: file)
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(.loadRates(table.loading(from: bytes)), in: ledger, options)
    }
}

/// The command `ledger rates set`.
struct RatesSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a rate of your own, such as what a company pays.",
        discussion: """
            The name is that of a jurisdiction: `ledger report claim --jurisdiction company` goes \
            by it. Another rate from a later day on ends the one before.

            Examples:
              ledger rates set company --rate 0.35 --per km --currency EUR \\
                --from 2026-01-01
              ledger rates set client-a --rate 0.60 --per mi --currency USD \\
                --from 2026-01-01 --class business --class commute
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: OwnerDecisionOptions

    @OptionGroup var official: OfficialNameOption

    @Argument(help: "What it is called: small letters, digits, _ and -.")
    var name: String

    @Option(help: "The money for one unit of distance, such as 0.35.")
    var rate: ExactDecimal

    @Option(help: "The unit: km or mi.")
    var per: DistanceUnit

    @Option(help: "The currency, such as EUR.")
    var currency: String

    @Option(help: ArgumentHelp("The first day on which it holds.", valueName: "day"))
    var from: CivilDate

    @Option(help: ArgumentHelp("The last day (default: none).", valueName: "day"))
    var to: CivilDate?

    @Option(
        help: ArgumentHelp(
            "The first day on which it was known (default: the first on which it holds).",
            valueName: "day"
        )
    )
    var knownFrom: CivilDate?

    @Option(
        name: .customLong("class"),
        help: "The class of trips that it is for; once for each (default: business)."
    )
    var classes: [TripClass] = []

    func validate() throws {
        guard to.map({ from <= $0 }) ?? true else {
            throw ValidationError("--to is before --from.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let own = OwnRate(
            name: name,
            rate: rate,
            unit: per,
            currency: currency,
            classes: classes.isEmpty ? [.business] : classes,
            from: from,
            to: to,
            knownFrom: knownFrom ?? from
        )
        let tables = try ledger.readNow { try $0.rates() }.tables
        let old = tables.first { $0.name.hasSameBytes(as: name) }
        let table: RateTable
        do throws(RateProblem) {
            table = try own.table(after: old)
        } catch {
            throw ValidationError(error.description)
        }
        try official.require(table, at: name)
        try decision.decide(.loadRates(table.loading()), in: ledger, options)
    }
}

extension Diagnostic {
    /// Reports the tables in the log that are invalid, so that no figure uses them.
    static func sayUnreadable(_ rates: LoadedRates) {
        for (table, problem) in rates.unreadable {
            note("the rates \(table) in the log are no table, and count for nothing: \(problem)")
        }
    }
}

extension CivilDate {
    /// The present day in UTC: rates need no ledger, and so no time zone.
    fileprivate static var today: CivilDate { CivilDate(of: EventTime(WallClock.now)) }
}
