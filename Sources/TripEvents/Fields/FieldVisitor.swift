/// Something that goes over the fields of an event's content (see ``EventPayload``).
protocol FieldVisitor {
    /// Visits a field that the event cannot do without.
    mutating func required<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value
    ) throws(Rejection)

    /// Visits a field that the event may leave out.
    mutating func optional<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value?
    ) throws(Rejection)

    /// Visits a field that the event may leave out, set or clear.
    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) throws(Rejection)
}
