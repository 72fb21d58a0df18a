/// A custom field of trips was defined or changed.
public struct FieldDefined: Hashable, Sendable {
    /// The key in `fields`.
    public var key: String

    /// What people see.
    public var label: String

    /// What it holds.
    public var valueType: CustomFieldType

    /// What a field of type `select` offers, at most 100.
    public var options: [String]?

    /// Where it stands among the fields, lowest first.
    public var order: UInt32?

    /// Creates the content of the event.
    public init(
        key: String,
        label: String,
        valueType: CustomFieldType,
        options: [String]? = nil,
        order: UInt32? = nil
    ) {
        self.key = key
        self.label = label
        self.valueType = valueType
        self.options = options
        self.order = order
    }
}

extension FieldDefined: EventPayload {
    static var blank: FieldDefined { FieldDefined(key: .blank, label: .blank, valueType: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.key, &key)
        try visitor.required(.label, &label)
        try visitor.required(.valueType, &valueType)
        try visitor.optional(.options, &options)
        try visitor.optional(.order, &order)
    }
}
