import Foundation
import TestSupport
import Testing

/// Three ledgers exchange events with a fourth one, each by its token, and a hostile one tries to
/// speak for them.
@Suite struct SyncTokenTests {
    private static let root = String(repeating: "7", count: 64)

    /// A ledger that asks, with its token.
    private struct Client {
        let process: LedgerProcess
        let id: String

        init() throws {
            process = try LedgerProcess()
            try process.begin()
            let founding = try process.run(["log", "--format", "json"]).lines.first ?? ""
            let found = founding.firstMatch(of: #/"ledger":"([0-9a-f]{32})"/#)?.1
            id = String(try #require(found))
        }

        func append(_ number: Int) throws {
            let drive = try process.run(
                [
                    "simulate", "home-to-office", "--source", "phone \(number)", "--seed",
                    "\(number)",
                ]
            )
            #expect(try process.run(["append"], input: drive.output).exitCode == 0)
        }

        func sync(
            with server: ServedLedger,
            showing token: String
        ) throws -> LedgerProcess.Outcome {
            let file = process.directory.path("token")
            try token.write(toFile: file, atomically: true, encoding: .utf8)
            return try process.run(
                ["sync", "http://localhost:\(server.port)", "--token-file", file]
            )
        }

        var size: Int {
            get throws { try process.run(["log", "--format", "json"]).lines.count }
        }
    }

    /// Posts a page without lines that says that all up to a size is there.
    private static func postNothing(
        as ledger: String,
        upTo size: Int,
        to server: ServedLedger,
        showing token: String
    ) throws -> ServedLedger.Answer {
        let page =
            #"{"next":\#(size),"has_more":false,"size":\#(size),"root":"\#(root)","#
            + #""skipped":[{"from":0,"next":\#(size)}]}"# + "\n"
        return try server.post(
            Data(page.utf8),
            to: "/v1/sync/events?from=0&next=\(size)",
            "X-Ledger: \(ledger)",
            "Authorization: Bearer \(token)"
        )
    }

    private static func trips(of process: LedgerProcess) throws -> Int {
        try process.run(["trips", "--all", "--format", "json"]).lines.count
    }

    @Test func `a hostile ledger can make nothing of another one vanish`() throws {
        let server = try ServedLedger()
        let clients = try (0..<3).map { _ in try Client() }
        let tokens = try ["laptop", "tablet", "office"]
            .map { try server.token($0, "--scope", "sync") }
        let hostile = try server.token("hostile", "--scope", "sync")
        for (number, client) in clients.dropLast().enumerated() {
            try client.append(number)
            let synced = try client.sync(with: server, showing: tokens[number])
            #expect(synced.exitCode == 0, "\(synced.errors)")
        }
        // Nothing can be said of those that were there before it.
        try clients[0].append(3)
        let refused = try Self.postNothing(
            as: clients[0].id,
            upTo: clients[0].size,
            to: server,
            showing: hostile
        )
        #expect(refused.status == 409)
        #expect(refused.body.contains("urn:ledger:other-ledger"))
        #expect(!refused.body.contains("laptop"))
        #expect(try clients[0].sync(with: server, showing: tokens[0]).exitCode == 0)
        #expect(try Self.trips(of: server.process) == 3)
        // It can be said of one that was not there yet, but that one is told.
        try clients[2].append(2)
        let size = try clients[2].size
        let said = try Self.postNothing(as: clients[2].id, upTo: size, to: server, showing: hostile)
        #expect(said.status == 200, "\(said.body)")
        let told = try clients[2].sync(with: server, showing: tokens[2])
        #expect(told.exitCode == 2)
        #expect(told.errors.contains("ledger token change office --ledger \(clients[2].id)"))
        #expect(try Self.trips(of: server.process) == 3)
        let given = try server.process.run(["token", "change", "office", "--ledger", clients[2].id])
        #expect(given.text == "Changed the token office.\n", "\(given.errors)")
        _ = try server.process.run(["token", "revoke", "hostile"])
        let healed = try clients[2].sync(with: server, showing: tokens[2])
        #expect(healed.exitCode == 0, "\(healed.errors)")
        #expect(try Self.trips(of: server.process) == 4)
        for (client, token) in zip(clients, tokens) {
            #expect(try client.sync(with: server, showing: token).exitCode == 0)
            #expect(try Self.trips(of: client.process) == 4)
            #expect(try client.process.run(["project", "--check"]).exitCode == 0)
        }
    }

    @Test func `a laptop that was made anew is told what its owner says at the server`() throws {
        let server = try ServedLedger()
        let token = try server.token("laptop", "--scope", "sync")
        let (old, new) = (try Client(), try Client())
        try old.append(1)
        #expect(try old.sync(with: server, showing: token).exitCode == 0)
        let refused = try new.sync(with: server, showing: token)
        #expect(refused.exitCode == 2)
        for words in [old.id, new.id, "ledger token change laptop --ledger \(new.id)"] {
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        let listed = try server.process.run(["token", "list", "--format", "json"]).text
        #expect(listed.contains(#""ledger":"\#(old.id)""#))
        let change = ["token", "change", "laptop", "--ledger", new.id]
        #expect(try server.process.run(change).exitCode == 0)
        #expect(try new.sync(with: server, showing: token).exitCode == 0)
        #expect(try Self.trips(of: new.process) == 1)
        #expect(try old.sync(with: server, showing: token).exitCode == 2)
    }
}
