/// A cursor that says what the last item of a page was: texts, as digits that need no escapes in
/// the query of a request.
enum TextCursor {
    private static let radix = 16

    /// Returns texts as one.
    static func text(of parts: [String]) -> String {
        parts.map { part in
            part.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: radix) }.joined()
        }
        .joined(separator: "-")
    }

    /// Returns the texts of a cursor, or `nil` if it is none.
    static func parts(of text: String) -> [String]? {
        var parts: [String] = []
        for part in text.split(separator: "-", omittingEmptySubsequences: false) {
            let digits = Array(part.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                guard let byte = UInt8(pair, radix: radix), pair.first != "+" else { return nil }
                bytes.append(byte)
            }
            guard let part = String(validating: bytes, as: UTF8.self) else { return nil }
            parts.append(part)
        }
        return parts
    }
}
