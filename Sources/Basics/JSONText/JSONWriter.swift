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

    /// Appends a value as it was written, without white space; only quotes, backslashes and control
    /// characters stay escaped.
    package static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let boolean): bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
        case .number(let literal): bytes.append(contentsOf: literal.utf8)
        case .text(let text): appendHarmless(text, to: &bytes)
        case .list(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): append(members, to: &bytes)
        }
    }

    /// Appends members as an object, in their order.
    package static func append(_ members: [JSONValue.Member], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            appendHarmless(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a text that may hold any character: U+007F … U+009F are escaped too, because a
    /// terminal may obey them.
    private static func appendHarmless(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        append(text, to: &bytes)
        let isControl = { (scalar: Unicode.Scalar) in 0x7F...0x9F ~= scalar.value }
        guard text.unicodeScalars.contains(where: isControl) else { return }
        let written = String(decoding: bytes[start...], as: UTF8.self)
        bytes.removeSubrange(start...)
        for scalar in written.unicodeScalars {
            if isControl(scalar) {
                bytes.append(contentsOf: "\\u00\(String(scalar.value, radix: 16))".utf8)
            } else {
                bytes.append(contentsOf: String(Character(scalar)).utf8)
            }
        }
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
