import ArgumentParser
import Platform
import SystemPackage
import TripLedger

/// The command `ledger serve`.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers over HTTP on this machine, until Ctrl-C.",
        discussion: """
            It is a program of its own, `ledger-serve`, which stands beside `ledger`. It listens \
            on 127.0.0.1 alone and speaks HTTP without encryption: what is to be reached from \
            elsewhere needs a proxy before it, such as Caddy or `tailscale serve`.

            So far it answers one path, GET /health, with {"status":"ok"}: enough to set up the \
            proxy and the service that keeps it running.

            A request is answered only if its Host is localhost, 127.0.0.1 or [::1] with the port, \
            or a name that --host-name gives: no page from elsewhere can ask by way of your \
            browser. SIGTERM and Ctrl-C end it when the requests that have begun are answered.

            Examples:
              ledger serve
              ledger serve --port 9000 --host-name ledger.example.org
            """
    )

    private static let program = "ledger-serve"

    @OptionGroup var book: LedgerOption

    @Option(help: "The port on 127.0.0.1; 0 for one that is free, which is then said.")
    var port: UInt16 = 8787

    @Option(
        help: ArgumentHelp(
            "A name by which a proxy asks, with or without a port; can be repeated.",
            valueName: "name"
        )
    )
    var hostName: [String] = []

    func validate() throws {
        for name in hostName where name.isEmpty || name.contains("/") {
            throw ValidationError(
                "--host-name is what stands between // and / in an address, such as "
                    + "ledger.example.org."
            )
        }
    }

    func run() throws {
        let path = try book.path
        try Ledger.requireLog(at: path)
        let program = try NeighbourProgram.path(
            of: Self.program,
            for: "serving is done by \(Self.program)",
            hint: "Build it with `swift build -c release --product \(Self.program)`, and put it "
                + "beside `ledger`"
        )
        let start = ProcessStart(
            program,
            arguments: [path.string, "\(port)"] + hostName,
            streams: (.inherited, .inherited, .inherited)
        )
        throw LedgerError(
            .inputOutput,
            at: program.string,
            cause: "it cannot be started: \(start.replaceThisProgram())"
        )
    }
}
