import Foundation
import TestSupport
import Testing

/// A server that sets itself up: from nothing to a browser that was let in.
@Suite struct ServeFirstRunTests {
    private static let program = LedgerProcess.binary.deletingLastPathComponent()
        .appending(path: "ledger-serve").path

    /// Returns the link of a server that prints one.
    private static func link(of server: ServedLedger) throws -> String {
        while true {
            let line = try #require(server.nextLine())
            if line.contains("#login=") { return line.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `--setup makes the ledger, and shows a link until a browser was let in`() throws {
        let process = try LedgerProcess()
        let first = try ServedLedger(process, ["--setup"])
        let unused = try Self.link(of: first)
        #expect(unused.hasPrefix("http://127.0.0.1:\(first.port)/#login="))
        #expect(first.end(with: SIGTERM).exitCode == 0)
        let founding = try process.run("log", "--format", "json").lines

        let second = try ServedLedger(process, ["--setup"])
        let code = try #require(try Self.link(of: second).split(separator: "=").last)
        #expect(try PageSignIn.enter(second, String(code)) != nil)
        let end = second.end(with: SIGTERM)
        #expect(end.exitCode == 0 && end.lines.joined().contains("proxy"), "\(end.lines)")

        // What the third one prints is all there when it has ended.
        let third = try ServedLedger(process, ["--setup"])
        #expect(try third.get("/health").status == 200)
        let said = third.end(with: SIGTERM).lines.joined(separator: "\n")
        #expect(said.contains("--page") && !said.contains("login"), "\(said)")
        #expect(try process.run("log", "--format", "json").lines == founding)
    }

    @Test func `without --setup nothing is made, and a file gets the command for a link`() throws {
        let process = try LedgerProcess()
        let refused = try process.run("serve", "--port", "0")
        #expect(
            refused.exitCode != 0 && refused.errors.contains(" init`"),
            "\(refused.errors)"
        )
        try process.begin()
        let server = try ServedLedger(process)
        let page = try #require(server.nextLine())
        #expect(page.hasPrefix("The page is at http://127.0.0.1:\(server.port). "), "\(page)")
        // It works as it stands, in any directory and environment.
        let command = try #require(server.nextLine())
        let made = try process.shell("mkdir away; cd away; unset LEDGER_DIR; \(command)").text
        #expect(made.contains("\nhttp://127.0.0.1:\(server.port)/#login="), "\(command)\n\(made)")
        let code = try #require(made.firstMatch(of: #/#login=(\S+)/#)?.1)
        #expect(try PageSignIn.enter(server, String(code)) != nil)
        #expect(server.end(with: SIGTERM).lines == [])
    }

    @Test func `behind a proxy the link is that of the proxy, with a code for phones`() throws {
        let process = try LedgerProcess()
        let options = ["--setup", "--behind-proxy", "--host-name", "ledger.example"]
        let server = try ServedLedger(process, options)
        #expect(try Self.link(of: server).hasPrefix("https://ledger.example/#login="))
        let end = server.end(with: SIGTERM)
        let blocks = end.lines.filter { $0.contains("\u{2588}") || $0.contains("\u{2580}") }
        #expect(blocks.count > 15, "\(end.lines)")
    }

    @Test func `--health says whether a server is well, on a port or a socket`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let served = try ServedLedger(process)
        let port = "\(served.port)"
        #expect(try process.shell("'\(Self.program)' --health \(port)").exitCode == 0)
        #expect(served.end(with: SIGTERM).exitCode == 0)
        let ended = try process.shell("'\(Self.program)' --health \(port)")
        #expect(ended.exitCode == 1 && ended.errors.contains(port), "\(ended.errors)")
        let onSocket = try ServedLedger(onSocketOf: process)
        let path = try #require(onSocket.socket)
        #expect(try process.shell("'\(Self.program)' --health '\(path)'").exitCode == 0)
        #expect(onSocket.end(with: SIGTERM).exitCode == 0)
    }

    @Test func `both programs print what they are linked with`() throws {
        let process = try LedgerProcess()
        let notice = try String(
            contentsOf: ManualPage.root.appending(path: "tools/package/NOTICE"),
            encoding: .utf8
        )
        #expect(try process.run("--licences").text == notice)
        #expect(try process.shell("'\(Self.program)' --licences").text == notice)
        for name in ["LMDB", "OpenSSL", "GNU C Library", "SwiftNIO", "Leaflet"] {
            #expect(notice.contains("\n\(name)"), "\(name)")
        }
    }
}
