/// Text in XML.
package enum XMLElement {
    /// Appends an element that holds a text; attributes are XML already.
    package static func append(
        _ name: String,
        attributes: String = "",
        _ text: String,
        to bytes: inout [UInt8]
    ) {
        bytes += "<\(name)\(attributes.isEmpty ? "" : " ")\(attributes)>".utf8
        append(text: text, to: &bytes)
        bytes += "</\(name)>".utf8
    }

    /// Appends an element that people see or hear, whose text cannot change the direction of text
    /// beside it (``DirectionMarks``).
    package static func appendShown(
        _ name: String,
        attributes: String = "",
        _ text: String,
        to bytes: inout [UInt8]
    ) {
        append(name, attributes: attributes, DirectionMarks.shown(text), to: &bytes)
    }

    /// Appends a text as it stands between tags.
    package static func append(text: String, to bytes: inout [UInt8]) {
        // Nearly every text needs no escape and is copied as a whole.
        guard text.utf8.contains(where: mayNeedEscape) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            // XML has no way to write other control characters.
            case "\0"..."\u{1F}" where scalar != "\t" && scalar != "\n", "\u{FFFE}"..."\u{FFFF}":
                bytes += "\u{FFFD}".utf8
            default: bytes += String(scalar).utf8
            }
        }
    }

    /// Whether a byte is, or begins, one of the characters that are not written as they are.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0xEF, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }
}
