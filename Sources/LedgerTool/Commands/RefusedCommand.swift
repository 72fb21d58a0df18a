import ArgumentParser
import RowFormats
import ServerStore
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
            LATER says which may pass once their token has a time zone or a key. With --format \
            json each has its content too: all of it if it may pass later, else the first 4 KiB.

            `ledger erase --set-aside` removes those of a source.

            Examples:
              ledger refused
              ledger refused --source phone --format json
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var table: TableOptions

    @Option(help: "Only those of this source.", completion: .source)
    var source: String?

    func run() throws {
        let path = try options.path
        try Ledger.requireLog(at: path)
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
}
