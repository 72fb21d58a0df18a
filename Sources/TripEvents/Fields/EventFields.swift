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
