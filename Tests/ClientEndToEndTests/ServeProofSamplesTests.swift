import Foundation
import Proofs
import TestSupport
import Testing

/// Exchanges of C2SP's tlog-tiles and tlog-witness from the shared data, with the real program.
///
/// Tokens and signatures are other ones, for the samples tell no secret key; hashes and proofs are
/// the samples' own.
@Suite struct ServeProofSamplesTests {
    /// One request and its answer.
    private struct Exchange {
        var head: String
        var body: String
        let answer: (head: String, body: Data)

        init(_ name: String) throws {
            let path = "server/samples/tlog/\(name)"
            let (head, body) = try Self.parts(path + ".request.http")
            self.head = head
            self.body = String(decoding: body, as: UTF8.self)
            answer = try Self.parts(path + ".response.http")
        }

        private static func parts(_ path: String) throws -> (String, Data) {
            let raw = try SharedData.data(path)
            let end = try #require(raw.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
            return (head, Data(raw[end.upperBound...]))
        }

        /// Sends the request with its body as it is now, and compares status and fields; one of
        /// them gives the length of the body.
        func send(to server: ServedLedger, hasSameLength: Bool = true) throws -> Data {
            let length = "Content-Length: \(body.utf8.count)"
            let lines = head.replacing(#/Content-Length: \d+/#, with: length)
            let connection = try server.connect()
            try connection.send(lines + "\r\nConnection: close\r\n\r\n" + body)
            let raw = try connection.bytes()
            let end = try #require(raw.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: raw[..<end.lowerBound], as: UTF8.self) + "\r\n"
            for line in answer.head.components(separatedBy: "\r\n")
            where hasSameLength || !line.hasPrefix("Content-Length") {
                #expect(head.contains(line + "\r\n"), "\(line) is not in \(head)")
            }
            return Data(raw[end.upperBound...])
        }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `the head, a tile and a bundle are answered as in the samples`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let fixes = (0..<9)
            .map { index in
                #"{"type":"fix_recorded","source":"phone","lat":51.9,"lon":4.3,"accuracy":5,"#
                    + #""occurred_at":"2026-01-0\#(index + 1)T08:00:00Z"}"#
            }
        try process.append(Data(fixes.joined(separator: "\n").utf8))
        let signed = try process.shell(
            "ledger key new --name ledger.example/eva && ledger head --sign > /dev/null"
        )
        try #require(signed.exitCode == 0, "\(signed.errors)")
        let server = try ServedLedger(process, ["--host-name", "ledger.example"])
        let token = try server.token("auditor", "--scope", "audit")
        func exchange(_ name: String) throws -> Exchange {
            var exchange = try Exchange(name)
            exchange.head.replace(#/tl1_rd_\w+/#, with: token)
            return exchange
        }
        let head = try exchange("01-checkpoint")
        let note = String(decoding: try head.send(to: server), as: UTF8.self)
        let sample = String(decoding: head.answer.body, as: UTF8.self)
        #expect(note.split(separator: "\n").prefix(2) == sample.split(separator: "\n").prefix(2))
        #expect(
            note.wholeMatch(
                of: #/ledger\.example/eva\n11\n[\w+/]{43}=\n\n— ledger\.example/eva [\w+/=]{92}\n/#
            ) != nil,
            "\(note)"
        )
        let tile = try exchange("02-hash-tile").send(to: server)
        let bundle = try exchange("03-entry-bundle-one-withheld")
        let entries = try Self.entries(of: bundle.send(to: server, hasSameLength: false))
        #expect(entries.count == 11)
        #expect(try Self.entries(of: bundle.answer.body).count == 11)
        #expect(Data(entries.flatMap { SHA256.leaf($0.span).array }) == tile)
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `a witness answers as in the samples`() throws {
        let eva = SigningKey(
            name: try #require(KeyName("ledger.example/eva")),
            seed: try #require(SigningSeed([UInt8](repeating: 3, count: 32)))
        )
        let process = try LedgerProcess()
        try process.begin()
        let made = try process.shell(
            """
            ledger witness init witness.example/office > /dev/null &&
            ledger witness add '\(eva.verifier(.text))'
            """
        )
        try #require(made.exitCode == 0, "\(made.errors)")
        let server = try ServedLedger(process, ["--witness", "--host-name", "ledger.example"])
        // The samples' log has the entries that their bundle shows.
        var frontier = MerkleFrontier()
        for index in 0..<9 {
            let entry = Array("entry \(index)".utf8)
            _ = frontier.append(SHA256.leaf(entry.span))
        }
        let nine = HeadNote(
            origin: eva.name,
            head: TreeHead(size: frontier.size, root: frontier.root)
        )
        var exchange = try Exchange("04-witness-add-checkpoint")
        let first = try server.post(
            Data("old 0\n\n".utf8) + Data(nine.signed(by: eva).note.bytes),
            as: "text/plain",
            to: "/witness/add-checkpoint"
        )
        #expect(first.status == 200, "\(first)")
        var known = try Exchange("05-witness-knows-another-size")
        known.body = try Self.signed(known.body, by: eva)
        #expect(try known.send(to: server) == known.answer.body)
        exchange.body = try Self.signed(exchange.body, by: eva)
        let line = String(decoding: try exchange.send(to: server), as: UTF8.self)
        #expect(line.wholeMatch(of: #/— witness\.example/office [\w+/=]{104}\n/#) != nil)
        let sample = String(decoding: exchange.answer.body, as: UTF8.self)
        #expect(line.utf8.count == sample.utf8.count)
        #expect(line.split(separator: " ")[1] == sample.split(separator: " ")[1])
        // The cosigned head is known now.
        let again = try server.post(
            Data(exchange.body.utf8),
            as: "text/plain",
            to: "/witness/add-checkpoint"
        )
        #expect(again.status == 409 && again.body == "11\n", "\(again)")
    }

    /// Returns the entries of a bundle.
    private static func entries(of bundle: Data) throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var rest = Array(bundle)[...]
        while !rest.isEmpty {
            try #require(rest.count >= 2)
            let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            try #require(rest.count >= count)
            entries.append(Array(rest.prefix(count)))
            rest.removeFirst(count)
        }
        return entries
    }

    /// Returns a request in which another key has signed the same head.
    private static func signed(_ body: String, by key: SigningKey) throws -> String {
        let parts = body.components(separatedBy: "\n\n")
        try #require(parts.count == 3, "\(body)")
        let text = parts[1] + "\n"
        let note = SignedNote(text: text, signatures: [key.signature(of: text)])
        return parts[0] + "\n\n" + String(decoding: note.bytes, as: UTF8.self)
    }
}
