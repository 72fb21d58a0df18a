import Foundation
import TestSupport
import Testing

/// The page that `ledger serve` serves, and how a browser gets in.
@Suite struct ServePageTests {
    @Test func `the page and its files come with what they may do`() throws {
        let server = try ServedLedger()
        let page = try server.get("/")
        #expect(page.status == 200)
        #expect(page.head.contains("Content-Type: text/html; charset=utf-8"))
        #expect(page.head.contains("Cache-Control: no-cache"))
        #expect(
            page.head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'")
        )
        #expect(page.head.contains("X-Content-Type-Options: nosniff"))
        #expect(!page.head.contains("unsafe"))
        let script = page.body.firstMatch(of: #/src="(/assets/[0-9a-f]{16})/app\.js"/#)?.1
        let assets = try #require(script)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web").standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter {
                $0.contains(".") && !$0.hasPrefix("leaflet/") && !Self.documents.contains($0)
                    // A connection reads an answer as text.
                    && !$0.hasSuffix(".png")
            }
        #expect(names.contains("app.js") && names.contains("record/record.js"))
        for name in names {
            // A file that is not embedded would be missing.
            let file = "\(assets)/\(name)"
            let answer = try server.get(file)
            #expect(answer.status == 200, "\(file)")
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(answer.body == text, "\(file)")
            #expect(answer.head.contains("immutable"), "\(file)")
            let head = try server.get(file, method: "HEAD")
            #expect(head.status == 200 && head.body == "", "\(file)")
        }
        #expect(try server.get("/assets/0123456789abcdef/app.js").status == 404)
        #expect(try server.get("/assets/app.js").status == 404)
        #expect(try server.get("/", method: "POST").status == 404)
    }

    @Test(arguments: ["/", "/record", "/live/", "/reports/"])
    func `a document asks for no file that the server has not, with Leaflet and without`(
        path: String
    ) throws {
        let server = try ServedLedger()
        let document = try server.get(path)
        let files = document.body.matches(of: #/(?:href|src)="(/assets/[^"]+)"/#)
            .map { String($0.1) }
        #expect(document.head.contains("Content-Type: text/html") && files.count > 2)
        for file in files {
            #expect(try server.bytes(file).head.status == 200, "\(path) asks for \(file)")
        }
    }

    @Test(arguments: ["gzip", "br;q=1.0, GZIP; q=0.5", "deflate, gzip"])
    func `a browser that can read gzip gets a file so, with the same bytes in it`(
        accepted: String
    ) throws {
        let server = try ServedLedger()
        let name = try #require(
            try server.get("/").body.firstMatch(of: #/src="([^"]+app\.js)"/#)?.1
        )
        let plain = try server.bytes(String(name))
        let packed = try server.bytes(String(name), "Accept-Encoding: \(accepted)")
        #expect(packed.head.head.contains("Content-Encoding: gzip"))
        #expect(!plain.head.head.contains("Content-Encoding"))
        #expect(plain.head.head.contains("Vary: Accept-Encoding"))
        #expect(packed.body.count < plain.body.count / 2)
        let path = server.process.directory.path("app.js.gz")
        try packed.body.write(to: URL(fileURLWithPath: path))
        #expect(try server.process.shell("gzip -dc app.js.gz").output == plain.body)
        for refused in ["identity", "gzip;q=0", "gzip; q=0.00", "br", "x-gzip2"] {
            let answer = try server.bytes(String(name), "Accept-Encoding: \(refused)")
            #expect(answer.body == plain.body, "\(refused)")
        }
    }

    @Test func `the page may be installed and kept, with every file that it may need`() throws {
        let server = try ServedLedger()
        let page = try server.get("/")
        #expect(page.head.contains("; manifest-src 'self'; worker-src 'self'"))
        #expect(page.body.contains(#"rel="manifest" href="/manifest.webmanifest""#))
        let manifest = try server.get("/manifest.webmanifest")
        #expect(manifest.head.contains("Content-Type: application/manifest+json"))
        #expect(manifest.body.contains(#""scope": "/""#))
        for icon in manifest.body.matches(of: #/"src": "([^"]+)"/#) {
            #expect(try server.get(String(icon.1)).status == 200, "\(icon.1)")
        }
        let worker = try server.get("/worker.js")
        #expect(worker.head.contains("Cache-Control: no-cache"))
        #expect(worker.head.contains("Service-Worker-Allowed: /\r\n"))
        let script = page.body.firstMatch(of: #/src="(/assets/[0-9a-f]{16})/app\.js"/#)?.1
        let assets = try #require(script)
        #expect(worker.body.contains("const VERSION = '\(assets)';"))
        let list = try #require(worker.body.firstMatch(of: #/const FILES = '([^']+)'/#)?.1)
        let kept = Set(list.split(separator: " ").map(String.init))
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web").standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { name in
                name.contains(".") && !Self.documents.contains(name)
                    && !["record/", "live-trip", "report-link"].contains { name.hasPrefix($0) }
            }
        #expect(kept.isSuperset(of: names))
        for name in kept.subtracting(names) {
            #expect(try server.bytes("\(assets)/\(name)").head.status == 200, "\(name)")
        }
    }

    @Test func `the recorder may be installed and kept by itself`() throws {
        let server = try ServedLedger()
        let page = try server.get("/record")
        #expect(page.status == 200 && page.head.contains("Cache-Control: no-cache"))
        #expect(page.head.contains("Content-Type: text/html; charset=utf-8"))
        #expect(page.head.contains("; manifest-src 'self'; worker-src 'self'"))
        #expect(!page.head.contains("unsafe"))
        let script = page.body.firstMatch(of: #/src="(/assets/[0-9a-f]{16})/record/record\.js"/#)?.1
        let assets = try #require(script)
        #expect(page.body.contains(#"rel="manifest" href="/record/manifest.webmanifest""#))
        let manifest = try server.get("/record/manifest.webmanifest")
        #expect(manifest.head.contains("Content-Type: application/manifest+json"))
        #expect(manifest.head.contains("Cache-Control: no-cache"))
        #expect(manifest.body.contains(#""scope": "/record""#))
        let icons = manifest.body.matches(of: #/"src": "([^"]+)"/#).map { String($0.1) }
        #expect(icons.count == 3)
        for icon in icons { #expect(try server.get(icon).status == 200, "\(icon)") }
        let worker = try server.get("/record/worker.js")
        #expect(worker.head.contains("Content-Type: text/javascript; charset=utf-8"))
        #expect(worker.head.contains("Cache-Control: no-cache"))
        #expect(worker.head.contains("Service-Worker-Allowed: /record\r\n"))
        // Another version is another script: browsers compare its bytes.
        #expect(worker.body.contains("const VERSION = '\(assets)';"))
        let kept = worker.body.matches(of: #/(?m)^    ('[a-z].*),$/#)
            .flatMap { $0.1.matches(of: #/'([^']+)'/#).map { String($0.1) } }
        #expect(kept.contains("record/queue.js") && kept.contains("page.css"))
        for name in kept { #expect(try server.get("\(assets)/\(name)").status == 200, "\(name)") }
        for name in Self.documents {
            // With a version in their address they would be kept for ever.
            #expect(try server.get("\(assets)/\(name)").status == 404, "\(name)")
        }
        for path in ["/live/", "/reports/", "\(assets)/app.js"] {
            let head = try server.get(path).head
            #expect(!head.contains("worker-src") && !head.contains("manifest-src"), "\(path)")
            #expect(!head.contains("Service-Worker-Allowed"), "\(path)")
        }
        for path in ["/record/", "/recorder", "/record/record.js", "/record/queue.js"] {
            #expect(try server.get(path).status == 404, "\(path)")
        }
    }

    @Test func `the recorder's worker keeps every module that is imported`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web").standardizedFileURL
        let text = { (name: String) in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        let worker = try text("record/worker.js")
        var found: Set<String> = []
        var waiting = ["record/record.js"]
        while let name = waiting.popLast() {
            guard found.insert(name).inserted else { continue }
            #expect(worker.contains("'\(name)'"), "\(name) is missing where there is no network")
            let imports = try text(name).matches(of: #/(?:from |import\()'(\.[^']+)'/#)
            let base = folder.appending(path: name).deletingLastPathComponent()
            for one in imports {
                let path = base.appending(path: String(one.1)).standardizedFileURL.path
                waiting.append(String(path.dropFirst(folder.path.count + 1)))
            }
        }
        #expect(found.contains("texts/nl.js") && found.contains("record/queue.js"))
    }

    @Test func `the document names every module of the first view, so that none waits for another`()
        throws
    {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web").standardizedFileURL
        let text = { (name: String) in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        var found: Set<String> = []
        var waiting = ["app.js", "now.js"]
        while let name = waiting.popLast() {
            guard found.insert(name).inserted else { continue }
            let base = folder.appending(path: name).deletingLastPathComponent()
            for one in try text(name).matches(of: #/from '(\.[^']+)'/#) {
                let path = base.appending(path: String(one.1)).standardizedFileURL.path
                waiting.append(String(path.dropFirst(folder.path.count + 1)))
            }
        }
        let named = try text("index.html").matches(of: #/"modulepreload" href="[^"]+?\/([^"]+)"/#)
        #expect(Set(named.map { String($0.1) }) == found.subtracting(["app.js"]))
    }

    @Test func `no module of the page sends a decision to the door of events`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Programs/LedgerServer/Page/web").standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".js") && !$0.hasPrefix("leaflet/") }
        #expect(names.count > 40)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            // The recorder's queue parts reports from decisions, by a law of its own.
            #expect(!text.contains("/v1/events"), "\(name)")
        }
    }

    /// The documents with paths of their own.
    private static let documents: Set = [
        "index.html", "live-trip.html", "manifest.webmanifest", "record/manifest.webmanifest",
        "record/record.html", "record/worker.js", "report-link.html", "worker.js",
    ]

    @Test func `a link lets a browser in once, and the session ends when it is left`() throws {
        let server = try ServedLedger()
        let code = try PageSignIn.code(server, "eva")
        let cookie = try #require(try PageSignIn.enter(server, code))
        // The second time the code is of no use.
        #expect(try PageSignIn.enter(server, code) == nil)
        #expect(try server.get("/v1/status").status == 401)
        #expect(try server.get("/v1/status", "Cookie: a=b; \(cookie)").status == 200)
        let decision = #"{"type":"trip_voided","trip":"35e6e93518c9b4fef69cf8ff6df8dac2"}"#
        let answer = try server.post(
            Data(decision.utf8),
            as: "application/json",
            "Cookie: \(cookie)",
            "Sec-Fetch-Site: same-origin"
        )
        #expect(answer.status == 200 && answer.body.contains(#""appended":1"#), "\(answer)")
        #expect(
            try server.process.run("log", "--format", "json").lines.last?
                .contains(
                    #""actor":"eva""#
                ) == true
        )
        #expect(
            try server.process.run("token", "list", "--format", "json").lines
                .contains {
                    $0.contains(#""name":"eva""#) && $0.contains(#""use":"session""#)
                }
        )
        let left = try server.get(
            "/session",
            method: "DELETE",
            "Cookie: \(cookie)",
            "Sec-Fetch-Site: same-origin"
        )
        #expect(left.status == 204 && left.head.contains("Max-Age=0"))
        #expect(try server.get("/v1/status", "Cookie: \(cookie)").status == 401)
    }

    @Test func `another site's page can do nothing with a session`() throws {
        let server = try ServedLedger()
        let cookie = try #require(try PageSignIn.enter(server, PageSignIn.code(server, "eva")))
        let body = Data(#"{"type":"trip_voided","trip":"35e6e93518c9b4fef69cf8ff6df8dac2"}"#.utf8)
        let own = "http://localhost:\(server.port)"
        for (fields, mediaType, status) in [
            (["Sec-Fetch-Site: cross-site"], "application/json", 403),
            (["Sec-Fetch-Site: same-site"], "application/json", 403),
            (["Sec-Fetch-Site: none"], "application/json", 403),
            (["Origin: https://evil.example"], "application/json", 403),
            (["Origin: null"], "application/json", 403),
            ([], "application/json", 403),
            (["Sec-Fetch-Site: same-origin"], "text/plain", 403),
            (["Origin: \(own)"], "application/json", 200),
        ] {
            let answer = try server.connect()
                .post(
                    body,
                    as: mediaType,
                    to: "/v1/events",
                    server.port,
                    fields + ["Cookie: \(cookie)"]
                )
            #expect(answer.status == status, "\(fields) \(mediaType): \(answer)")
            #expect(
                status == 200 || answer.body.contains("urn:ledger:cross-site"),
                "\(fields): \(answer.body)"
            )
        }
        #expect(try server.get("/session", method: "DELETE", "Cookie: \(cookie)").status == 403)
        #expect(try server.get("/v1/status", "Cookie: \(cookie)").status == 200)
    }

    @Test func `codes, sessions and tokens do not stand for one another`() throws {
        let server = try ServedLedger()
        let token = try server.token("reader", "--scope", "read")
        let code = try PageSignIn.code(server, "eva")
        let bearer = { (text: String) in "Authorization: Bearer \(text)" }
        #expect(try server.get("/v1/status", bearer(token)).status == 200)
        #expect(try server.get("/v1/status", bearer(code)).status == 401)
        #expect(
            try server.get("/v1/status", "Cookie: ledger-\(server.port)=\(token)").status == 401
        )
        #expect(try server.get("/v1/status", "Cookie: ledger-\(server.port)=\(code)").status == 401)
        #expect(try PageSignIn.enter(server, token) == nil)
        let cookie = try #require(try PageSignIn.enter(server, code))
        let session = String(try #require(cookie.split(separator: "=").last))
        #expect(try server.get("/v1/status", bearer(session)).status == 401)
        // A cookie of another port does not count.
        #expect(try server.get("/v1/status", "Cookie: ledger-1=\(session)").status == 401)
        // The maker of the link may do as it says, and no more.
        let reading = try PageSignIn.code(server, "guest", "--scope", "read")
        let guest = try #require(try PageSignIn.enter(server, reading))
        #expect(try server.get("/v1/status", "Cookie: \(guest)").status == 200)
        let answer = try server.post(
            Data("{}".utf8),
            as: "application/json",
            "Cookie: \(guest)",
            "Sec-Fetch-Site: same-origin"
        )
        #expect(answer.status == 403 && answer.body.contains("urn:ledger:scope"))
        // A session that was revoked is over at once.
        _ = try server.process.run("token", "revoke", "eva")
        #expect(try server.get("/v1/status", "Cookie: \(cookie)").status == 401)
    }

    @Test(arguments: [
        (["--scope", "edit", "--scope", "read"], "edit read"), (["--scope", "live"], "live"),
        ([], "admin audit"),
    ])
    func `a page is told what its session allows, so that it offers no more`(
        options: [String],
        scopes: String
    ) throws {
        let server = try ServedLedger()
        let made = try server.process.run(
            ["token", "new", "eva", "--page", "--format", "json"] + options
        )
        let link = made.lines.joined().firstMatch(of: #/#login=([^"]+)"/#)
        let code = try #require(link?.1)
        let cookie = try #require(try PageSignIn.enter(server, String(code)))
        let head = try server.get("/v1/status", "Cookie: \(cookie)").head
        #expect(head.contains("\r\nLedger-Scopes: \(scopes)\r\n"), "\(head)")
        #expect(head.contains("\r\nLedger-Sight: everything\r\n"), "\(head)")
        // What is read of a part is kept in no browser.
        let own = try server.token("own", "--source", "phone", "--scope", "read")
        let part = try server.get("/v1/status", "Authorization: Bearer \(own)").head
        #expect(part.contains("\r\nLedger-Sight: part\r\n"), "\(part)")
        let revoking = try server.get(
            "/v1/devices?name=x",
            method: "DELETE",
            "Cookie: \(cookie)",
            "Sec-Fetch-Site: same-origin"
        )
        #expect((revoking.status == 403) == !scopes.contains("admin"), "\(revoking)")
    }

    @Test func `a page of some sources may do all that such a page may, without being told more`()
        throws
    {
        let server = try ServedLedger()
        let code = try PageSignIn.code(server, "kid", "--source", "kid-phone")
        let cookie = try #require(try PageSignIn.enter(server, code))
        let head = try server.get("/v1/status", "Cookie: \(cookie)").head
        #expect(head.contains("\r\nLedger-Scopes: admin\r\n"), "\(head)")
        #expect(head.contains("\r\nLedger-Sight: part\r\n"), "\(head)")
        #expect(try server.get("/v1/log", "Cookie: \(cookie)").status == 403)
    }
}
