import ArgumentParser
import Platform
import ServerStore
import SystemPackage
import TripLedger

/// The command `ledger refused`.
struct RefusedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refused",
        abstract: "Lists what was delivered to a server and could not become an event.",
        discussion: """
            A phone is told that everything it delivers is safe, or it would send the same for \
            ever. What can be no event, such as a latitude of 91 or a message that no key opens, \
            is refused, and kept here with the reason. LATER says which may pass once their token \
            has a time zone or a key, or, if a broker of MQTT handed it over when the token was \
            revoked or had expired, once there is a new one; or, if it is an event of another \
            ledger (door sync), once its time has come or the program is a newer one. These are \
            kept whole and never pushed out: of each token 100,000 items and 256 MiB, after which \
            its app is told to keep the rest. Of what cannot be read, the newest 2,000 items of \
            each token are kept, at most 32 MiB of them and of each the first MiB. With --format \
            json each has its content too.

            --retry reads what may pass later once more, with the keys and zones that the tokens \
            of its source have now. What becomes events leaves the list, and the answer says of \
            each item how many events were appended, and why it is still refused if it is; then \
            the exit code is 1.

            `ledger erase --set-aside` removes those of a source.

            Examples:
              ledger refused
              ledger refused --source phone --format json
              ledger refused --retry
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Option(help: "Only those of this source.", completion: .source)
    var source: String?

    @Flag(help: "Try again what may pass later, and say what became of it.")
    var retry = false

    func run() throws {
        let path = try options.path
        try LedgerOption.requireLogBesideServer(at: path)
        guard !retry else { return try tryAgain(at: path) }
        let state = try ServerState.open(of: path, isReadOnly: true)
        defer { state?.close() }
        var items: [NumberedItem] = []
        var sources: [String] = []
        try state?
            .forEachSetAside { item in
                if source?.hasSameBytes(as: item.item.source) ?? true { items.append(item) }
                if source != nil { sources.append(item.item.source) }
                return true
            }
        try options.list(items, in: table, ifEmpty: "Nothing was refused.")
        if let source {
            Diagnostic.note(
                UnknownName(
                    source,
                    among: sources,
                    "nothing that was refused is of the source \(source)",
                    heading: "Sources of what was refused",
                    ifNone: "Nothing was refused of any source"
                )
            )
        }
        for share in try state?.setAsideShares() ?? [] {
            if share.droppedCount > 0 {
                let what = Count.text(share.droppedCount, "older item", "older items")
                let token = Excerpt.escaped(share.token)
                Diagnostic.note("\(what) of \(token) made room for newer ones")
            }
            if share.isNearlyFull() {
                let token = Excerpt.escaped(share.token)
                let command = ProgramName.shown(command: share.command)
                Diagnostic.note("there is hardly room for what waits of \(token): \(command)")
            }
        }
    }

    private func tryAgain(at path: FilePath) throws {
        var retried: [RetriedItem] = []
        if let state = try ServerState.open(of: path, notice: Diagnostic.waiting) {
            defer { state.close() }
            let ledger = try options.open()
            defer { ledger.close() }
            retried = try state.retrySetAside(of: source, into: ledger, now: WallClock.now)
        }
        try options.list(retried, in: table, ifEmpty: "Nothing was refused that may pass later.")
        if retried.contains(where: { $0.reason != nil }) { throw ExitCode(1) }
    }
}
