extension EventFields {
    /// Added to the tag of a field that an edit clears.
    private static let nullFlag: UInt8 = 0x80

    /// Appends the fields to a payload: tag, length and value of each.
    func append(to payload: inout [UInt8]) {
        for field in all {
            let bytes = FieldForm.bytes(of: field.value)
            let isNull = field.value == .null
            payload.append(field.name.rawValue | (isNull ? Self.nullFlag : 0))
            payload.appendVarint(UInt64(bytes.count))
            payload.append(contentsOf: bytes)
        }
    }

    /// Reads the fields that make up the rest of a payload.
    init(_ payload: Span<UInt8>, from start: Int) throws(PayloadDamage) {
        var reader = PayloadReader(position: start)
        var fields: [Field] = []
        while reader.position < payload.count {
            let tag = try reader.byte(payload)
            let length = try reader.varint(payload)
            let range = try reader.bytes(payload, count: length)
            guard let name = FieldName(rawValue: tag & ~Self.nullFlag) else {
                throw PayloadDamage("No field has the tag \(Excerpt.hexadecimal(tag)).")
            }
            if let last = fields.last, last.name.rawValue >= name.rawValue {
                throw PayloadDamage("The fields are not in order.")
            }
            let value: FieldValue
            if tag & Self.nullFlag == 0 {
                value = try name.form.value(fromBytes: range, of: payload, name: name.jsonName)
            } else {
                guard range.isEmpty else { throw PayloadDamage("A null has bytes.") }
                value = .null
            }
            fields.append(Field(name: name, value: value))
        }
        self.init(fields)
    }
}
