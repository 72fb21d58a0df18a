/// Sets the fields of an event's content from their neutral form.
struct FieldReader: FieldVisitor {
    private let fields: EventFields

    /// Few enough to look through.
    private var visited: [FieldName] = []

    /// Creates a reader of fields.
    init(_ fields: EventFields) {
        self.fields = fields
    }

    /// Throws if there is a field that was not visited.
    func finish() throws(Rejection) {
        for field in fields.all where !visited.contains(field.name) {
            throw .unknownField(field.name.jsonName, field: field.name)
        }
    }

    mutating func required<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value
    ) throws(Rejection) {
        visited.append(name)
        guard let field = fields[name] else { throw .missingField(name.jsonName) }
        value = try convert(field, of: name)
    }

    mutating func optional<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value?
    ) throws(Rejection) {
        visited.append(name)
        guard let field = fields[name] else { return }
        value = try convert(field, of: name) as Value
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) throws(Rejection) {
        visited.append(name)
        guard let field = fields[name] else { return }
        change = field == .null ? .cleared : .set(try convert(field, of: name))
    }

    private func convert<Value: FieldConvertible>(
        _ field: FieldValue,
        of name: FieldName
    ) throws(Rejection) -> Value {
        guard field != .null else {
            throw .wrongType(name.jsonName, expected: name.form.typeName, found: "null")
        }
        guard let value = Value(field) else {
            throw Rejection(
                .invalidValue,
                field: name.jsonName,
                sentence: "\(name.jsonName) is not a value of its kind."
            )
        }
        return value
    }
}
