/// Something that goes over the fields of an event's content (see ``EventPayload``).
protocol FieldVisitor {
    /// How a visit can fail; `Never` for visitors that only look.
    associatedtype Failure: Error

    /// Visits a field that the event cannot do without.
    mutating func required<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value
    ) throws(Failure)

    /// Visits a field that the event may leave out.
    mutating func optional<Value: FieldConvertible>(
        _ name: FieldName,
        _ value: inout Value?
    ) throws(Failure)

    /// Visits a field that the event may leave out, set or clear.
    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) throws(Failure)
}
