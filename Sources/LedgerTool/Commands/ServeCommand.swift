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
        discussion: """
            It is a program of its own, `ledger-serve`, which stands beside `ledger`. It listens \
            on 127.0.0.1 alone and speaks HTTP without encryption: what is to be reached from \
            elsewhere needs a proxy before it, such as Caddy or `tailscale serve`.

            GET /health answers {"status":"ok"}. All else takes a token (`ledger token new`), sent \
            as Authorization: Bearer TOKEN or as the password of Basic. Only by way of a unix \
            socket (--socket), which only you may open, you need none. If a proxy stands before \
            it, say --behind-proxy: all its requests then need a token too, and the last \
            X-Forwarded-For says where they come from.

            POST /v1/events appends events: lines of JSON (application/x-ndjson), one event or \
            {"events":[…]} (application/json), or CloudEvents \
            (application/cloudevents-batch+json), up to 10,000 events and 16 MiB. A token of the \
            scope ingest delivers facts of its sources, edit decides about trips, and admin may \
            say everything. What waits at the same time shares one commit, and is answered after \
            it, an answer for each event (`ledger schema receipt`). A fact without source is of \
            the token's, anything else of manual; a decision without actor is of the token's \
            name, and what has no occurred_at happens now. An Idempotency-Key names the events, \
            so that a request can be repeated. ?all-or-nothing=true and ?expect-size=N mean what \
            they mean to `ledger append`. With If-Match, which has the ETag of a trip as it was \
            read, 412 says that something was decided about it since. 503 says: send it again.

            Phones deliver at /in/TOKEN/PROTOCOL, or at /in/PROTOCOL with the token as \
            Authorization: owntracks, overland, osmand (Traccar Client too), gpslogger, colota, \
            phonetrack and traccar-forward; also at /pub, and at Dawarich's paths with ?api_key=. \
            There, 2xx means that all is stored, or can never be an event and is listed by \
            `ledger refused`. What may pass later is 503, a dead token too, so that no app throws \
            its queue away.

            For tokens of the scope read (or admin), GET answers what commands print with \
            --format json: /v1/status, /v1/trips, /v1/visits, /v1/totals, /v1/places, \
            /v1/vehicles, /v1/routines, /v1/fields and /v1/refused, and which devices have \
            delivered since it was started, /v1/devices; /v1/trips/ID, and below it /track \
            (GeoJSON), /explanation, /history and /proof. A list is {"items":[…], \
            "next_cursor", "has_more"}: ask again with ?cursor= while there is more. Trips take \
            the parameters from, to, class, vehicle, place, source, text, status, all and limit; \
            totals take by and then_by. /v1/inbox has trips that need a class or a purpose. \
            Ledger-Position in an answer says how many entries it knows, and ?at_least=N waits \
            for so many.

            GET /v1/reports lists the reports of `ledger report` with their parameters, and GET \
            /v1/reports/NAME?format=html&year=2025 has the bytes that the command writes (scopes \
            read and audit); /v1/reports/issued has what was handed out. They are made by \
            `ledger` beside this program, two at a time, within 30 s.

            POST /v1/devices with {"name","app","url"} makes the token of a phone, and answers \
            what sets up its app (scopes edit and admin). POST /v1/shares with {"trip":"active"} \
            makes a link, /live/LINK, by which others see where that trip is, how far and for how \
            long it has gone, until 15 minutes after its end; no names, places or other trips. \
            GET lists them, and DELETE with ?name= revokes one.

            GET /v1/changes has the rows that changed since ?cursor=, each once and as it is now, \
            and waits up to ?wait=30 seconds for the next one; 410 says: begin again without \
            cursor. GET /v1/stream sends status, changes and news as they happen (server-sent \
            events). GET /v1/log?from=N has entries of the log (scopes sync and audit). POST \
            /v1/go and /v1/stop, with nothing or {"source","vehicle"}, are GO and STOP now. \
            /v1/sync is for `ledger sync` of another ledger (scope sync). GET /metrics is for \
            Prometheus, and GET /openapi.json describes all paths.

            Two apps that know other servers are answered as they want it: /webhook/ping, start, \
            end, finalize, cancel and status for one that has a button and no clock (scope \
            ingest), and /api/v1 for one that keeps events, types, geofences and properties, which \
            are trips, routines, places and custom fields (scopes read, edit and admin).

            For auditors (scope audit, or admin) the log is there as C2SP tlog-tiles has it: at \
            GET /log/checkpoint is the head that `ledger head --sign` has signed last, and at GET \
            /log/tile/L/N, /log/tile/entries/N and both with .p/W are the tiles and entries under \
            it, as `ledger export --as tiles` writes them. To others nothing seems to be there. \
            With --witness, POST /witness/add-checkpoint cosigns heads of the ledgers that \
            `ledger witness add` has named, as C2SP tlog-witness says, without a token.

            A token may read 600 times and write 300 times a minute (--reads-per-minute and \
            --writes-per-minute; 0 for as often as it likes), and read ten times as many tiles of \
            the log as it may read of all else. After that, 429 says with Retry-After when it may \
            again. Doors for phones, what auditors ask and what `ledger \
            sync` exchanges are not counted.

            At / is a page for browsers, and at /record one that records, for a phone without an \
            app. A link lets a browser in once: at a terminal one is shown, and `ledger token \
            new NAME --page` makes others.

            Its maps show your own ways and places, and ask nothing of other servers. With --tiles \
            they show the tiles of a server of your choice below them, with the words of \
            --attribution beside them; addresses there become links. Every browser that shows a \
            map, by a link of a trip too, then asks that one server for what it shows, and tells \
            it the name of this one: so that server learns where trips went.

            A request is answered only if its Host is localhost, 127.0.0.1 or [::1] with the port, \
            or a name that --host-name gives: no page from elsewhere can ask by way of your \
            browser. SIGTERM and Ctrl-C end it when the requests that have begun are answered.

            Examples:
              ledger serve
              ledger serve --port 9000 --host-name ledger.example.org
              ledger serve --behind-proxy --host-name ledger.example.org
              ledger serve --socket ~/ledger.sock
              ledger serve --witness
              ledger serve --tiles 'https://tile.example.org/{z}/{x}/{y}.png' \\
                --attribution '© Example https://example.org/copyright'
              curl --unix-socket ~/ledger.sock http://localhost/v1/events \\
                -H 'Content-Type: application/x-ndjson' --data-binary @drive.jsonl
            """
    )

    private static let program = "ledger-serve"

    @OptionGroup var book: LedgerOption

    @Option(help: "The port on 127.0.0.1; 0 for one that is free, which is then said.")
    var port: UInt16 = 8787

    @Option(
        help: ArgumentHelp(
            "Listen on a unix socket instead, which only you may open.",
            valueName: "path"
        ),
        completion: .file()
    )
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "A name by which a proxy asks, with or without a port; can be repeated.",
            valueName: "name"
        )
    )
    var hostName: [String] = []

    @Flag(help: "Requests come by way of a proxy: none of them is the owner's without a token.")
    var behindProxy = false

    @Option(
        help: ArgumentHelp(
            "How many requests of a token that read are taken in a minute; 0 for all.",
            valueName: "count"
        )
    )
    var readsPerMinute: UInt64 = 600

    @Option(
        help: ArgumentHelp(
            "How many requests of a token that write are taken in a minute; 0 for all.",
            valueName: "count"
        )
    )
    var writesPerMinute: UInt64 = 300

    @Flag(
        help: "Cosign heads of other ledgers, as the witness that `ledger witness init` has made."
    )
    var witness = false

    @Option(
        help: ArgumentHelp(
            "The witness's directory (default: ~/.local/state/ledger/witness).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var witnessDirectory: String?

    @Option(
        help: ArgumentHelp(
            "Where the page's maps get tiles: an address with {z}, {x} and {y} (default: nowhere).",
            valueName: "address"
        )
    )
    var tiles: String?

    @Option(
        help: ArgumentHelp(
            "What the makers of the tiles want to be shown beside a map.",
            valueName: "text"
        )
    )
    var attribution: String?

    func validate() throws {
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
            if witness {
                let path =
                    try witnessDirectory.map { FilePath($0) } ?? WitnessBook.defaultPath()
                words.append("--witness=\(path)")
            }
            if readsPerMinute > 0 { words.append("--reads=\(readsPerMinute)") }
            if writesPerMinute > 0 { words.append("--writes=\(writesPerMinute)") }
            if let tiles, let attribution {
                words += ["--tiles=\(tiles)", "--attribution=\(attribution)"]
            }
            return words + hostName
        }
    }

    func run() throws {
        let path = try book.path
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
