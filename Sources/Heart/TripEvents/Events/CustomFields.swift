/// Custom fields by key, in ascending order of the keys' UTF-8 bytes, each key once.
///
/// Keys are compared byte by byte: two spellings of an accented letter are two keys, as they are in
/// the stored form.
public struct CustomFields: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The key, 1 … 64 bytes.
        public let key: String

        /// The value.
        public let value: CustomValue
    }

    /// The fields in order.
    public private(set) var all: [Field] = []

    /// Creates no fields.
    public init() {}

    /// Creates fields from keys that differ, in any order.
    package init(_ fields: [Field]) {
        all = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// The value of a key; setting `nil` takes the field away.
    public subscript(key: String) -> CustomValue? {
        get {
            let index = insertionIndex(of: key)
            return holds(key, at: index) ? all[index].value : nil
        }
        set {
            let index = insertionIndex(of: key)
            if holds(key, at: index) {
                all.remove(at: index)
            }
            if let newValue {
                all.insert(Field(key: key, value: newValue), at: index)
            }
        }
    }

    private func insertionIndex(of key: String) -> Int {
        var range = 0..<all.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if all[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private func holds(_ key: String, at index: Int) -> Bool {
        index < all.count && all[index].key.hasSameBytes(as: key)
    }
}

extension CustomFields: ExpressibleByDictionaryLiteral {
    /// Creates fields from a literal; of a repeated key the last value stays.
    public init(dictionaryLiteral elements: (String, CustomValue)...) {
        for (key, value) in elements {
            self[key] = value
        }
    }
}

/// What a custom field or parameter holds.
public enum CustomValue: Hashable, Sendable {
    /// At most 4,000 bytes.
    case text(String)
    case number(ExactDecimal)
    case boolean(Bool)

    /// Nothing: an edit clears the field with it.
    case null

    /// Returns whether two values are the same, texts byte by byte (``NameKey``).
    public static func == (left: CustomValue, right: CustomValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.number(let left), .number(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.null, .null): true
        case (.text, _), (.number, _), (.boolean, _), (.null, _): false
        }
    }

    /// Feeds the value into a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(NameKey(text))
        case .number(let number): hasher.combine(number)
        case .boolean(let boolean): hasher.combine(boolean)
        case .null: hasher.combine(0)
        }
    }
}

/// A custom field of trips was defined or changed.
public struct FieldDefined: Hashable, Sendable {
    /// The key in `fields`.
    public var key: String

    /// The label that people see.
    public var label: String

    /// The type of its values.
    public var valueType: CustomFieldType

    /// The options of a field of type `select`, at most 100.
    public var options: [String]?

    /// Its place among the fields, lowest first.
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

/// What a custom field holds.
public enum CustomFieldType: String, CaseIterable, Sendable {
    case text
    case number
    case boolean
    case date
    case duration
    case url
    case email
    case select
}
