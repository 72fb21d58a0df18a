/// The content of one kind of event, which names its fields in one place.
protocol EventPayload: Hashable, Sendable {
    /// A value to read fields into.
    static var blank: Self { get }

    /// Shows each field to a visitor, which reads it or sets it: reading, writing and listing the
    /// fields cannot drift apart.
    mutating func visit(_ visitor: inout some FieldVisitor) throws(Rejection)
}
