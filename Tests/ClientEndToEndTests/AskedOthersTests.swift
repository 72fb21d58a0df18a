import Foundation
import TestSupport
import Testing

/// A signed head about which an authority for the time and witnesses are asked over HTTP.
@Suite(.enabled(if: StampAuthority.isPresent, StampAuthority.missing)) struct AskedOthersTests {
    /// Makes a ledger with a signed head, and the certificate of an authority in a file.
    private static func book(trusting authority: StampAuthority) throws -> LedgerProcess {
        let book = try LedgerProcess()
        let session = """
            set -e
            ledger init > /dev/null
            ledger key new --name ledger.example/eva > /dev/null
            ledger key show | sed -n 's/^Verifier key *//p' > eva.vkey
            ledger head --sign > /dev/null
            """
        let outcome = try book.shell(session)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let file = book.directory.url.appendingPathComponent("authority.pem")
        try Data(authority.root).write(to: file)
        return book
    }

    private static func endpoint(of authority: StampAuthority) throws -> NoticeEndpoint {
        try NoticeEndpoint(answering: [200]) { request in
            (try? authority.answer(to: request.bytes)) ?? []
        }
    }

    @Test func `programs are told who stamped and who cosigned a head, and when`() throws {
        let authority = try StampAuthority()
        let book = try Self.book(trusting: authority)
        let endpoint = try Self.endpoint(of: authority)
        let office = try LedgerProcess()
        try office.begin()
        let key = try String(contentsOfFile: book.directory.path("eva.vkey"), encoding: .utf8)
        let outcome = try office.shell(
            """
            ledger witness init witness.example/office > /dev/null
            ledger witness add '\(key.trimmingCharacters(in: .newlines))' > /dev/null
            ledger witness show | sed -n 's/^Verifier key *//p'
            """
        )
        let witness = try #require(outcome.lines.last, "\(outcome.errors)")
        let server = try ServedLedger(office, ["--witness"])
        try "witness office \(witness) http://127.0.0.1:\(server.port)/witness\n"
            .write(toFile: book.directory.path("policy"), atomically: true, encoding: .utf8)
        let asked = try book.shell(
            """
            ledger head --signed --stamp \(endpoint.address) --stamps authority.pem \
            --witnesses policy --format json
            """
        )
        #expect(asked.exitCode == 0, "\(asked.errors)")
        let head = try #require(asked.lines.first)
        #expect(head.contains(#""stamp":{"authority":"Authority","time":"20"#), "\(head)")
        #expect(head.contains(#""file":"book/heads/0"#), "\(head)")
        let cosigned = #""cosignatures":[{"name":"witness.example/office","cosigned_at":"20"#
        #expect(head.contains(cosigned), "\(head)")
        if JSONSchemaValidator.isPresent {
            #expect(try JSONSchemaValidator.complaints(about: [head], schema: "head") == [""])
        }
    }

    @Test func `the hint about a stranger's stamp says which certificates were trusted`() throws {
        let (authority, other) = (try StampAuthority(), try StampAuthority())
        let book = try Self.book(trusting: other)
        let endpoint = try Self.endpoint(of: authority)
        let ask = "ledger head --signed --stamp \(endpoint.address)"
        let named = try book.shell("\(ask) --stamps authority.pem")
        #expect(named.exitCode == 65)
        #expect(named.errors.contains("those in authority.pem"), "\(named.errors)")
        let system = "/etc/ssl/certs/ca-certificates.crt"
        guard FileManager.default.fileExists(atPath: system) else { return }
        let unnamed = try book.shell(ask)
        #expect(unnamed.exitCode == 65)
        #expect(
            unnamed.errors.contains("\(system): name those of the authority with --stamps"),
            "\(unnamed.errors)"
        )
    }
}
