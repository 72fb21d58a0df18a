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
        Usage: ledger-serve LEDGER PORT [HOST-NAME …]

        Serves the ledger in a directory over HTTP, on this machine alone. `ledger serve`
        starts it and explains it.

        """

    static func main() async throws {
        try StandardStreams.open()
        try await ServeProgram.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static func run(_ words: [String]) async throws {
        guard words.count >= 2, let port = UInt16(words[1]) else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            exit(asksForHelp ? 0 : 64)
        }
        do {
            let ledger = try Ledger(at: FilePath(words[0]))
            defer { ledger.close() }
            try await serve(ledger, port: Int(port), HostNames(Array(words[2...])))
        } catch let error as LedgerError {
            fail("\(error)", exitingWith: error.code == .inputOutput ? 74 : 65)
        } catch let error as IOError {
            let reason = Errno(rawValue: error.errnoCode)
            fail("port \(port) of 127.0.0.1: \(reason)\n\(advice(after: reason))", exitingWith: 74)
        }
    }

    /// Answers requests until a signal ends it, and then those that have begun.
    private static func serve(
        _ ledger: Ledger,
        port: Int,
        _ hostNames: HostNames
    ) async throws {
        // Below this level are texts with what was asked for, which may hold secrets.
        var logger = Logger(label: "ledger-serve") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let application = Application(
            responder: ServerResponder(hostNames: hostNames),
            server: .http1(configuration: ConnectionLimits.configuration),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    ConnectionLimits.mostConnections,
                    logger: logger
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                say(
                    "Serving \(ledger.path) on http://127.0.0.1:\(port). Ctrl-C ends it.\n",
                    on: .standardOutput
                )
            },
            logger: logger
        )
        try await application.runService()
    }

    private static func advice(after reason: Errno) -> String {
        reason == .addressInUse
            ? "Another program has it: choose another one with `ledger serve --port`." : ""
    }

    private static func fail(_ text: String, exitingWith code: Int32) -> Never {
        say("ledger-serve: error: \(text)\n", on: .standardError)
        exit(code)
    }

    private static func say(_ text: String, on stream: FileDescriptor) {
        // Where it cannot be read, serving goes on all the same.
        _ = try? stream.writeAll(text.utf8)
    }
}
