import Testing

@Suite struct SourceLexerTests {
    private func code(_ text: String) -> String {
        String(decoding: SourceLexer(Array(text.utf8)).code, as: UTF8.self)
    }

    private func comments(_ text: String) -> String {
        String(decoding: SourceLexer(Array(text.utf8)).comments, as: UTF8.self)
    }

    @Test(arguments: [
        ("a // b", "a     "),
        ("a /* b /* c */ d */ e", "a                   e"),
        ("a /* b\n c */ e", "a     \n      e"),
        (##""a" + b"##, ##"" " + b"##),
        (##""a\"b" + c"##, ##""    " + c"##),
        (##""// a" + b"##, ##""    " + b"##),
        (##""a\(b + "c")d" + e"##, ##""  (b + " ") " + e"##),
        (##""a\(b(c))d""##, ##""  (b(c)) ""##),
        (###"#"a"b\(c)"# + d"###, ###"#"       "# + d"###),
        (###"#"a\#(b)"# + c"###, ###"#"   (b)"# + c"###),
        ("\"\"\"\n a \"b\" // c\n\"\"\" + d", "\"\"\"\n           \n\"\"\" + d"),
        (#"#/a"b/# + c"#, #"#/   /# + c"#),
        ("func `it's a // b`()", "func `___________`()"),
        ("#if a\n#endif", "#if a\n#endif"),
        ("a / b", "a / b"),
        ("/* never closed", "               "),
        ("\"never closed\n + a", "\"            \n + a"),
    ])
    func `code is what is neither comment nor string`(text: String, expected: String) {
        #expect(code(text) == expected)
    }

    @Test func `comments are what is not code`() {
        #expect(comments("a // b\n\"// c\" /* d */ e") == "  // b\n       /* d */  ")
    }

    @Test func `what is left keeps its place`() {
        for source in Repository.sources + Repository.tests {
            let lexer = SourceLexer(source.bytes)
            #expect(lexer.code.count == source.bytes.count)
            #expect(source.codeLines.count == source.lines.count, "\(source.path)")
            for (index, byte) in lexer.code.enumerated()
            where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "_") {
                guard byte != source.bytes[index] else { continue }
                Issue.record("\(source.path): byte \(index) moved")
                return
            }
        }
    }
}
