import Foundation
import TestSupport
import Testing

/// A witness that cosigns heads of other ledgers over HTTP: `POST /witness/add-checkpoint` (C2SP
/// tlog-witness).
@Suite struct ServeWitnessTests {
    /// A ledger of another owner, with a key and a head of its first entries.
    private static let owner = LedgerProcess.Fixture(
        shell: """
            ledger init > /dev/null
            ledger fix --lat 51.9 --lon 4.3 --accuracy 5 > /dev/null
            ledger key new --name ledger.example/eva > /dev/null
            ledger key show | sed -n 's/^Verifier key *//p' > eva.vkey
            ledger head --sign > first.note
            """
    )

    private static func shell(_ process: LedgerProcess, _ commands: String) throws -> String {
        let outcome = try process.shell("set -e\n" + commands)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return outcome.text
    }

    /// Serves a ledger with a witness, who knows a key if it is given.
    private static func serve(knowing key: String? = nil) throws -> ServedLedger {
        let process = try LedgerProcess()
        try process.begin()
        _ = try shell(process, "ledger witness init witness.example/office")
        if let key {
            let added = try shell(process, "ledger witness add '\(key)'")
            #expect(added.hasPrefix("The witness knows ledger.example/eva from now on. "))
        }
        return try ServedLedger(process, ["--witness"])
    }

    private static func text(_ process: LedgerProcess, _ name: String) throws -> String {
        try String(contentsOfFile: process.directory.path(name), encoding: .utf8)
    }

    private static func post(
        _ body: String,
        to server: ServedLedger
    ) throws
        -> ServedLedger.Answer
    {
        try server.post(Data(body.utf8), as: "text/plain", to: "/witness/add-checkpoint")
    }

    private static func key(_ owner: LedgerProcess) throws -> String {
        try text(owner, "eva.vkey").trimmingCharacters(in: .newlines)
    }

