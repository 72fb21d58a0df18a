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
