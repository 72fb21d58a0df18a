/// Writes JSON without white space, texts with as few escapes as RFC 8259 allows.
package enum JSONWriter {
    /// Appends a text in quotes.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        // Nearly every text needs no escape and is copied as a whole.
        let needsEscapes = text.utf8.contains { byte in
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        guard !needsEscapes else { return append(text.utf8, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 in quotes.
    package static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x00..<0x20:
                bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a member's name and its colon, after a comma unless it is the first of its object.
    package static func appendName(_ name: String, to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") {
            bytes.append(UInt8(ascii: ","))
        }
        append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a list of texts.
    package static func append(_ texts: [String], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 {
                bytes.append(UInt8(ascii: ","))
            }
            append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
