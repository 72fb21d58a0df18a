import Foundation
import TestSupport
import Testing

/// The tiles of `ledger serve --tiles`: what the documents say of them, and may do.
@Suite struct ServeMapTilesTests {
    private static let template = "https://tile.example.org:8443/{z}/{x}/{y}.png?key=a&style=\"b"
    private static let words = "© \"Example\" & <makers>"

    /// Returns the policy, and what a document tells other sites of itself.
    private static func fields(
        _ answer: ServedLedger.Answer
    ) throws -> (policy: String, told: String) {
        let policy = answer.head.firstMatch(of: #/Content-Security-Policy: ([^\r\n]*)/#)?.1
        let told = answer.head.firstMatch(of: #/Referrer-Policy: ([^\r\n]*)/#)?.1
        return (String(try #require(policy)), String(try #require(told)))
    }

    @Test func `with tiles the documents with maps may show one other origin, and no others may`()
        throws
    {
        let template = Self.template.replacing("\"", with: "%22")
        let server = try ServedLedger("--tiles", template, "--attribution", Self.words)
        let plain = try ServedLedger()
        let live = try Self.link(server)
        for (path, other) in [("/", "/"), (live, try Self.link(plain))] {
            let page = try server.get(path)
            let (policy, told) = try Self.fields(page)
            let (before, _) = try Self.fields(try plain.get(other))
            let images = "img-src 'self' data:"
            #expect(
                policy.contains("\(images) https://tile.example.org:8443; "),
                "\(path): \(policy)"
            )
            #expect(
                policy.replacing(" https://tile.example.org:8443", with: "") == before,
                "\(path): nothing else is otherwise"
            )
            #expect(told == "strict-origin-when-cross-origin", "\(path)")
            #expect(
                page.body.contains(
                    """
                    <meta name="tiles" content="\(template.replacing("&", with: "&amp;"))" \
                    data-attribution="© &quot;Example&quot; &amp; &lt;makers>">

                    """
                ),
                "\(path): \(page.body)"
            )
        }
        let script = try server.get("/").body.firstMatch(of: #/src="([^"]+app\.js)"/#)?.1
        for path in ["/record", "/record/worker.js", String(try #require(script))] {
            let (policy, told) = try Self.fields(try server.get(path))
            #expect(!policy.contains("tile.example.org"), "\(path)")
            #expect(told == "no-referrer", "\(path)")
        }
    }

    @Test func `without tiles nothing leaves the machine`() throws {
        let server = try ServedLedger()
        for path in ["/", try Self.link(server)] {
            let page = try server.get(path)
            let (policy, told) = try Self.fields(page)
            #expect(policy.contains("img-src 'self' data:; "), "\(path)")
            #expect(!policy.contains("http"), "\(path)")
            #expect(told == "no-referrer", "\(path)")
            #expect(!page.body.contains("name=\"tiles") && !page.body.contains("{{"), "\(path)")
        }
    }

    @Test func `words of an attribution are no markup of a template`() throws {
        let words = "{{assets}} {{tiles}} </head>"
        let server = try ServedLedger(
            "--tiles",
            "http://localhost:1/{z}/{x}/{y}",
            "--attribution",
            words
        )
        let page = try server.get("/").body
        #expect(page.contains(#"data-attribution="{{assets}} {{tiles}} &lt;/head>""#))
        #expect(page.matches(of: /name="tiles"/).count == 1)
    }

    /// Returns the address of a link, which is that of no trip any more.
    private static func link(_ server: ServedLedger) throws -> String {
        let lines = """
            {"type":"go_pressed","source":"phone"}
            {"type":"fix_recorded","source":"phone","lat":52.1,"lon":4.3,"accuracy":5}
            """
        let token = try server.token("owner", "--scope", "admin")
        let posted = try server.post(Data(lines.utf8), "Authorization: Bearer \(token)")
        #expect(posted.status == 200)
        let made = try server.post(
            Data(#"{"trip":"active"}"#.utf8),
            as: "application/json",
            to: "/v1/shares",
            "Authorization: Bearer \(token)"
        )
        let path = made.body.firstMatch(of: #/\/live\/[^"]+/#)?.0
        return String(try #require(path))
    }
}
