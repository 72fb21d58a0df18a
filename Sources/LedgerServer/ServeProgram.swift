import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import Platform
import SystemPackage
import TripLedger

import struct NIOCore.IOError

/// Serves a ledger over HTTP until SIGTERM or SIGINT; `ledger serve` starts it.
@main
enum ServeProgram {
    private static let usage = """
        Usage: ledger-serve LEDGER PORT|SOCKET [--behind-proxy] [HOST-NAME …]

        Serves the ledger in a directory over HTTP, on this machine alone. `ledger serve`
        starts it and explains it.

        """

    /// Says that requests come by way of a proxy; no name of a host begins so.
    private static let behindProxy = "--behind-proxy"

    /// Where it listens.
    private enum Place {
        case port(UInt16)
        case socket(FilePath)

        /// Reads a port, or the path of a socket, which has a slash.
        init?(_ word: String) {
            if let port = UInt16(word) {
                self = .port(port)
            } else if word.contains("/") {
                self = .socket(FilePath(word))
            } else {
                return nil
            }
        }

        var address: BindAddress {
            switch self {
            case .port(let port): .hostname("127.0.0.1", port: Int(port))
            case .socket(let path): .unixDomainSocket(path: path.string)
            }
        }

        var name: String {
            switch self {
            case .port(let port): "port \(port) of 127.0.0.1"
            case .socket(let path): path.string
            }
        }
    }

    static func main() async throws {
        try StandardStreams.open()
        try await ServeProgram.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static func run(_ words: [String]) async throws {
        guard words.count >= 2, let place = Place(words[1]) else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            exit(asksForHelp ? 0 : 64)
        }
        if case .socket(let path) = place, UnixSocket.isAnswered(at: path) {
            fail("\(path): another program listens there", exitingWith: 74)
        }
        do {
            let ledger = try Ledger(
                at: FilePath(words[0]),
                viewNotice: { say("ledger-serve: note: \($0)\n", on: .standardError) }
            )
            ledger.discardViewsOnCrash(exitingWith: 74)
            defer { ledger.close() }
            let names = words[2...].filter { $0 != behindProxy }
            try await serve(
                ledger,
                at: place,
                HostNames(names),
                isBehindProxy: names.count < words.count - 2
            )
            if case .socket(let path) = place { UnixSocket.remove(at: path) }
        } catch let error as LedgerError {
            fail("\(error)", exitingWith: error.code == .inputOutput ? 74 : 65)
        } catch let error as IOError {
            let reason = Errno(rawValue: error.errnoCode)
            fail("\(place.name): \(reason)\n\(advice(after: reason))", exitingWith: 74)
        }
    }

    /// Answers requests until a signal ends it, and then those that have begun.
    private static func serve(
        _ ledger: Ledger,
        at place: Place,
        _ hostNames: HostNames,
        isBehindProxy: Bool
    ) async throws {
        // Below this level are texts with what was asked for, which may hold secrets.
        var logger = Logger(label: "ledger-serve") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let store = OpenedServerState(of: ledger.path)
        defer { store.close() }
        let bodies = RequestBodies()
        let gate = Gate(store: store, isBehindProxy: isBehindProxy)
        let reader = LedgerReader(of: ledger)
        let keeper = ViewKeeper(reader: reader)
        let metrics = Metrics()
        let writer = EventWriter(to: ledger, metrics) { keeper.nudge() }
        let events = EventsEndpoint(writer: writer, bodies: bodies)
        let responder = ServerResponder(
            hostNames: hostNames,
            deliveries: DeliveryEndpoint(
                writer: writer,
                bodies: bodies,
                gate: gate,
                name: ledger.path.lastComponent?.string ?? "ledger"
            ),
            routes: RouteTable(
                gate: gate,
                metrics: metrics,
                routes: routes(reader, store, keeper, events, metrics)
            )
        )
        // A socket is there for its owner alone from the first instant on.
        let mask = umask(0o177)
        let application = Application(
            responder: responder,
            server: .http1(configuration: ConnectionLimits.configuration),
            configuration: ApplicationConfiguration(
                address: place.address,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    ConnectionLimits.availableConnections(),
                    logger: logger
                )
            ),
            services: [writer, reader, keeper],
            onServerRunning: { channel in
                umask(mask)
                let address =
                    if case .socket(let path) = place {
                        path.string
                    } else {
                        "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
                    }
                say("Serving \(ledger.path) on \(address). Ctrl-C ends it.\n", on: .standardOutput)
            },
            logger: logger
        )
        try await application.runService()
    }

    /// All paths.
    private static func routes(
        _ reader: LedgerReader,
        _ store: OpenedServerState,
        _ keeper: ViewKeeper,
        _ events: EventsEndpoint,
        _ metrics: Metrics
    ) -> [Route] {
        let relations = TripRelations()
        let changes = ChangesEndpoint(reader: reader, keeper: keeper, relations: relations)
        let stream = StreamEndpoint(reader: reader, keeper: keeper, relations: relations)
        let server = ServerEndpoint(
            reader: reader,
            metrics: metrics,
            writer: events.writer,
            keeper: keeper
        )
        return [events.route] + PressEndpoint(events: events).routes
            + ListsEndpoint(reader: reader).routes
            + TripsEndpoint(reader: reader, relations: relations).routes
            + VisitsEndpoint(reader: reader).routes + changes.routes + stream.routes
            + ProofEndpoint(reader: reader).routes + LogEndpoint(reader: reader).routes
            + RefusedEndpoint(reader: reader, store: store).routes
            + SyncEndpoint(reader: reader, store: store, events: events).routes + server.routes
    }

    private static func advice(after reason: Errno) -> String {
        reason == .addressInUse
            ? "Another program has it: choose another one with `ledger serve --port`." : ""
    }

    /// Says what has gone wrong while requests are answered.
    static func complain(_ text: String) {
        say("ledger-serve: error: \(text)\n", on: .standardError)
    }

    private static func fail(_ text: String, exitingWith code: Int32) -> Never {
        complain(text)
        exit(code)
    }

    private static func say(_ text: String, on stream: FileDescriptor) {
        // Where it cannot be read, serving goes on all the same.
        _ = try? stream.writeAll(text.utf8)
    }
}
