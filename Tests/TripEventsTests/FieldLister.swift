@testable import TripEvents

/// Lists the fields that an event's content has, and which of them it cannot do without.
struct FieldLister: FieldVisitor {
    /// A field as the catalogue describes it.
    struct Entry {
        var name: FieldName
        var isRequired = false
        var isClearable = false
    }

    private(set) var entries: [Entry] = []

    /// Returns the fields of one kind of event.
    static func fields(of kind: EventKind) -> [Entry] {
        var lister = FieldLister()
        var payload = kind.blankPayload
        payload.visit(&lister)
        return lister.entries
    }

    mutating func required<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value) {
        entries.append(Entry(name: name, isRequired: true))
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value?) {
        entries.append(Entry(name: name))
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) {
        entries.append(Entry(name: name, isClearable: true))
    }
}
