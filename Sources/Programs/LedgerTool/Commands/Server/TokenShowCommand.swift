import ArgumentParser
import LedgerRows
import Platform
import ServerStore
import Tables
import TripEvents
import TripLedger

/// The command `ledger token show`.
struct TokenShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Says what the holder of a token can see and do.",
        discussion: """
            In words, what a server answers to it and what it refuses: by its scopes, its sources \
            or its group, and whether it is still of use. Of several that had the name, the one \
            that is of use is meant, else the last.

            Examples:
              ledger token show phone
              ledger token show dashboard --format json
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "The token's name.", completion: .token)
    var name: String

    func run() throws {
        let path = try options.path
        try LedgerOption.requireLogBesideServer(at: path)
        let state = try ServerState.open(of: path, isReadOnly: true)
        defer { state?.close() }
        let now = WallClock.now
        let named = try state?.tokens().filter { $0.isNamed(name) } ?? []
        let isOfUse = { (token: Token) in
            token.revokedAt == nil && !token.hasExpired(at: now)
        }
        guard let token = named.last(where: isOfUse) ?? named.last else {
            throw ServerState.noToken(named: name, at: path)
        }
        let meaning = TokenMeaning(token, asOf: now)
        try Output.show(meaning, as: options.format) { meaning in
            let facts = ListedToken.columns.facts(ListedToken(token, asOf: now))
                .text(width: Screen.columnCount)
            let lines = [meaning.sight] + meaning.sentences + [meaning.refusal].compactMap(\.self)
            return facts + "\n" + lines.map { "\($0)\n" }.joined()
        }
    }
}
