extension JSONWriter {
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
