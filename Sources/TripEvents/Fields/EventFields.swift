/// The fields of an event's content in ascending order of their tags, each at most once: the
/// neutral form that JSON, bytes and types have in common.
struct EventFields {
    /// A field and what it holds.
    struct Field {
        var name: FieldName
        var value: FieldValue
    }

    /// The fields in order.
    let all: [Field]

    /// Creates the form from fields in any order.
    init(_ fields: [Field]) {
        all = fields.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// What a field holds, or `nil` if it is not there.
    subscript(name: FieldName) -> FieldValue? {
        all.first { $0.name == name }?.value
    }
}

/// What a field holds, in the neutral form between JSON, bytes and types.
enum FieldValue: Hashable, Sendable {
    case text(String)
    case number(ExactDecimal)
    case integer(UInt64)
    case boolean(Bool)
    case time(EventTime)

    /// A detail that an edit clears.
    case null
    case texts([String])
    case values(CustomFields)
}

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
