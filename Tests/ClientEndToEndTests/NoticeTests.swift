import DriveSimulation
import Foundation
import Glibc
import Proofs
import TestSupport
import Testing

/// Notices that `ledger watch` tells others, by the real programs.
@Suite struct NoticeTests {
    private static func ledger() throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        return ledger
    }

    private static func drive(_ number: Int, in ledger: LedgerProcess) throws {
        let events = DriveSimulator.events(of: .homeToOffice, source: "phone \(number)")
        try ledger.append(DriveLines.data(DriveLines.lines(events)))
    }

    private static func secret(_ text: String, in ledger: LedgerProcess) throws -> String {
        let path = ledger.directory.path("secret")
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return path
    }

    @Test func `what was not taken comes again, the same, and signed`() throws {
        let ledger = try Self.ledger()
        try Self.drive(1, in: ledger)
        let endpoint = try NoticeEndpoint(answering: [500, 200])
        let secret = try Self.secret("key", in: ledger)
        let command = [
            "watch", "--post", endpoint.address, "--secret-file", secret, "--since", "1", "--on",
            "trip_started,trip_ended", "--once",
        ]
        let first = try ledger.run(command)
        #expect(first.exitCode == 1)
        #expect(first.errors.contains("not told: it answers 500"))
        #expect(try ledger.run(command).exitCode == 0)
        let requests = endpoint.requests
        #expect(requests.count == 3)
        #expect(requests.first?.body == requests.dropFirst().first?.body)
        #expect(Set(requests.compactMap { $0.field("x-ledger-notice") }).count == 2)
        for request in requests {
            let code = SHA256.code(of: Array(request.body.utf8), key: Array("key".utf8))
            #expect(request.field("x-ledger-signature") == "sha256=\(code)")
        }
        #expect(requests.last?.body.contains(#""notification":"trip_ended""#) == true)
        // Nothing is told twice, and what comes then is told.
        #expect(try ledger.run(command).exitCode == 0)
        #expect(endpoint.requests.count == 3)
        try Self.drive(2, in: ledger)
        #expect(try ledger.run(command).exitCode == 0)
        #expect(endpoint.requests.count == 5)
    }

    @Test func `an erased trip is in no notice that waits, and is told to no one`() throws {
        let ledger = try Self.ledger()
        for number in 1...2 { try Self.drive(number, in: ledger) }
        let ids = try ledger.run("trips", "--format", "json").lines
            .compactMap { $0.firstMatch(of: /"id":"([0-9a-f]{32})"/).map { String($0.1) } }
        let (erased, kept) = (try #require(ids.first), try #require(ids.last))
        try #require(erased != kept)
        let endpoint = try NoticeEndpoint(answering: [500, 200])
        let command = [
            "watch", "--post", endpoint.address, "--since", "1", "--on", "trip_ended", "--once",
        ]
        #expect(try ledger.run(command).exitCode == 1)
        let waiting = "cat book/notices/*.json"
        #expect(try ledger.shell(waiting).text.contains(erased))
        let told = try ledger.run("erase", "--trip", erased, "--why", "private", "--yes")
        #expect(told.exitCode == 0 && !told.text.contains("notices"), "\(told)")
        let left = try ledger.shell(waiting).text
        #expect(!left.contains(erased) && left.contains(kept), "\(left)")
        #expect(try ledger.run(command).exitCode == 0)
        let requests = endpoint.requests.dropFirst()
        #expect(requests.count == 1)
        #expect(requests.allSatisfy { $0.body.contains(kept) })
    }

    @Test func `ntfy and Apprise get what they take`() throws {
        let ledger = try Self.ledger()
        try Self.drive(1, in: ledger)
        let endpoint = try NoticeEndpoint(answering: [200])
        let token = try Self.secret("tk_1", in: ledger)
        for form in ["ntfy", "apprise"] {
            let told = try ledger.run([
                "watch", "--post", endpoint.address + form, "--form", form, "--token-file", token,
                "--since", "1", "--on", "trip_ended", "--once",
            ])
            #expect(told.exitCode == 0, "\(told.errors)")
        }
        let requests = endpoint.requests
        #expect(requests.first?.field("title") == "Trip ended")
        #expect(requests.first?.body.hasPrefix("Trip ") == true)
        #expect(requests.last?.body.hasPrefix(#"{"title":"Trip ended","body":"Trip "#) == true)
        #expect(requests.allSatisfy { $0.field("authorization") == "Bearer tk_1" })
    }

    @Test func `titles are in the language of the settings`() throws {
        let ledger = try Self.ledger()
        #expect(try ledger.run("settings", "--language", "fr").exitCode == 0)
        try Self.drive(1, in: ledger)
        let endpoint = try NoticeEndpoint(answering: [200])
        for (form, kind) in [("ntfy", "trip_started"), ("apprise", "trip_ended")] {
            let told = try ledger.run([
                "watch", "--post", endpoint.address + form, "--form", form, "--since", "1", "--on",
                kind, "--once",
            ])
            #expect(told.exitCode == 0, "\(told.errors)")
        }
        let requests = endpoint.requests
        // "Trajet commencé", in letters that a field may have.
        #expect(requests.first?.field("title") == "=?utf-8?B?VHJhamV0IGNvbW1lbmPDqQ==?=")
        #expect(requests.first?.field("tags") == "trip_started")
        #expect(requests.last?.body.hasPrefix(#"{"title":"Trajet terminé","body":""#) == true)
    }

    @Test func `what is secret in an address is told to no one but the receiver`() throws {
        let ledger = try Self.ledger()
        try Self.drive(1, in: ledger)
        let endpoint = try NoticeEndpoint(answering: [500])
        let server = endpoint.address.dropFirst("http://".count).prefix { $0 != "/" }
        // Nothing listens at the other one.
        for (place, cause) in [(String(server), "it answers 500"), ("127.0.0.1:9", "")] {
            let address = "http://eva:hush@\(place)/hook/hush?token=hush"
            let told = try ledger.run([
                "watch", "--post", address, "--since", "1", "--on", "trip_ended", "--once",
            ])
            #expect(told.exitCode == 1)
            #expect(told.errors.contains("http://\(place)/…: not told: \(cause)"))
            #expect(!told.errors.contains("hush") && !told.errors.contains("eva"), "\(told.errors)")
        }
        #expect(endpoint.requests.first?.field("authorization") == "Basic ZXZhOmh1c2g=")
        let stamped = try ledger.shell(
            """
            ledger key new --name ledger.example/eva > /dev/null
            openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=other -keyout other.key \
                -out other.pem 2> /dev/null
            ledger head --sign --stamps other.pem --stamp 'http://eva:hush@127.0.0.1:9/hush'
            """
        )
        #expect(stamped.exitCode != 0 && stamped.errors.contains("http://127.0.0.1:9/…: "))
        #expect(!stamped.errors.contains("hush"), "\(stamped.errors)")
    }

    @Test func `a secret that others may read is not used`() throws {
        let ledger = try Self.ledger()
        try Self.drive(1, in: ledger)
        let secret = try Self.secret("key", in: ledger)
        chmod(secret, 0o644)
        let told = try ledger.run([
            "watch", "--post", "http://127.0.0.1:9/", "--secret-file", secret, "--since", "1",
            "--once",
        ])
        #expect(told.exitCode == 2)
        #expect(told.errors.contains("chmod 600"))
    }

    @Test func `each receiver is told once of a month that is kept`() throws {
        let ledger = try LedgerProcess()
        #expect(try ledger.run("init", "--time-zone", "Europe/Amsterdam").exitCode == 0)
        try Self.drive(1, in: ledger)
        let receivers = [
            try NoticeEndpoint(answering: [204]), try NoticeEndpoint(answering: [500, 204]),
        ]
        for (receiver, codes) in zip(receivers, [[0, 0, 0], [1, 0, 0]] as [[Int32]]) {
            for code in codes {
                let told = try ledger.run([
                    "monthly", "-o", "kept", "--month", "2025-03", "--post", receiver.address,
                ])
                #expect(told.exitCode == code, "\(told.errors)")
            }
        }
        #expect(receivers.map(\.requests.count) == [1, 2])
    }

    @Test func `a mailer that fails is quoted, by its last line`() throws {
        let ledger = try Self.ledger()
        try Self.drive(1, in: ledger)
        let mailer = ledger.directory.path("mailer")
        let command = [
            "watch", "--mail", "me@example.org", "--sendmail", mailer, "--since", "1", "--on",
            "trip_ended", "--once",
        ]
        let long = "head -c 9000 /dev/zero | tr '\\0' x >&2; echo >&2"
        let cases = [
            ("\(long); printf 'postdrop: \\033no\\n\\n' >&2", ": postdrop: \\u{1b}no"),
            ("\(long); printf ' \\n' >&2", ": \(String(repeating: "x", count: 300))…"),
            (":", ""),
        ]
        for (script, reason) in cases {
            let text = "#!/bin/sh\ncat > /dev/null\n\(script)\nexit 75\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: mailer))
            chmod(mailer, 0o700)
            let told = try ledger.run(command)
            #expect(told.exitCode == 1)
            #expect(told.errors.contains("exited with 75\(reason)\n"), "\(told.errors)")
        }
    }

    @Test func `killed anywhere, each letter is sent once or twice, and none is left out`() throws {
        let ledger = try Self.ledger()
        let mailer = ledger.directory.path("mailer")
        let box = ledger.directory.path("box")
        try Data("#!/bin/sh\ncat >> \(box)\n".utf8).write(to: URL(fileURLWithPath: mailer))
        chmod(mailer, 0o700)
        let command = [
            "watch", "--mail", "me@example.org", "--sendmail", mailer, "--since", "1", "--on",
            "trip_ended", "--once",
        ]
        var generator = SystemRandomNumberGenerator()
        let rounds = 8
        for round in 0..<rounds {
            try Self.drive(round, in: ledger)
            let process = ledger.process(command)
            process.standardError = .null
            try process.start()
            usleep(UInt32.random(in: 0...60_000, using: &generator))
            kill(process.processIdentifier, SIGKILL)
            _ = process.waitForEnd()
        }
        let last = try ledger.run(command)
        #expect(last.exitCode == 0, "\(last.errors)")
        let letters = try String(contentsOfFile: box, encoding: .utf8)
        let ids = letters.split(separator: "\n").filter { $0.hasPrefix("Message-ID: ") }
        #expect(Set(ids).count == rounds)
        #expect(ids.count <= 2 * rounds)
    }
}
