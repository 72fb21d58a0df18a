import ArgumentParser
import LedgerKeeping
import LedgerRows
import Papers
import Platform
import ServerStore
import Tables
import TripEvents
import TripLedger

/// The command `ledger token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists, changes or revokes the tokens that let phones and programs in.",
        discussion: """
            They are for `ledger serve`. Give each app and program a token of its \
            own, so that one can be revoked without the others. A server that runs needs not be \
            told: it goes by what is said here from then on.

            Tokens stand in the directory server of the ledger, as digests from which nothing can \
            be made; backups take them along, exports do not.

            Examples:
              ledger token new phone
              ledger token new phone --qr owntracks --url https://ledger.example
              ledger token list
              ledger token show phone
              ledger token revoke phone
            """,
        subcommands: [
            TokenNewCommand.self, TokenListCommand.self, TokenShowCommand.self,
            TokenChangeCommand.self, TokenRevokeCommand.self,
        ]
    )
}

/// The command `ledger token new`.
struct TokenNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a token, and prints it this one time.",
        discussion: """
            Examples:
              ledger token new phone --qr owntracks --url https://ledger.example
              ledger token new golf --press --source phone --url https://ledger.example
              ledger token new eva --page
              ledger token new dashboard --scope read --scope live
              ledger token new auditor --scope audit --expires 2027-01-01
              ledger token new tracker --time-zone Europe/Amsterdam
              ledger token new box-17 --group 17
              ledger token new phone --owntracks-key - < key.txt

            Without --scope it only delivers, and reads nothing; what it delivers is from its \
            source, whatever an app says of itself. With --qr it prints what sets up an app in one \
            act, as a link and as a QR code, with the steps and the values to type. With --press \
            it can only press GO and STOP, by two addresses for automations. With --page it lets a \
            browser in, once, within ten minutes. `ledger help tokens` says what each scope is \
            good for, and more.
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "Its name, and the actor of what is decided with it.")
    var name: String

    @Option(
        help: "What it lets its holder do; may be repeated (default: ingest; press: --press)."
    )
    var scope: [TokenScope] = []

    @Option(
        help: """
            Whose events it delivers, and whose trips alone it sees and decides about; may be \
            repeated, the first one delivers.
            """,
        completion: .source
    )
    var source: [String] = []

    @Option(help: "The group of its sources (default: the owner's).")
    var group: SourceGroup?

    @Option(
        help: ArgumentHelp("When it expires: a day, as 2027-01-31, or a time.", valueName: "time")
    )
    var expires: String?

    @OptionGroup var reading: ReadingOptions

    @Option(name: .customLong("qr"), help: "The app to set up.")
    var app: DeliveryApp?

    @Flag(help: "Let a browser in to the page, once.")
    var page = false

    @Flag(help: "Let automations press GO and STOP for --source, by two addresses of --url.")
    var press = false

    @Option(help: "The vehicle that is driven when GO is pressed.", completion: .vehicle)
    var vehicle: String?

    @Flag(help: "Have OwnTracks record densely while a trip goes on, and only then.")
    var denseOnTrips = false

    @Option(help: "The language of the steps (default: the ledger's, else en).")
    var language: Language?

    @Option(
        help: ArgumentHelp(
            "The server: https://HOST, with a port and a path too (default of --page: "
                + "\(ServerAddress.usual)).",
            valueName: "url"
        )
    )
    var url: ServerAddress?

    func validate() throws {
        guard page || (app == nil && !press) == (url == nil) else {
            throw ValidationError(
                "--qr and --press need --url https://HOST, and --url is for them and --page."
            )
        }
        try validatePress()
        guard !denseOnTrips || app == .owntracks else {
            throw ValidationError("--dense-on-trips is for --qr owntracks.")
        }
        guard language == nil || app != nil || press else {
            throw ValidationError("--language is for the steps of --qr and --press.")
        }
        let isOfAnApp =
            app != nil || group != nil || expires != nil
            || reading.timeZone != nil
            || reading.owntracksKey != nil
        guard !page || !isOfAnApp else {
            throw ValidationError("--page goes with --scope, --source and --url alone.")
        }
        for name in [name] + source {
            do {
                try TripEvent.checkSource(named: name)
            } catch {
                throw ValidationError(
                    "No source can be called \(Excerpt.of(name)): \(error.sentence)"
                )
            }
        }
        guard app == nil || scopes.isSubset(of: [.ingest]) else {
            throw ValidationError("--qr is for tokens that only deliver: leave --scope out.")
        }
        guard source.isEmpty || scopes.isDisjoint(with: [.sync, .audit]) else {
            throw ValidationError(
                "A token of the scope sync or audit sees the whole log: leave --source out."
            )
        }
        guard source.isEmpty || group == nil || scopes.isSubset(of: [.ingest, .press]) else {
            throw ValidationError(
                "A token of a group sees the trips of the whole group: leave --source or --group "
                    + "out, or make one token that delivers and another one that reads."
            )
        }
        guard group == nil || scopes.isDisjoint(with: [.admin, .sync, .audit]) else {
            throw ValidationError(
                "A token of a group cannot have the scopes admin, sync and audit: they are about "
                    + "the whole ledger."
            )
        }
    }

    /// Requires that a token that presses does nothing else, and that one that does something else
    /// does not press.
    private func validatePress() throws {
        guard press else {
            guard vehicle == nil else { throw ValidationError("--vehicle is for --press.") }
            guard !scope.contains(.press) else {
                throw ValidationError("A token that presses is made with --press.")
            }
            return
        }
        guard scope.isEmpty, app == nil, !page, reading.timeZone == nil, reading.owntracksKey == nil
        else {
            throw ValidationError(
                "--press goes with --source, --vehicle, --url, --group and --expires alone."
            )
        }
        guard source.count == 1 else {
            throw ValidationError("--press needs --source: the one whose trips GO begins.")
        }
    }

    private var scopes: Set<TokenScope> {
        guard !press else { return [.press] }
        guard scope.isEmpty else { return Set(scope) }
        guard page else { return [.ingest] }
        // Who sees some sources alone cannot read the log, in which all are.
        return source.isEmpty ? [.admin, .audit] : [.admin]
    }

    func run() throws {
        let path = try options.path
        try LedgerOption.requireLogBesideServer(at: path)
        let now = WallClock.now
        let token = try token(now)
        var random = BufferedRandom()
        let text = TokenText(of: token, using: &random)
        let state = try ServerState.openOrCreate(of: path, notice: Diagnostic.waiting)
        defer { state.close() }
        let others = try state.tokens().filter { token.deliversBeside($0, at: now) }
        try state.add(token, shownAs: text)
        let setup = app.flatMap { app in
            url.map { AppSetup(app, at: $0, showing: text, of: token) }
        }
        let link = page ? "\(url?.text ?? ServerAddress.usual)/#login=\(text.text)" : nil
        let addresses = press ? url.map { PressSetup(at: $0, showing: text) } : nil
        let made = NewToken(token, text, setup: setup, page: link, press: addresses)
        let language = try language ?? languageOfLedger(now)
        try Output.show(made, as: options.format) { made in
            try page ? pageText(made) : Self.text(made, in: language)
        }
        if let other = others.first, let source = token.sources.first {
            Diagnostic.note(
                "the token \(other.name) delivers events of the source \(source) too; if both "
                    + "record one drive, it counts twice"
            )
        }
        if let url, url.isPlain, !url.isOfThisMachine {
            Diagnostic.note("over http the token and every position can be read on the way")
        }
    }

    /// Returns the facts about the token.
    private func token(_ now: Timestamp) throws -> Token {
        guard !page else {
            var login = Token.login(of: name, scopes, now: now)
            login.sources = source
            return login
        }
        var token = Token(name: name, scopes: scopes, createdAt: now)
        token.sources = source.isEmpty && scopes.contains(.ingest) ? [name] : source
        token.group = group?.name
        token.vehicle = vehicle
        token.recordsDenselyOnTrips = denseOnTrips
        token.timeZone = reading.timeZone
        if let expires {
            let ledger = try options.open()
            defer { ledger.close() }
            let end = try TypedTime.read(expires).time(in: ledger).timestamp
            guard end > now else {
                throw ValidationError("--expires is over: the token would be of no use.")
            }
            token.expiresAt = end
        }
        token.ownTracksKey = try reading.owntracksKey.map {
            try Token.ownTracksKey(in: $0, otherwise: "No token was made")
        }
        return token
    }

    /// Returns the link, and a code of it for phones.
    private func pageText(_ made: NewToken) -> String {
        let link = made.page ?? ""
        let text = "Open this within ten minutes; it lets in once:\n\(link)\n"
        guard let url else {
            return text
                + ProgramName.shown(
                    "It goes to the usual port of this machine; where `ledger serve` says another "
                        + "address, give that with --url.\n"
                )
        }
        let code = url.isOfThisMachine ? nil : QRCode(Array(link.utf8))
        return text + (code.map { "\n\($0.text)" } ?? "")
    }

    /// Returns the facts, then the setup of an app or an automation.
    private static func text(_ made: NewToken, in language: Language) throws -> String {
        let facts = NewToken.columns.facts(made).text(width: Screen.columnCount)
        var text = "Made a token. Keep it now: it cannot be shown again.\n" + facts
        if let press = made.press {
            text += "\n" + PressGuide.text(in: language)
            for (name, address) in [("GO", press.go), ("STOP", press.stop)] {
                text += QRCode(Array(address.utf8)).map { "\n\(name):\n\($0.text)" } ?? ""
            }
            return text
        }
        guard let setup = made.setup else { return text }
        let words = Words(language)
        let values = setup.values.map { "\(words.text($0.setting.name)): \($0.text)\n" }.joined()
        let guide = SetupGuide(setup.app, with: made.token).text(in: language)
        guard let code = QRCode(Array(setup.link.utf8)) else {
            throw ValidationError(
                "The link is too long for a QR code; use a shorter name or --url."
            )
        }
        return text + "\n\(guide)\n\(setup.link)\n\n\(code.text)\n\(values)"
    }

    /// Returns the language that the ledger's settings name; English without one.
    private func languageOfLedger(_ now: Timestamp) throws -> Language {
        guard app != nil || press, options.format == .text else { return .en }
        let ledger = try options.open()
        defer { ledger.close() }
        let tag = try ledger.readNow { $0.settings.language(at: now) } ?? ""
        return Language(rawValue: String(tag.prefix(2))) ?? .en
    }
}

/// The command `ledger token list`.
struct TokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the tokens, their scopes, and when each was last used.",
        discussion: """
            The links of trips that the page has shared are there too (share); revoke ends one. \
            What was made by way of the server says who made it.

            Revoked tokens stay in the list, so that it can be said what still delivers with one. \
            A state of dropping is that of a token that was revoked with --drop. Days are in UTC.

            Examples:
              ledger token list
              ledger token list --format json
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions

    func run() throws {
        let path = try options.path
        try LedgerOption.requireLogBesideServer(at: path)
        let state = try ServerState.open(of: path, isReadOnly: true)
        defer { state?.close() }
        let now = WallClock.now
        let rows = try state?.tokens().map { ListedToken($0, asOf: now) } ?? []
        try options.list(
            rows,
            in: table,
            ifEmpty: "There are no tokens; `ledger token new` makes one."
        )
    }
}

