import ArgumentParser
import Platform
import TripLedger

/// The command `ledger replicate`.
struct ReplicateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replicate",
        abstract: "Keeps the log in PostgreSQL, too, on two servers.",
        discussion: """
            Sends the log to a database as it grows, until Ctrl-C. An entry is confirmed when a \
            second server has it on its disk; COMMIT alone is not believed. `ledger append \
            --require-replica` and `ledger serve --require-replica` answer only then.

            A service is a section of pg_service.conf (or PGSERVICEFILE), and its password stands \
            in .pgpass. --to may have several hosts; the one that takes changes is used, the \
            others confirm. --confirm names servers to be asked in their place. A server that is \
            named twice, or under two addresses, counts once. Servers on other machines need \
            certificates that can be verified.

            It refuses with exit code 1, and changes nothing, if this ledger is an older copy \
            (set_back) or has another history (forked), or if another machine has taken it over \
            (fenced). What passes is tried again.

            --fetch makes the ledger from the database, in a directory that is not there yet. \
            With --take-over the machine that had it adds nothing more: say it when that one is \
            lost. --check names settings of the servers by which something may be lost. --merge \
            joins small segments that are older than a day; it takes the owner of the tables.

            It is a program of its own, `ledger-replicate`, which stands beside `ledger`.

            Examples:
              ledger replicate --to fleet --init
              ledger replicate --to fleet --rows
              ledger --ledger new replicate --to fleet --fetch --name s017 --take-over
              ledger replicate --to fleet --check
            """
    )

    @OptionGroup var book: LedgerOption

    @Option(help: ArgumentHelp("The service of the database.", valueName: "service"))
    var to: String

    @Option(help: ArgumentHelp("A service whose server confirms.", valueName: "service"))
    var confirm: [String] = []

    @Option(help: ArgumentHelp("How many others confirm.", valueName: "count"))
    var need = 1

    @Option(help: "The ledger's name in the database (default: its directory's).")
    var name: String?

    @Flag(name: .customLong("init"), help: "Make the tables, and begin with this ledger.")
    var begins = false

    @Flag(help: "Write trips, visits, places, vehicles and sources for SQL, too.")
    var rows = false

    @Flag(help: "Send what there is, and end.")
    var once = false

    @Flag(help: "Make the ledger --name from the database.")
    var fetch = false

    @Flag(help: "Fence the machine that had it.")
    var takeOver = false

    @Flag(help: "Join small segments.")
    var merge = false

    @Flag(help: "Look at the settings of the servers.")
    var check = false

    func validate() throws {
        guard [once, fetch, merge, check].count(where: { $0 }) <= 1 else {
            throw ValidationError("Say one of --once, --fetch, --merge and --check.")
        }
        guard fetch || !takeOver else { throw ValidationError("--take-over is for --fetch.") }
        guard !fetch || name != nil else { throw ValidationError("--fetch takes a --name.") }
        guard !rows || !fetch && !merge && !check else {
            throw ValidationError("--rows goes with replicating: say it alone, or with --once.")
        }
        guard !begins || !fetch && !merge && !check else {
            throw ValidationError("--init begins to replicate: say it alone, or with --once.")
        }
        guard (1...100).contains(need) else { throw ValidationError("--need takes 1 to 100.") }
        for service in [to] + confirm where service.isEmpty || service.contains(" ") {
            throw ValidationError("A service is a name in pg_service.conf, such as fleet.")
        }
        for (index, service) in confirm.enumerated() where confirm[..<index].contains(service) {
            throw ValidationError(
                "--confirm names \(service) twice, and a server confirms once: name another one."
            )
        }
    }

    /// The work as the program takes it.
    private var work: String {
        if once { return "once" }
        if fetch { return "fetch" }
        if merge { return "merge" }
        return check ? "check" : "follow"
    }

    func run() throws {
        let path = try book.path
        if !fetch, !check { try Ledger.requireLog(at: path) }
        var words = [path.string, "to=\(to)", "work=\(work)", "need=\(need)"]
        words += confirm.map { "confirm=\($0)" }
        if let name { words.append("name=\(name)") }
        if begins { words.append("init=true") }
        if takeOver { words.append("take-over=true") }
        if rows { words.append("rows=true") }
        let program = try NeighbourProgram.path(
            of: "ledger-replicate",
            for: "replicating is done by ledger-replicate",
            hint: "Build it with `tools/setup --all` and `swift build -c release --product "
                + "ledger-replicate`, and put it beside `ledger`"
        )
        let start = ProcessStart(
            program,
            arguments: words,
            streams: (.inherited, .inherited, .inherited)
        )
        throw LedgerError(
            .inputOutput,
            at: program.string,
            cause: "it cannot be started: \(start.replaceThisProgram())"
        )
    }
}
