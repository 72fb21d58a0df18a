import TripEvents

/// The outermost element of a text that may be XML.
enum OutermostElement {
    /// Returns its name without a prefix; `nil` if there is none.
    ///
    /// Declarations and comments before it are skipped, as is everything else that begins with
    /// `<!`.
    static func name(in text: Span<UInt8>, from start: Int) -> String? {
        var position = start
        while position < text.count {
            guard text[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            let next = position + 1
            guard next < text.count else { return nil }
            if text.begins(with: "!--", at: next) {
                guard let end = text.first("-->", from: next + 3) else { return nil }
                position = end + 3
            } else if text[next] == UInt8(ascii: "?") || text[next] == UInt8(ascii: "!") {
                guard let end = text.first(">", from: next) else { return nil }
                position = end + 1
            } else {
                return localName(in: text, from: next)
            }
        }
        return nil
    }

    private static func localName(in text: Span<UInt8>, from start: Int) -> String? {
        let ends: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/")]
        let name = (start..<text.count).prefix { !ends.contains(text[$0]) }
        let written = String(decoding: text.bytes(in: name), as: UTF8.self)
        return written.split(separator: ":").last.map(String.init)
    }
}

extension Span<UInt8> {
    /// Whether some ASCII stands at a position.
    func begins(with text: String, at start: Int) -> Bool {
        start + text.utf8.count <= count && holds(text, at: start..<start + text.utf8.count)
    }

    /// Returns where some ASCII stands first from a position on; `nil` if it does not occur.
    func first(_ text: String, from start: Int) -> Int? {
        (start..<Swift.max(start, count)).first { begins(with: text, at: $0) }
    }
}
