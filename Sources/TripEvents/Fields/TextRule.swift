/// What a text may be.
struct TextRule {
    /// How many bytes of UTF-8 it may have.
    let maximumBytes: Int

    /// Whether it may hold line feeds and tabs.
    var allowsLineBreaks = false

    static let source = TextRule(maximumBytes: 128)
    static let id = TextRule(maximumBytes: 255)
    static let short = TextRule(maximumBytes: 200)
    static let long = TextRule(maximumBytes: 4_000, allowsLineBreaks: true)
    static let key = TextRule(maximumBytes: 64)

    /// Throws if a text, given as valid UTF-8, breaks the rule.
    func check(_ text: some Collection<UInt8>, of name: String) throws(Rejection) {
        guard !text.isEmpty else {
            throw Rejection(
                .emptyText,
                field: name,
                sentence: "\(name) is empty; it has 1 to \(maximumBytes) bytes."
            )
        }
        guard text.count <= maximumBytes else {
            throw Rejection(
                .textTooLong,
                field: name,
                sentence: "\(name) has \(text.count) bytes; \(maximumBytes) are allowed."
            )
        }
        var previous: UInt8 = 0
        for byte in text {
            // U+0080 … U+009F are control characters too: 0xC2 and a byte below 0xA0.
            let isHighControl = previous == 0xC2 && byte < 0xA0
            let isBreak = byte == 0x0A || byte == 0x09
            if byte < 0x20 && !(isBreak && allowsLineBreaks) || byte == 0x7F || isHighControl {
                throw Rejection(
                    .invalidText,
                    field: name,
                    sentence: "\(name) holds the control character \(Excerpt.hexadecimal(byte)); "
                        + (allowsLineBreaks ? "only \\n and \\t are allowed." : "none is allowed.")
                )
            }
            previous = byte
        }
    }
}
