import Foundation
import Testing

/// How a browser signs in to the page.
package enum PageSignIn {
    /// Makes a link, and returns the code in it.
    package static func code(
        _ server: ServedLedger,
        _ name: String,
        _ options: String...
    ) throws -> String {
        let made = try server.process.run(
            ["token", "new", name, "--page", "--format", "json"] + options
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        let link = made.lines.joined().firstMatch(of: #/"link":"[^"#]+#login=([^"]+)"/#)?.1
        return String(try #require(link))
    }

    /// Goes in with a code, and returns the cookie; `nil` if that is refused.
    package static func enter(_ server: ServedLedger, _ code: String) throws -> String? {
        let answer = try server.post(
            Data(#"{"code":"\#(code)"}"#.utf8),
            as: "application/json",
            to: "/session",
            "Sec-Fetch-Site: same-origin"
        )
        guard answer.status == 204 else {
            #expect(answer.status == 401)
            return nil
        }
        let field = answer.head.firstMatch(of: #/Set-Cookie: ([^;]+); (.+)/#)
        #expect(field?.2.hasPrefix("Path=/; HttpOnly; SameSite=Strict; Max-Age=") == true)
        return field.map { String($0.1) }
    }
}