    @Test func `heads of a ledger that grows are cosigned, and its owner can show it`() throws {
        let owner = try Self.owner.copy()
        let server = try Self.serve(knowing: Self.key(owner))
        let first = try Self.text(owner, "first.note")
        let cosigned = try Self.post("old 0\n\n" + first, to: server)
        #expect(cosigned.status == 200, "\(cosigned)")
        #expect(cosigned.head.contains("\r\nContent-Type: text/plain; charset=utf-8"))
        #expect(cosigned.body.wholeMatch(of: #/— witness\.example/office [\w+/=]+\n/#) != nil)
        // The same again is cosigned again, and every other size is told the one that is known.
        #expect(try Self.post("old 3\n\n" + first, to: server).status == 200)
        let known = try Self.post("old 0\n\n" + first, to: server)
        #expect(known.status == 409 && known.body == "3\n", "\(known)")
        #expect(known.head.contains("\r\nContent-Type: text/x.tlog.size\r\n"))
        let proof = try Self.shell(
            owner,
            """
            ledger fix --lat 51.8 --lon 4.3 --accuracy 5 > /dev/null
            ledger head --sign > second.note
            ledger prove --consistency first.note
            """
        )
        let second = try Self.post(proof, to: server)
        #expect(second.status == 200, "\(second)")
        try (Self.text(owner, "second.note") + second.body)
            .write(toFile: owner.directory.path("cosigned"), atomically: true, encoding: .utf8)
        let witness = try Self.shell(
            server.process,
            "ledger witness show | sed -n 's/^Verifier key *//p'"
        )
        let kept = try Self.shell(
            owner,
            """
            ledger head --keep cosigned > /dev/null
            ledger verify --witness '\(witness.trimmingCharacters(in: .newlines))' \
            --key '\(Self.key(owner))'
            """
        )
        #expect(kept.hasPrefix("SOUND"), "\(kept)")
        let shown = try server.process.run("witness", "show", "--format", "json").text
        #expect(shown.contains(#""origin":"ledger.example/eva""#) && shown.contains(#""size":4"#))
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "", "\(end.errors)")
    }

    @Test func `what is not the log's is refused as the format says`() throws {
        let owner = try Self.owner.copy()
        let first = try Self.text(owner, "first.note")
        let stranger = try Self.serve()
        #expect(try Self.post("old 0\n\n" + first, to: stranger).status == 404)
        let added = try stranger.process.run("witness", "add", Self.key(owner))
        #expect(added.exitCode == 0)
        // No restart is needed.
        #expect(try Self.post("old 0\n\n" + first, to: stranger).status == 200)

        let server = try Self.serve(knowing: Self.key(owner))
        let forged = try Self.shell(
            LedgerProcess(),
            """
            ledger init > /dev/null
            ledger key new --name ledger.example/eva > /dev/null
            ledger head --sign
            """
        )
        #expect(try Self.post("old 0\n\n" + forged, to: server).status == 403)
        #expect(try Self.post("old 4\n\n" + first, to: server).status == 400)
        #expect(try Self.post("old 0\n\(first)", to: server).status == 400)
        #expect(try Self.post("", to: server).status == 400)
        #expect(try Self.post("old 0\n\n" + first, to: server).status == 200)
        let proof = try Self.shell(
            owner,
            """
            ledger fix --lat 51.8 --lon 4.3 --accuracy 5 > /dev/null
            ledger head --sign > /dev/null
            ledger prove --consistency first.note
            """
        )
        let hash = try #require(proof.split(separator: "\n").dropFirst().first)
        let other = Data(repeating: 7, count: 32).base64EncodedString()
        let spoiled = try Self.post(
            proof.replacingOccurrences(of: hash, with: other),
            to: server
        )
        #expect(spoiled.status == 422, "\(spoiled)")
        #expect(spoiled.head.contains("\r\nContent-Type: application/problem+json\r\n"))
        if JSONSchemaValidator.isPresent {
            #expect(
                try JSONSchemaValidator.complaints(about: [spoiled.body], schema: "problem") == [""]
            )
        }
        let large = try Self.post(proof + String(repeating: "x", count: 64 << 10), to: server)
        #expect(large.status == 413)
        let read = try server.get("/witness/add-checkpoint")
        #expect(read.status == 405 && read.head.contains("\r\nAllow: POST\r\n"))
        #expect(try Self.post(proof, to: server).status == 200)
        let end = server.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.errors == "", "\(end.errors)")
    }

    @Test func `nothing is cosigned unless it is switched on, and a witness must be there`() throws
    {
        let server = try ServedLedger()
        _ = try Self.shell(server.process, "ledger witness init witness.example/office")
        #expect(try Self.post("old 0\n\n", to: server).status == 404)
        let process = try LedgerProcess()
        try process.begin()
        let without = try process.run("serve", "--port", "0", "--witness")
        #expect(without.exitCode == 65)
        #expect(without.errors.contains("Become one with `ledger witness init`"))
        let lone = try process.run("serve", "--port", "0", "--witness-directory", "w")
        #expect(lone.exitCode == 64)
        _ = try Self.shell(process, "ledger witness init office --directory w")
        let elsewhere = try ServedLedger(process, ["--witness", "--witness-directory", "w"])
        #expect(try Self.post("", to: elsewhere).status == 400)
        let described = try elsewhere.get("/openapi.json")
        #expect(described.status == 200 && described.body.contains("/witness/add-checkpoint"))
    }

    @Test func `the key of a log is added once`() throws {
        let process = try LedgerProcess()
        let key = try Self.key(Self.owner.copy())
        let before = try process.run("witness", "add", key)
        #expect(before.exitCode == 65 && before.errors.contains("ledger witness init"))
        let witness = try Self.shell(
            process,
            "ledger witness init office | sed -n 's/^Verifier key *//p'"
        )
        let own = try process.run("witness", "add", witness.trimmingCharacters(in: .newlines))
        #expect(own.exitCode == 64)
        #expect(try process.run("witness", "add", "nonsense").exitCode == 64)
        #expect(try process.run("witness", "add", key).exitCode == 0)
        let again = try process.run("witness", "add", key)
        #expect(again.text == "The witness knew ledger.example/eva with this key already.\n")
        let other = try Self.shell(
            LedgerProcess(),
            """
            ledger init > /dev/null
            ledger key new --name ledger.example/eva | sed -n 's/^Verifier key *//p'
            """
        )
        let refused = try process.run("witness", "add", other.trimmingCharacters(in: .newlines))
        #expect(refused.exitCode == 1 && refused.errors.contains("has another key"))
        let shown = try process.run("witness", "show").text
        #expect(shown.contains("Ledger   ledger.example/eva\nIts key  \(key)\n"), "\(shown)")
    }
}
