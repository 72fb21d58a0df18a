import ClientAPI
import EmbeddedFiles
import Glibc
import Hummingbird
import HummingbirdCore
import JSONText
import LedgerHTTP
import LedgerKeeping
import Logging
import Papers
import Platform
import ServerStore
import ServiceLifecycle
import SystemPackage
import TripLedger

import struct NIOCore.IOError

/// Serves a ledger over HTTP until SIGTERM or SIGINT; `ledger serve` starts it.
@main
enum ServeProgram {
    private static let usage = """
        Usage: ledger-serve LEDGER PORT|SOCKET [--behind-proxy|--socket-owner] [--setup]
                            [--witness=DIRECTORY] [--reads=NUMBER] [--writes=NUMBER]
                            [--tiles=ADDRESS --attribution=TEXT]
                            [--require-replica=SECONDS] [--shard=FILE#NAME] [HOST-NAME …]
               ledger-serve --health PORT|SOCKET
               ledger-serve --version|--licences

        Serves the ledger in a directory over HTTP, on this machine alone. `ledger serve`
        starts it and explains it. --health asks one that runs whether it is well, and exits
        with 1 if it is not. --licences prints what the programs are linked with.

        """

    /// How it serves.
    private struct Options {
        /// Whether requests come by way of a proxy.
        var isBehindProxy = false

        /// Whether a first link to the page is shown, also where output goes to no terminal.
        var isSetup = false

        /// Whether all that comes by way of the socket is the owner's.
        var isSocketOwners = false

        /// The witness that cosigns heads of other ledgers; `nil` for none.
        var witness: WitnessBook?

        /// How many reads of a token are taken in a minute; `nil` for all.
        var reads: UInt64?

        /// How many writes of a token are taken in a minute; `nil` for all.
        var writes: UInt64?

        /// The tiles for the maps of the page; `nil` if they ask no other server.
        var tiles: MapTiles?

        /// How long a request waits until the replica has what it stored; `nil` if requests do not
        /// wait.
        var replicaTimeout: Duration?

        /// The shard of a fleet that it is; `nil` if it is not one.
        var shard: FleetShard?

        /// The host names that a proxy uses.
        var hostNames: [String] = []

        /// The address at which browsers reach it through a proxy; `nil` without one.
        var proxy: String? {
            isBehindProxy ? hostNames.first.map { "https://\($0)" } : nil
        }

        /// Reads options, which begin differently from every host name.
        init(_ words: some Sequence<String>) throws(LedgerError) {
            var (template, attribution): (String?, String) = (nil, "")
            for word in words {
                if word == "--behind-proxy" {
                    isBehindProxy = true
                } else if word == "--setup" {
                    isSetup = true
                } else if word == "--socket-owner" {
                    isSocketOwners = true
                } else if word.hasPrefix("--witness=") {
                    witness = try WitnessBook(at: FilePath(String(word.dropFirst(10))))
                } else if word.hasPrefix("--reads=") {
                    reads = UInt64(word.dropFirst(8))
                } else if word.hasPrefix("--writes=") {
                    writes = UInt64(word.dropFirst(9))
                } else if word.hasPrefix("--tiles=") {
                    template = String(word.dropFirst(8))
                } else if word.hasPrefix("--require-replica=") {
                    replicaTimeout = Int64(word.dropFirst(18)).map { .seconds($0) }
                } else if word.hasPrefix("--shard=") {
                    shard = try Self.shard(word.dropFirst(8))
                } else if word.hasPrefix("--attribution=") {
                    attribution = String(word.dropFirst(14))
                } else {
                    hostNames.append(word)
                }
            }
            do throws(MapTiles.Fault) {
                tiles = try template.map { (template) throws(MapTiles.Fault) in
                    try MapTiles(template, attribution: attribution)
                }
            } catch {
                fail("\(error)", exitingWith: 64)
            }
        }

        /// Reads the layout of a fleet: its file, a number sign, and the name of the shard.
        private static func shard(_ words: Substring) throws(LedgerError) -> FleetShard {
            guard let sign = words.lastIndex(of: "#") else {
                fail("--shard is a file and a name, such as fleet.json#s017.", exitingWith: 64)
            }
            let (file, name) = (String(words[..<sign]), String(words[words.index(after: sign)...]))
            let bytes = try InputFile.bytes(of: file)
            do throws(FleetShard.Fault) {
                return try FleetShard(in: bytes, named: name)
            } catch {
                throw LedgerError(
                    .unreadableInput,
                    at: file,
                    cause: error.description,
                    hint: "Each group and each hash is of one shard, as in "
                        + #"{"shards":[{"name":"s0","groups_from":"hash","of":2,"is":0},"#
                        + #"{"name":"s1","groups_from":"hash","of":2,"is":1}]}"#
                )
            }
        }
    }

