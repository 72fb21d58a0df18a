import TripEvents

/// Turns the almost-JSON of careless programs into JSON: `NaN`, `Infinity`, `None` or `+5` where a
/// value should stand become texts, and control characters in texts become spaces.
///
/// So a record loses only the member whose value is not JSON.
enum JSONRepair {
    /// Returns the repaired text; `nil` if there is nothing to repair.
    static func repaired(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 16)
        var isChanged = false
        var position = 0
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") {
                position = copyText(text, from: position, to: &bytes, &isChanged)
            } else if isStructure(byte) {
                bytes.append(byte)
                position += 1
            } else {
                let word = (position..<text.count)
                    .prefix {
                        !isStructure(text[$0]) && text[$0] != UInt8(ascii: "\"")
                    }
                if isValue(text, word) {
                    bytes += text.bytes(in: word)
                } else {
                    let written = String(decoding: text.bytes(in: word), as: UTF8.self)
                    JSONWriter.append(written, to: &bytes)
                    isChanged = true
                }
                position = word.upperBound
            }
        }
        return isChanged ? bytes : nil
    }

    /// Copies a text with its quotes, and returns where what follows it begins.
    private static func copyText(
        _ text: Span<UInt8>,
        from start: Int,
        to bytes: inout [UInt8],
        _ isChanged: inout Bool
    ) -> Int {
        bytes.append(text[start])
        var position = start + 1
        while position < text.count {
            let byte = text[position]
            position += 1
            isChanged = isChanged || byte < 0x20
            bytes.append(byte < 0x20 ? 0x20 : byte)
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\"), position < text.count else { continue }
            bytes.append(text[position])
            position += 1
        }
        return position
    }

    private static func isStructure(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "{}[],:".utf8.contains(byte)
    }

    private static func isValue(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        if ["true", "false", "null"].contains(where: { text.holds($0, at: word) }) { return true }
        let token = try? JSONLexer.number(text.extracting(word), from: 0)
        return token?.end == word.count
    }
}