/// The command `ledger token change`.
struct TokenChangeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Says how deliveries with a token are read, or which ledger it is for.",
        discussion: """
            The token stays as it is, so that the app need not be set up again: some wipe their \
            queue then. A server that runs goes by it from then on. What was refused before, for \
            want of a key or a zone, is read again by `ledger refused --retry`.

            A token with the scope sync belongs to the first ledger that exchanges events with \
            it, and lets in no other one. If that ledger was made anew, --ledger with its new id \
            gives it the token; a directory is named by --ledger as everywhere.

            Examples:
              ledger token change phone --owntracks-key - < key.txt
              ledger token change tracker --time-zone Europe/Amsterdam
              ledger token change laptop --ledger 3f0c5e1a9b7d42688d1e0f2c4b6a8097
            """
    )

    @Option(
        name: .customLong("ledger"),
        help: ArgumentHelp(
            "The id of the ledger that exchanges events with the token, 32 digits; or the "
                + "directory of this ledger (default: LEDGER_DIR, else ~/.local/share/ledger).",
            valueName: "id-or-dir"
        ),
        completion: .directory
    )
    var ledgers: [String] = []

    @Option(help: "How the result is written: text, json, csv or ids.")
    var format: RowFormat = .text

    @Argument(help: "The token's name.", completion: .token)
    var name: String

    @OptionGroup var reading: ReadingOptions

    /// The id of the ledger that gets the token.
    private var peer: String? { ledgers.last { SyncGreeting.isLedgerID($0) } }

    /// The directory of the ledger, if it was named.
    private var directory: String? { ledgers.last { !SyncGreeting.isLedgerID($0) } }

    func validate() throws {
        guard directory != "" else { throw ValidationError("--ledger names no directory.") }
        guard peer != nil || reading.timeZone != nil || reading.owntracksKey != nil else {
            throw ValidationError(
                "Say what to change: --time-zone, --owntracks-key or --ledger with an id."
            )
        }
    }

    func run() throws {
        let path = try LedgerOption.path(of: directory)
        try LedgerOption.requireLogBesideServer(at: path)
        let key = try reading.owntracksKey.map {
            try Token.ownTracksKey(in: $0, otherwise: "The token was not changed")
        }
        let state = try ServerState.open(of: path, notice: Diagnostic.waiting)
        defer { state?.close() }
        guard let state else { throw ServerState.noToken(named: name, at: path) }
        if peer != nil { try requireExchanging(state) }
        var changed = try state.change(named: name) { token in
            token.timeZone = reading.timeZone ?? token.timeZone
            token.ownTracksKey = key ?? token.ownTracksKey
        }
        if let peer { changed = try state.give(tokenNamed: name, to: peer) }
        guard format == .text else {
            return try Output.list([ListedToken(changed, asOf: WallClock.now)], as: format)
        }
        try Output.standard.writing {
            try $0.write("Changed the token \(Excerpt.escaped(name)).\n")
        }
    }

    /// Requires that the token lets a ledger exchange events.
    ///
    /// - Throws: `ValidationError` if it is another one.
    private func requireExchanging(_ state: ServerState) throws {
        let isOther = try state.tokens()
            .contains { token in
                token.isNamed(name) && token.revokedAt == nil
                    && token.use == .program && !token.scopes.contains(.sync)
            }
        guard !isOther else {
            throw ValidationError(
                "The token \(Excerpt.of(name)) has not the scope sync: no ledger uses it."
            )
        }
    }
}

