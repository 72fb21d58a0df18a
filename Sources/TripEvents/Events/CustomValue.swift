/// What a custom field or parameter holds.
public enum CustomValue: Hashable, Sendable {
    /// At most 4,000 bytes.
    case text(String)
    case number(ExactDecimal)
    case boolean(Bool)

    /// Nothing: an edit clears the field with it.
    case null
}
