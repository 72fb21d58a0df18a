import Foundation
import TestSupport
import Testing

/// Who is the ledger's owner by way of the unix socket, and who only seems to be.
@Suite struct ServeSocketTests {
    /// What proxies and browsers add to the requests that they send.
    private static let foreign = [
        "Origin: http://localhost", "Cookie: a=b", "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Mode: navigate", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https",
        "Forwarded: for=192.0.2.7", "Via: 1.1 proxy", "X-Real-IP: 192.0.2.7",
        "X-Client-IP: 192.0.2.7", "X-Original-URL: /", "CF-Connecting-IP: 192.0.2.7",
        "True-Client-IP: 192.0.2.7", "X-Envoy-External-Address: 192.0.2.7",
        "Tailscale-User-Login: eva", "X-Remote-User: eva", "X-Scheme: https",
        "Front-End-Https: on", "X-ProxyUser-Ip: 192.0.2.7",
    ]

    @Test func `a request like one of a proxy or a browser is not the owner's`() throws {
        let server = try ServedLedger.onSocket()
        let token = "Authorization: Bearer \(try server.token("page", "--scope", "read"))"
        #expect(try server.get("/v1/status").status == 200)
        for field in Self.foreign {
            let answer = try server.get("/v1/status", field)
            #expect(answer.status == 401, "\(field): \(answer)")
            #expect(answer.body.contains("--socket-owner"), "\(answer)")
            #expect(try server.get("/v1/status", field, token).status == 200, "\(field)")
        }
        // nginx asks like this if it was told nothing but where the socket is.
        let host = "Host: localhost"
        let old = try server.ask("GET /v1/status HTTP/1.0", host)
        #expect(old.hasPrefix("HTTP/1.1 401 "), "\(old)")
        #expect(try server.ask("GET /v1/status HTTP/1.0", host, token).hasPrefix("HTTP/1.1 200 "))
        #expect(try server.ask("GET /health HTTP/1.0", host).hasPrefix("HTTP/1.1 200 "))
        // The server itself notes the version, and no client can take that away.
        let noted = "X-Ledger-HTTP-Version: 1.1"
        let unsaid = try server.ask("GET /v1/status HTTP/1.0", host, noted)
        #expect(unsaid.hasPrefix("HTTP/1.1 401 "), "\(unsaid)")
        #expect(try server.get("/v1/status", noted).status == 200)
    }

    @Test func `with --socket-owner it is, but for what pages of others send`() throws {
        let process = try LedgerProcess()
        try process.begin()
        let server = try ServedLedger(onSocketOf: process, ["--socket-owner"])
        for field in Self.foreign {
            #expect(try server.get("/v1/status", field).status == 200, "\(field)")
        }
        let old = try server.ask("GET /v1/status HTTP/1.0", "Host: localhost")
        #expect(old.hasPrefix("HTTP/1.1 200 "))
        let go = Data(#"{"source":"button"}"#.utf8)
        for (field, status) in [
            ("Sec-Fetch-Site: cross-site", 403), ("Origin: https://evil.example", 403),
            ("Sec-Fetch-Site: same-origin", 200), ("X-Forwarded-For: 192.0.2.7", 200),
        ] {
            let answer = try server.post(go, as: "application/json", to: "/v1/go", field)
            #expect(answer.status == status, "\(field): \(answer)")
        }
        for words in [["--socket-owner"], ["--socket", "s", "--socket-owner", "--behind-proxy"]] {
            #expect(try process.run(["serve"] + words).exitCode == 64)
        }
    }
}
