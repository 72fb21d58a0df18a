/// Collects the fields of an event's content in their neutral form.
struct FieldWriter: FieldVisitor {
    /// The fields so far, in the order of the visit.
    private(set) var fields: [EventFields.Field] = []

    mutating func required<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value) {
        fields.append(EventFields.Field(name: name, value: value.fieldValue))
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value?) {
        guard let value else { return }
        fields.append(EventFields.Field(name: name, value: value.fieldValue))
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) {
        switch change {
        case .unchanged: break
        case .cleared: fields.append(EventFields.Field(name: name, value: .null))
        case .set(let value):
            fields.append(EventFields.Field(name: name, value: value.fieldValue))
        }
    }
}
