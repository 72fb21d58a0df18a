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

    /// Appends a field's value.
    static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: number.description.utf8)
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .boolean(let boolean): bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
        case .time(let time):
            bytes.append(UInt8(ascii: "\""))
            RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        case .null: bytes.append(contentsOf: "null".utf8)
        case .texts(let texts): append(texts, to: &bytes)
        case .values(let fields): append(fields, to: &bytes)
        }
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

    /// Appends custom fields as an object.
    package static func append(_ fields: CustomFields, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for field in fields.all {
            appendName(field.key, to: &bytes)
            append(field.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the value of a custom field.
    package static func append(_ value: CustomValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: number.description.utf8)
        case .boolean(let boolean): append(FieldValue.boolean(boolean), to: &bytes)
        case .null: append(FieldValue.null, to: &bytes)
        }
    }
}
