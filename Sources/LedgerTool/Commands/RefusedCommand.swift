import ArgumentParser
import Platform
import RowFormats
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
            is set aside with the reason: the newest 10,000 items, and at most 64 MiB of them. \
            LATER says which may pass once their token has a time zone or a key, or, if it is an \
            event of another ledger (door sync), once its time has come or the program is a \
            newer one. With --format json each has its content too: all of it if it may pass \
            later, else the first 4 KiB.

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

    @OptionGroup var options: GlobalOptions
    @OptionGroup var table: TableOptions

    @Option(help: "Only those of this source.", completion: .source)
    var source: String?

    @Flag(help: "Try again what may pass later, and say what became of it.")
    var retry = false

    func run() throws {
        let path = try options.path
        try Ledger.requireLog(at: path)
        guard !retry else { return try tryAgain(at: path) }
        let state = try ServerState.open(of: path, isReadOnly: true)
        defer { state?.close() }
        var items: [NumberedItem] = []
        try state?
            .forEachSetAside { item in
                if source == nil || source == item.item.source { items.append(item) }
                return true
            }
        try options.list(items, in: table, ifEmpty: "Nothing was set aside.")
        if let dropped = try state?.setAsideTotals().droppedCount, dropped > 0 {
            let what = Count.text(dropped, "older item", "older items")
            Diagnostic.note("\(what) made room for newer ones")
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
        try options.list(retried, in: table, ifEmpty: "Nothing was set aside that may pass later.")
        if retried.contains(where: { $0.reason != nil }) { throw ExitCode(1) }
    }
}
