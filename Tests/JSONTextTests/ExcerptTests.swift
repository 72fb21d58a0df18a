import Testing

@testable import JSONText

@Suite struct ExcerptTests {
    @Test func `what a stranger says stays on its line`() {
        let text = "a\u{1B}[31m\r\n\u{9B}2J\u{202E}b\n"
        #expect(Excerpt.escapedLines(text) == "a\\u{1b}[31m\\u{d}\n\\u{9b}2J\\u{202e}b\n")
        #expect(Excerpt.sentence("a\nb") == "a\\u{a}b")
        #expect(Excerpt.sentence(String(repeating: "a", count: 400)).count == 301)
    }
}
