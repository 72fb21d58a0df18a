/// The content of one kind of event, which names its fields in one place.
protocol EventPayload: Hashable, Sendable {
    /// A value to read fields into.
    static var blank: Self { get }

    /// Shows each field to a visitor, which reads it or sets it: reading, writing and listing the
    /// fields cannot drift apart.
    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)

    /// Checks what no field can say alone.
    func check() throws(Rejection)
}

extension EventPayload {
    /// Creates the content that fields describe.
    init(_ fields: EventFields) throws(Rejection) {
        self = .blank
        var reader = FieldReader(fields)
        try visit(&reader)
        try reader.finish()
        try check()
    }

    /// The fields that describe the content.
    var fields: EventFields {
        var copy = self
        var writer = FieldWriter()
        copy.visit(&writer)
        return EventFields(writer.fields)
    }

    func check() throws(Rejection) {}
}