    static func main() async throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        try await ServeProgram.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static func run(_ words: [String]) async throws {
        if words.count == 2, words[0] == "--health", let place = ServingPlace(words[1]) {
            let health = await HealthProbe(of: place).answer()
            say(health.text + "\n", on: health.isWell ? .standardOutput : .standardError)
            exit(health.isWell ? 0 : 1)
        }
        if let answer = ProgramFacts.answer(to: words, version: ProgramVersion.current) {
            exit((try? FileDescriptor.standardOutput.writeAll(answer)) == nil ? 74 : 0)
        }
        guard words.count >= 2, let place = ServingPlace(words[1]) else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            exit(asksForHelp ? 0 : 64)
        }
        if case .socket(let path) = place, UnixSocket.isAnswered(at: path) {
            fail("\(path): another program listens there", exitingWith: 74)
        }
        do {
            Ledger.explainCrashes(at: FilePath(words[0]), exitingWith: 65)
            let ledger = try Ledger(
                at: FilePath(words[0]),
                viewNotice: {
                    say("ledger-serve: note: \(Excerpt.escaped($0))\n", on: .standardError)
                }
            )
            ledger.discardViewsOnCrash(exitingWith: 74, ifLogIsDamaged: 65)
            defer { ledger.close() }
            try await serve(ledger, at: place, Options(words[2...]))
            if case .socket(let path) = place { UnixSocket.remove(at: path) }
        } catch let error as LedgerError {
            fail("\(error)", exitingWith: [.inputOutput, .diskFull].contains(error.code) ? 74 : 65)
        } catch let error as IOError {
            let reason = Errno(rawValue: error.errnoCode)
            fail("\(place.name): \(reason)\n\(advice(after: reason))", exitingWith: 74)
        }
    }

    /// Answers requests until a signal ends it, and then those that have begun.
    private static func serve(
        _ ledger: Ledger,
        at place: ServingPlace,
        _ options: Options
    ) async throws {
        let store = OpenedServerState(of: ledger.path)
        defer { store.close() }
        let name = ledger.path.lastComponent?.string ?? "ledger"
        let bodies = RequestBodies()
        let newcomers = Newcomers(most: ConnectionLimits.availableConnections() / 2)
        let gate = Gate(
            store: store,
            newcomers: newcomers,
            isBehindProxy: options.isBehindProxy,
            isSocketOwners: options.isSocketOwners,
            shard: options.shard
        )
        let reader = LedgerReader(of: ledger)
        let keeper = ViewKeeper(reader: reader)
        let ways = KnownWays(of: reader)
        let maker = ReportMaker(of: ledger)
        let desk = DropDesk(of: ledger, store: store) { keeper.nudge() }
        let backups = BackupMaker(of: ledger)
        let page = PageEndpoint(tiles: options.tiles)
        let reports = ReportsEndpoint(reader: reader, maker: maker)
        let metrics = Metrics()
        let devices = DeviceRegister()
        let writer = EventWriter(to: ledger, metrics, confirmedWithin: options.replicaTimeout) {
            keeper.nudge()
        }
        let buttons = ButtonEndpoint(gate: gate, reader: reader, writer: writer, devices: devices)
        let events = EventsEndpoint(writer: writer, bodies: bodies, reader: reader)
        let quotas = SharedQuotas(Quotas(reads: options.reads, writes: options.writes))
        let responder = ServerResponder(
            hostNames: HostNames(options.hostNames),
            deliveries: deliveries(name, reader, writer, keeper, gate, bodies, devices),
            page: page,
            sessions: SessionEndpoint(gate: gate),
            routes: RouteTable(
                gate: gate,
                quotas: quotas,
                metrics: metrics,
                devices: devices,
                routes: routes(reader, store, keeper, events, ways, metrics, options.witness)
                    + DevicesEndpoint(reader: reader, devices: devices, store: store).routes
                    + buttons.routes
                    + routes(reader, store, keeper, gate, page, reports) + reports.routes
                    + ExportsEndpoint(maker: maker).routes + DropEndpoint(desk: desk).routes
                    + SafekeepingEndpoint(reader: reader, backups: backups).routes
                    + clientRoutes(name, reader, keeper, events)
            )
        )
        let services: [any Service] = [writer, reader, keeper, ways, maker, desk, backups, bodies]
        let limits = ConnectionLimits.configuration(newcomers)
        try await listen(at: place, limits, answeringBy: responder, with: services) { address in
            say("Serving \(ledger.path) on \(address). Ctrl-C ends it.\n", on: .standardOutput)
            offerPage(of: ledger, at: place, address, store, options)
        }
    }

    /// The doors of phones and of apps.
    private static func deliveries(
        _ name: String,
        _ reader: LedgerReader,
        _ writer: EventWriter,
        _ keeper: ViewKeeper,
        _ gate: Gate,
        _ bodies: RequestBodies,
        _ devices: DeviceRegister
    ) -> DeliveryEndpoint {
        DeliveryEndpoint(
            writer: writer,
            bodies: bodies,
            gate: gate,
            name: name,
            devices: devices,
            keeper: keeper,
            rules: DoorRules(reader: reader, writer: writer)
        )
    }

    /// Listens, and answers until a signal ends it.
    ///
    /// - Parameters:
    ///   - place: Where to listen.
    ///   - limits: The limits of connections.
    ///   - responder: Answers requests.
    ///   - services: The services that run beside it and end after it.
    ///   - isServing: Called with the address as soon as requests are answered there.
    /// - Throws: `IOError` if it cannot listen there.
    private static func listen(
        at place: ServingPlace,
        _ limits: HTTP1Channel.Configuration,
        answeringBy responder: ServerResponder,
        with services: [any Service],
        isServing: @escaping @Sendable (_ address: String) -> Void
    ) async throws {
        // Lower levels log requests, which may hold secrets.
        var logger = Logger(label: "ledger-serve") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        // A socket belongs to its owner alone from the first instant on; a port has no file, so the
        // mask of all threads need not change.
        let mask: mode_t? = if case .socket = place { umask(0o177) } else { nil }
        let application = Application(
            responder: responder,
            server: .http1(configuration: limits),
            configuration: configuration(at: place, logger),
            services: services,
            onServerRunning: { channel in
                if let mask { umask(mask) }
                isServing(place.served(on: channel.localAddress?.port ?? 0))
            },
            logger: logger
        )
        try await application.runService()
    }

    /// Shows the person at a terminal a link to the page.
    ///
    /// Output to a file or a journal has no secret, except during setup: until the first browser is
    /// signed in, there is no other way to the page. It says where the page is, and which command
    /// makes a link.
    private static func offerPage(
        of ledger: Ledger,
        at place: ServingPlace,
        _ address: String,
        _ store: OpenedServerState,
        _ options: Options
    ) {
        if case .socket = place, options.proxy == nil { return }
        let address = options.proxy ?? address
        guard Terminal.isStandardOutput || options.isSetup else {
            return namePage(of: ledger, at: address)
        }
        do throws(LedgerError) {
            let knowsABrowser = try store.orCreated().tokens().contains { $0.use == .session }
            guard Terminal.isStandardOutput || !knowsABrowser else {
                return namePage(of: ledger, at: address)
            }
            var random = BufferedRandom()
            let login = Token.login(of: "page", [.admin, .audit], now: WallClock.now)
            let text = TokenText(of: login, using: &random)
            try store.orCreated().add(login, shownAs: text)
            let link = "\(address)/#login=\(text.text)"
            say(
                """
                Open this link within ten minutes; it lets one browser in:
                  \(link)
                Record is there too, to record a trip with that browser.

                """,
                on: .standardOutput
            )
            guard options.isSetup else { return }
            guard options.proxy != nil, let code = QRCode(Array(link.utf8))
            else {
                say(
                    """
                    Only this machine reaches it. A phone does once a proxy stands before it:
                    `ledger help server`.

                    """,
                    on: .standardOutput
                )
                return
            }
            say("\n\(code.text)\n", on: .standardOutput)
        } catch {
            ServerLog.complain("\(error)")
        }
    }

    /// Says where the page is and how a person signs in, without a secret.
    ///
    /// The command names the ledger in full, because a reader of the journal has neither the
    /// directory nor the environment of the server.
    private static func namePage(of ledger: Ledger, at address: String) {
        let path = (try? Directory.absolute(ledger.path)) ?? ledger.path
        let url = address == ServerAddress.usual ? "" : " --url \(address)"
        say(
            """
            The page is at \(address). A command makes a link that lets one browser in:
              ledger --ledger \(ShellWord.quoted(path.string)) token new NAME --page\(url)

            """,
            on: .standardOutput
        )
    }

    private static func configuration(
        at place: ServingPlace,
        _ logger: Logger
    ) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: place.address,
            availableConnectionsDelegate: MaximumAvailableConnections(
                ConnectionLimits.availableConnections(),
                logger: logger
            )
        )
    }

    /// All paths.
    private static func routes(
        _ reader: LedgerReader,
        _ store: OpenedServerState,
        _ keeper: ViewKeeper,
        _ events: EventsEndpoint,
        _ ways: KnownWays,
        _ metrics: Metrics,
        _ witness: WitnessBook?
    ) -> [Route] {
        let relations = KnownRelations()
        let changes = ChangesEndpoint(reader: reader, keeper: keeper, relations: relations)
        let stream = StreamEndpoint(reader: reader, keeper: keeper, relations: relations)
        let server = ServerEndpoint(
            reader: reader,
            metrics: metrics,
            writer: events.writer,
            keeper: keeper
        )
        let cosigning = witness.map {
            WitnessEndpoint(book: $0, reader: reader, bodies: events.bodies)
        }
        let groups: [[Route]] = [
            [events.route],
            [DecisionsEndpoint(writer: events.writer, bodies: events.bodies, reader: reader).route],
            PressEndpoint(events: events).routes,
            ListsEndpoint(reader: reader, present: keeper.present).routes,
            TripsEndpoint(reader: reader, relations: relations, ways: ways).routes,
            VisitsEndpoint(reader: reader).routes, RoadsEndpoint(reader: reader).routes,
            StopsEndpoint(reader: reader).routes,
            ExpensesEndpoint(reader: reader).routes,
            RatesEndpoint(reader: reader, writer: events.writer).routes,
            InboxEndpoint(reader: reader, keeper: keeper).routes, changes.routes, stream.routes,
            ProofEndpoint(reader: reader).routes, LogEndpoint(reader: reader).routes,
            TilesEndpoint(reader: reader).routes,
            RefusedEndpoint(reader: reader, store: store).routes,
            SyncEndpoint(reader: reader, store: store, events: events).routes,
            cosigning?.routes ?? [], server.routes,
        ]
        return groups.flatMap(\.self)
    }

    /// The paths that set up phones, and those of links that show a trip or a report to others.
    private static func routes(
        _ reader: LedgerReader,
        _ store: OpenedServerState,
        _ keeper: ViewKeeper,
        _ gate: Gate,
        _ page: PageEndpoint,
        _ reports: ReportsEndpoint
    ) -> [Route] {
        NewDevicesEndpoint(reader: reader, store: store).routes
            + [NewButtonsEndpoint(reader: reader, store: store).route]
            + TokensEndpoint(reader: reader, store: store).routes
            + SharesEndpoint(reader: reader, store: store).routes
            + LiveEndpoint(reader: reader, keeper: keeper, gate: gate, page: page).routes
            + ReportLinkEndpoint(reader: reader, gate: gate, page: page, reports: reports).routes
    }

    /// The paths of apps that know another server; they come last.
    private static func clientRoutes(
        _ name: String,
        _ reader: LedgerReader,
        _ keeper: ViewKeeper,
        _ events: EventsEndpoint
    ) -> [Route] {
        OtherClients.routes(
            ofLedger: name,
            reader: reader,
            keeper: keeper,
            writer: events.writer,
            bodies: events.bodies
        )
    }

    private static func advice(after reason: Errno) -> String {
        reason == .addressInUse
            ? "Another program has it: choose another one with --port." : ""
    }

    private static func fail(_ text: String, exitingWith code: Int32) -> Never {
        ServerLog.complain(text)
        exit(code)
    }

    private static func say(_ text: String, on stream: FileDescriptor) {
        // If it cannot be written, serving goes on all the same.
        _ = try? stream.writeAll(text.utf8)
    }
}
