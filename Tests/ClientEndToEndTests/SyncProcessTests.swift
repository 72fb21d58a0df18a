import Foundation
import Glibc
import TestSupport
import Testing

/// Two ledgers exchange events by the real programs.
@Suite struct SyncProcessTests {
    @Test func `what was entered on either side is on both, and the trips are the same`() throws {
        let server = try ServedLedger.onSocket()
        let client = try Self.client()
        try Self.append(1, to: server.process)
        try Self.append(2, to: client)
        let first = try Self.sync(client, with: server)
        #expect(first.exitCode == 0, "\(first.errors)")
        _ = try client.run(["edit", "last", "--class", "business", "--purpose", "Sales"])
        #expect(try Self.sync(client, with: server).exitCode == 0)
        let trips = ["trips", "--all", "--format", "json"]
        let ours = try client.run(trips).lines
        #expect(ours.count == 2)
        #expect(ours.joined().contains("Sales"))
        #expect(
            try Self.withoutArrival(ours) == Self.withoutArrival(server.process.run(trips).lines)
        )
        // With nothing new, nothing is written.
        let log = try client.run(["log", "--format", "json"]).lines
        let last = try Self.sync(client, with: server, "--format", "json")
        #expect(last.exitCode == 0)
        #expect(last.text.contains(#""pushed":{"appended":0"#))
        #expect(last.text.contains(#""pulled":{"appended":0"#))
        #expect(try client.run(["log", "--format", "json"]).lines == log)
        #expect(try client.run(["project", "--check"]).exitCode == 0)
        #expect(try server.process.run(["project", "--check"]).exitCode == 0)
        // What is erased here stays there, and that is said.
        let erased = try client.run(["erase", "--trip", "last", "--why", "private", "--yes"])
        #expect(erased.exitCode == 0)
        #expect(erased.errors.contains("has exchanged events with the ledger"), "\(erased)")
    }

    @Test func `a token with the scope sync is needed on a port`() throws {
        let server = try ServedLedger()
        let client = try Self.client()
        try Self.append(3, to: client)
        let address = "http://localhost:\(server.port)"
        let without = try client.run(["sync", address])
        #expect(without.exitCode == 2)
        #expect(without.errors.contains("401"))
        #expect(without.errors.contains("ledger token new NAME --scope sync"))
        let wrong = client.directory.path("wrong")
        try server.token("dashboard", "--scope", "read")
            .write(
                toFile: wrong,
                atomically: true,
                encoding: .utf8
            )
        #expect(try client.run(["sync", address, "--token-file", wrong]).exitCode == 2)
        let right = client.directory.path("right")
        let token = try server.token("laptop", "--scope", "sync")
        try (token + "\n").write(toFile: right, atomically: true, encoding: .utf8)
        let synced = try client.run(["sync", address, "--token-file", right])
        #expect(synced.exitCode == 0, "\(synced.errors)")
        #expect(try server.process.run(["trips", "--all", "--format", "json"]).lines.count == 1)
        #expect(!(synced.text + synced.errors).contains(token))
    }

    @Test func `ledgers that compute differently do not exchange events unless told so`() throws {
        let server = try ServedLedger.onSocket()
        let client = try LedgerProcess()
        _ = try client.run(["init", "--units", "mi"])
        let refused = try Self.sync(client, with: server)
        #expect(refused.exitCode == 2)
        #expect(refused.errors.contains("units"))
        #expect(try Self.sync(client, with: server, "--accept-settings").exitCode == 0)
    }

    @Test func `one source with another group does not keep all else back if told so`() throws {
        let server = try ServedLedger.onSocket()
        let client = try Self.client()
        for (process, phone, other) in [
            (client, #""phone","group":"17""#, #""third""#),
            (server.process, #""phone""#, #""other""#),
        ] {
            let lines = [phone, other]
                .map { source in
                    #"{"type":"go_pressed","occurred_at":"2026-03-01T10:00:00Z","source":"#
                        + "\(source)}\n"
                }
                .joined()
            let appended = try process.run(["append"], input: Data(lines.utf8))
            #expect(appended.exitCode == 0, "\(appended.errors)")
        }
        let refused = try Self.sync(client, with: server)
        #expect(refused.exitCode == 2)
        let words =
            #"the source "phone" is of the group "17" in the ledger that sends its events, and of "#
            + "no group in the one that receives them\nA source keeps the group"
        #expect(refused.errors.contains(words), "\(refused.errors)")
        let synced = try Self.sync(client, with: server, "--accept-settings")
        #expect(synced.exitCode == 1, "\(synced.errors)")
        #expect(synced.errors.contains("other_group"))
        for process in [client, server.process] {
            let presses = ["log", "--type", "go_pressed", "--format", "json"]
            let lines = try process.run(presses).lines
            #expect(lines.count == 3)
            for source in ["phone", "third", "other"] {
                #expect(lines.count { $0.contains(#""source":"\#(source)""#) } == 1)
            }
        }
        #expect(try Self.sync(client, with: server, "--accept-settings").exitCode == 0)
    }

    @Test func `an address where no server is ends with 74 and says so`() throws {
        let client = try Self.client()
        let socket = client.directory.path("nothing.sock")
        let outcome = try client.run(["sync", "http://localhost", "--socket", socket])
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors.hasPrefix("ledger-sync: error: http://localhost: "))
    }

    @Test func `killed anywhere on either side, nothing is lost or doubled`() throws {
        let book = try LedgerProcess()
        try book.begin()
        var server = try ServedLedger(onSocketOf: book)
        let client = try Self.client()
        var generator = SystemRandomNumberGenerator()
        for round in 0..<8 {
            try Self.append(10 + round, to: client)
            let start = client.process([
                "sync", "http://localhost", "--socket", server.socket ?? "",
            ])
            start.standardOutput = .null
            start.standardError = .null
            try start.start()
            usleep(UInt32.random(in: 0...60_000, using: &generator))
            if round % 2 == 0 {
                kill(start.processIdentifier, SIGKILL)
                _ = start.waitForEnd()
            } else {
                _ = server.end(with: SIGKILL)
                kill(start.processIdentifier, SIGTERM)
                _ = start.waitForEnd()
                server = try ServedLedger(onSocketOf: book)
            }
        }
        #expect(try Self.sync(client, with: server).exitCode == 0)
        #expect(try Self.sync(client, with: server).exitCode == 0)
        let trips = ["trips", "--all", "--format", "json"]
        let ours = try Self.withoutArrival(client.run(trips).lines)
        #expect(ours.count == 8)
        #expect(try ours == Self.withoutArrival(book.run(trips).lines))
        #expect(try book.run(["verify"]).exitCode == 0)
        #expect(try book.run(["project", "--check"]).exitCode == 0)
    }

    private static func client() throws -> LedgerProcess {
        let client = try LedgerProcess()
        try client.begin()
        return client
    }

    /// Appends a drive that a source of its own recorded.
    private static func append(_ number: Int, to process: LedgerProcess) throws {
        let drive = try process.run(
            ["simulate", "home-to-office", "--source", "phone \(number)", "--seed", "\(number)"]
        )
        let appended = try process.run(["append"], input: drive.output)
        #expect(appended.exitCode == 0, "\(appended.errors)")
    }

    private static func sync(
        _ client: LedgerProcess,
        with server: ServedLedger,
        _ options: String...
    ) throws -> LedgerProcess.Outcome {
        let socket = try #require(server.socket)
        return try client.run(["sync", "http://localhost", "--socket", socket] + options)
    }

    /// Returns trips without what depends on when their events arrived.
    private static func withoutArrival(_ lines: [String]) -> [String] {
        lines.map { $0.replacing(#/"recorded":{[^}]*}/#, with: "") }
    }
}
