import ArgumentParser
import LedgerKeeping
import Platform
import ServerStore
import SystemPackage
import TripLedger

/// The command `ledger serve`.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers over HTTP on this machine, until Ctrl-C.",
        usage: "ledger serve [<options>]",
        discussion: """
            Examples:
              ledger serve --setup
              ledger serve --behind-proxy --host-name ledger.example.org

            All but --socket takes a token (`ledger token new`); see `ledger help server`.
            """
    )

    private static let program = "ledger-serve"

    @OptionGroup var book: LedgerOption

    @Flag(help: "Make the ledger if there is none; show a first link.")
    var setup = false

    @Option(help: "On 127.0.0.1; 0 for one that is free.")
    var port: UInt16 = 8787

    @Option(
        help: ArgumentHelp("A unix socket instead, which only you may open.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    @Option(help: ArgumentHelp("A name by which a proxy asks; can be repeated.", valueName: "name"))
    var hostName: [String] = []

    @Flag(help: "Requests come from a proxy, so all need a token.")
    var behindProxy = false

    @Flag(help: "Every client of --socket is the owner.")
    var socketOwner = false

    @Option(help: ArgumentHelp("How many reads of a token; 0 for any.", valueName: "n"))
    var readsPerMinute: UInt64 = 600

    @Option(help: ArgumentHelp("How many writes of a token; 0 for any.", valueName: "n"))
    var writesPerMinute: UInt64 = 300

    @Flag(help: "Cosign others' heads: see `ledger witness init`.")
    var witness = false

    @Option(
        help: ArgumentHelp("The default is ~/.local/state/ledger/witness.", valueName: "dir"),
        completion: .directory
    )
    var witnessDirectory: String?

    @Option(
        help: ArgumentHelp(
            "Tiles below maps: an address with {z}, {x} and {y}.",
            valueName: "address"
        )
    )
    var tiles: String?

    @Option(
        help: ArgumentHelp("The words beside maps with tiles: whose they are.", valueName: "text")
    )
    var attribution: String?

    @OptionGroup var replica: ReplicaOptions

    @Option(
        help: ArgumentHelp(
            "Which shard it is; others' groups are refused.",
            valueName: "file#name"
        )
    )
    var shard: String?

    func validate() throws {
        if socketOwner, socket == nil || behindProxy {
            throw ValidationError("--socket-owner is for --socket, without --behind-proxy.")
        }
        if attribution != nil, tiles == nil {
            throw ValidationError("--attribution is for the tiles of --tiles.")
        }
        if let tiles {
            do throws(MapTiles.Fault) {
                _ = try MapTiles(tiles, attribution: attribution ?? "")
            } catch {
                throw ValidationError("\(error)")
            }
        }
        if witnessDirectory != nil, !witness {
            throw ValidationError("--witness-directory is where the witness of --witness is.")
        }
        if let socket, socket.isEmpty || socket.utf8.count > UnixSocket.mostBytesOfPath {
            throw ValidationError(
                "--socket takes a path of 1 to \(UnixSocket.mostBytesOfPath) bytes; the system has "
                    + "room for no more."
            )
        }
        if let shard, shard.split(separator: "#").count < 2 {
            throw ValidationError("--shard is a file and a name, such as fleet.json#s017.")
        }
        for name in hostName where name.isEmpty || name.contains("/") || name.hasPrefix("-") {
            throw ValidationError(
                "--host-name is what stands between // and / in an address, such as "
                    + "ledger.example.org."
            )
        }
    }

    /// Where it listens, as the program takes it: a path has a slash.
    private var place: String {
        guard let socket else { return "\(port)" }
        return socket.contains("/") ? socket : "./\(socket)"
    }

    /// The options as the program takes them.
    private var words: [String] {
        get throws {
            var words = behindProxy ? ["--behind-proxy"] : []
            if setup { words.append("--setup") }
            if socketOwner { words.append("--socket-owner") }
            if witness {
                let path =
                    try witnessDirectory.map { FilePath($0) } ?? WitnessBook.defaultPath()
                words.append("--witness=\(path)")
            }
            if readsPerMinute > 0 { words.append("--reads=\(readsPerMinute)") }
            if writesPerMinute > 0 { words.append("--writes=\(writesPerMinute)") }
            if let timeout = replica.timeout {
                words.append("--require-replica=\(timeout.components.seconds)")
            }
            if let shard { words.append("--shard=\(shard)") }
            if let tiles, let attribution {
                words += ["--tiles=\(tiles)", "--attribution=\(attribution)"]
            }
            return words + hostName
        }
    }

    func run() throws {
        let path = try book.path
        if setup, !Ledger.isOne(at: path) {
            try InitCommand.parse(["--ledger=\(path)"]).run()
        }
        try Ledger.requireLog(at: path)
        let words = try words
        let program = try NeighbourProgram.path(
            of: Self.program,
            for: "serving is done by \(Self.program)",
            hint: "Build it with `swift build -c release --product \(Self.program)`, and put it "
                + "beside `ledger`"
        )
        let start = ProcessStart(
            program,
            arguments: [path.string, place] + words,
            streams: (.inherited, .inherited, .inherited)
        )
        throw LedgerError(
            .inputOutput,
            at: program.string,
            cause: "it cannot be started: \(start.replaceThisProgram())"
        )
    }
}
