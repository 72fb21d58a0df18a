/// The content of one kind of event, which names its fields in one place.
protocol EventPayload: Hashable, Sendable {
    /// A value to read fields into.
    static var blank: Self { get }

    /// Shows each field to a visitor, which reads it or sets it: reading, writing and listing the
    /// fields cannot drift apart.
    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)

    /// Checks the rules that concern more than one field.
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

    /// Checks each field by its form, then the rules that concern more than one field.
    func checkAll() throws(Rejection) {
        for field in fields.all {
            try field.name.form.check(field.value, of: field.name.jsonName)
        }
        try check()
    }
}

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

/// The fields of an event's content in ascending order of their tags, each at most once: the
/// neutral form that JSON, bytes and types have in common.
struct EventFields {
    /// A field and what it holds.
    struct Field {
        var name: FieldName
        var value: FieldValue
    }

    /// The fields in order.
    let all: [Field]

    /// Creates the form from fields in any order.
    init(_ fields: [Field]) {
        all = fields.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// What a field holds, or `nil` if it is not there.
    subscript(name: FieldName) -> FieldValue? {
        all.first { $0.name == name }?.value
    }
}

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

extension EventFields {
    /// Appends the fields to a payload: tag, length and value of each; a null has no bytes, and
    /// every other value has some.
    func append(to payload: inout [UInt8]) {
        for field in all {
            let bytes = FieldForm.bytes(of: field.value)
            payload.append(field.name.rawValue)
            payload.appendVarint(UInt64(bytes.count))
            payload.append(contentsOf: bytes)
        }
    }

    /// Reads the fields that make up the rest of a payload.
    init(_ payload: Span<UInt8>, from start: Int) throws(PayloadDamage) {
        var reader = PayloadReader(position: start)
        var fields: [Field] = []
        while reader.position < payload.count {
            let tag = try reader.byte(payload)
            let length = try reader.varint(payload)
            let range = try reader.bytes(payload, count: length)
            guard let name = FieldName(rawValue: tag) else {
                throw PayloadDamage("No field has the tag \(Excerpt.hexadecimal(tag)).")
            }
            if let last = fields.last, last.name.rawValue >= name.rawValue {
                throw PayloadDamage("The fields are not in order.")
            }
            let value =
                range.isEmpty
                ? FieldValue.null
                : try name.form.value(fromBytes: range, of: payload, name: name.jsonName)
            fields.append(Field(name: name, value: value))
        }
        self.init(fields)
    }
}
