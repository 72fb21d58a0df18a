import ArgumentParser
import Platform
import SystemPackage
import Tables
import TripLedger

/// The command `ledger sync`.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Exchanges events with a ledger that is served elsewhere.",
        discussion: """
            Both ledgers get the events that they lack, first the other one, then this one. What \
            each has is a set of events of each source: in which order and how often they come \
            makes no difference, and both end with the same trips. The other one runs `ledger \
            serve`; this one asks.

            A ledger keeps how far it has received the other's log, and the other's head, by \
            which it sees if an older copy was restored there, or the log forked: then \
            everything is exchanged anew, and said (exit code 1). Where an event was received \
            from stands in the log (`ledger log --format json`). Not exchanged are reports that \
            were issued, and what a ledger says of itself. An event that was erased here is not \
            taken again; the other one keeps its copy: erase it there too.

            The token is made by the other ledger's owner with `ledger token new NAME --scope \
            sync`, and belongs to the first ledger that uses it: make one for each. Over a unix \
            socket of the same user none is needed.

            What has no answer is sent up to three times. With --every it goes on until it is \
            ended, and waits for half a minute, later for up to five, while the other cannot be \
            reached. It is a program of its own, `ledger-sync`, which stands beside `ledger`.

            Exit code: 0 if both have everything, 1 if an event was not taken or a ledger was set \
            back, 2 if they do not fit together, 74 if the other cannot be reached.

            Examples:
              ledger sync https://ledger.example --token-file ~/.ledger-token
              ledger sync https://ledger.example --token-file ~/.ledger-token --every 60s
              ledger sync http://localhost --socket ~/ledger.sock
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "The address of the other ledger, such as https://ledger.example.org.")
    var address: String

    @Option(
        help: ArgumentHelp("A file with the token on its first line.", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("A unix socket by which to reach it.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    @Option(
        help: ArgumentHelp("Exchange again after so long, such as 60s or 5m.", valueName: "time")
    )
    var every: String?

    @Flag(
        help: """
            Exchange although the other computes in another zone, unit or by other rules; what a \
            source of another group sent is left out.
            """
    )
    var acceptSettings = false

    func validate() throws {
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
            throw ValidationError(
                "The address begins with https:// or http://, as in https://ledger.example.org."
            )
        }
        guard address.split(separator: "/", omittingEmptySubsequences: true).count == 2 else {
            throw ValidationError(
                "The address has no path: https://ledger.example.org, and nothing behind it."
            )
        }
        if every != nil, seconds == nil {
            throw ValidationError("--every takes 1s to 24h: a number with s, m or h behind it.")
        }
    }

    /// How many seconds are between two exchanges.
    private var seconds: Int? {
        guard let every, let unit = every.last, let count = Int(every.dropLast()), count > 0,
            let factor = ["s": 1, "m": 60, "h": 3_600][unit], count <= 86_400 / factor
        else { return nil }
        return count * factor
    }

    func run() throws {
        let path = try options.path
        try Ledger.requireLog(at: path)
        var words = [path.string, address.hasSuffix("/") ? String(address.dropLast()) : address]
        if let tokenFile { words.append("token-file=\(tokenFile)") }
        if let socket { words.append("socket=\(socket)") }
        if let seconds { words.append("every=\(seconds)") }
        if acceptSettings { words.append("accept-settings=true") }
        throw try NeighbourProgram.becomeSync(words, for: "syncing")
    }
}
