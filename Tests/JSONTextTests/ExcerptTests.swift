import Testing

@testable import JSONText

@Suite struct ExcerptTests {
    @Test func `what a stranger says stays on its line`() {
        let text = "a\u{1B}[31m\r\n\u{9B}2J\u{202E}b\n"
        #expect(Excerpt.escapedLines(text) == "a\\u{1b}[31m\\u{d}\n\\u{9b}2J\\u{202e}b\n")
        #expect(Excerpt.sentence("a\nb") == "a\\u{a}b")
        #expect(Excerpt.sentence(String(repeating: "a", count: 400)).count == 301)
    }

    @Test func `whatever is secret in an address is not in what is shown of it`() {
        let schemes = ["", "https://", "http://", "mqtts://", "ftp://", "HTTPS://"]
        let users = ["", "eva@", "eva:hush@", ":hush@", "a@b:hush@", "eva:hu/hush@", "eva:hush\\@"]
        let rests = [
            "", "/", "/hook/hush", "?token=hush", "/t?x=1&key=hush#y", "#hush", "/\u{301}hush@",
            "/?to=http://hush",
        ]
        for scheme in schemes {
            for user in users {
                for rest in rests {
                    let address = "\(scheme)\(user)home.example:8080\(rest)"
                    let shown = Excerpt.address(address)
                    #expect(!shown.contains("hush") && !shown.contains("eva"), "\(address)")
                }
            }
        }
    }

    @Test(arguments: [
        ("https://home.example", "https://home.example"),
        ("http://localhost:8080/", "http://localhost:8080/"),
        ("https://eva:hush@home.example:8443/hook?token=1", "https://home.example:8443/…"),
        ("mqtts://eva:hush@broker.example:8883", "mqtts://broker.example:8883"),
        ("http://[::1]:80?x", "http://[::1]:80/…"),
        ("mailto:eva@example.org", "mailto:eva@example.org"),
    ])
    func `of an address the host and port are shown`(address: String, shown: String) {
        #expect(Excerpt.address(address) == shown)
    }
}