/// The command `ledger token revoke`.
struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a token, for good.",
        discussion: """
            What still delivers with it is told to try again later, so that a phone keeps its \
            queue until it is set up with a new token; `ledger doctor` names it. With --drop its \
            deliveries are answered as if they were stored, and thrown away: for a phone that is \
            to deliver no more and cannot be reached. Say it again without --drop to end that.

            The sessions of that name end, and so do the links that it has made. What becomes of \
            the devices that it has made is asked: --with-made revokes them too, and --keep-made \
            leaves them, as if you had made them.

            The name is free again for a new token.

            Examples:
              ledger token revoke phone
              ledger token revoke old-phone --drop
              ledger token revoke eva --with-made
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>

    @Argument(help: "The token's name.", completion: .token)
    var name: String

    @Flag(help: "Throw away what is delivered with it, and answer as if it were stored.")
    var drop = false

    @Flag(help: "Revoke the devices too that it has made, which keep their queues.")
    var withMade = false

    @Flag(help: "Leave the devices that it has made as they are.")
    var keepMade = false

    func validate() throws {
        guard !withMade || !keepMade else {
            throw ValidationError("--with-made and --keep-made do not go together.")
        }
    }

    func run() throws {
        let path = try options.path
        try LedgerOption.requireLogBesideServer(at: path)
        let now = WallClock.now
        let state = try ServerState.open(of: path, notice: Diagnostic.waiting)
        defer { state?.close() }
        guard let state else { throw ServerState.noToken(named: name, at: path) }
        let devices = try state.made(by: name, now: now).filter { $0.use == .program }
        let revokesDevices = try revokes(devices, now)
        let revoked = try state.revoke(
            named: name,
            dropsDeliveries: drop,
            revokesDevices: revokesDevices,
            now: now
        )
        guard options.format == .text else {
            return try options.list(revoked.map { ListedToken($0, asOf: now) })
        }
        try Output.standard.writing {
            try $0.write(text(revoked, keeping: revokesDevices ? [] : devices))
        }
    }

    /// Returns whether the devices that the token has made are revoked, and asks if no option says
    /// so.
    private func revokes(_ devices: [Token], _ now: Timestamp) throws -> Bool {
        guard !devices.isEmpty, !withMade, !keepMade else { return !keepMade }
        guard Terminal.isStandardInput, options.format == .text else {
            throw ValidationError(
                "The token \(Excerpt.escaped(name)) has made \(Self.names(devices)). Nothing was "
                    + "revoked: say --with-made to revoke them too, or --keep-made."
            )
        }
        try options.list(devices.map { ListedToken($0, asOf: now) })
        return Question.isAgreed("It has made these devices. Revoke them too?")
    }

    /// Returns what was done, a sentence a line.
    private func text(_ revoked: [Token], keeping devices: [Token]) -> String {
        let own = revoked.filter { $0.isNamed(name) }
        let made = revoked.filter { !$0.isNamed(name) }
        let isLink = !own.isEmpty && own.allSatisfy(\.use.isLink)
        let end =
            isLink
            ? "Its link shows nothing any more."
            : drop
                ? "What is delivered with it is thrown away."
                : "What delivers with it is to keep its queue."
        var text = "Revoked the token \(Excerpt.escaped(name)). \(end)\n"
        for (tokens, words) in [
            (made.filter(\.use.isLink), "Revoked the links that it has made"),
            (made.filter { $0.use == .program }, "Revoked the devices that it has made"),
            (devices, "The devices that it has made are as if you had made them"),
        ] where !tokens.isEmpty {
            text += "\(words): \(Self.names(tokens)).\n"
        }
        return text
    }

    private static func names(_ tokens: [Token]) -> String {
        tokens.map { Excerpt.escaped($0.name) }.joined(separator: ", ")
    }
}

extension TokenScope {
    /// The meaning of each scope, for help texts.
    static let meanings = allCases.reversed().map { "\($0.rawValue) \($0.meaning)" }
        .joined(separator: "; ")

    private var meaning: String {
        switch self {
        case .admin: "may say everything that events can say, rules and places too"
        case .sync: "exchanges all events with another ledger"
        case .edit: "decides about trips"
        case .read: "reads trips, reports and places"
        case .audit: "reads the log and its proofs"
        case .live: "sees where a trip is that goes on"
        case .ingest: "delivers facts"
        case .press: "presses GO and STOP"
        }
    }
}

extension Token {
    /// Reads a key of OwnTracks, with or without a line feed behind it.
    fileprivate static func ownTracksKey(
        in file: String,
        otherwise consequence: String
    ) throws -> [UInt8] {
        var key = try InputFile.bytes(of: file)
        if key.last == UInt8(ascii: "\n") { key.removeLast() }
        guard 1...longestOwnTracksKey ~= key.count,
            String(validating: key, as: UTF8.self) != nil
        else {
            throw LedgerError(
                .unreadableInput,
                at: file,
                cause: "this is no key of OwnTracks, which is a text of 1 to "
                    + "\(longestOwnTracksKey) bytes",
                hint: "\(consequence). Say it as the app has it, under Encryption"
            )
        }
        return key
    }
}

/// The options that a server needs to read deliveries with a token.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time zone of times that are delivered without one, such as Europe/Amsterdam.",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "Where the key of encrypted messages of OwnTracks is read from: a file, or - for "
                + "standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var owntracksKey: String?

    func validate() throws {
        if let timeZone { try PeriodOptions.requireKnown(timeZone: timeZone) }
    }
}
