extension Rejection {
    /// Returns the reason for a member that must be there and is not.
    static func missingField(_ name: String) -> Rejection {
        Rejection(.missingField, field: name, sentence: "The event has no \(name).")
    }

    /// Returns the reason for a member that events of this type do not have.
    static func unknownField(_ name: String, field: FieldName?) -> Rejection {
        Rejection(
            .unknownField,
            field: field?.jsonName,
            sentence: "Events of this type have no member \(Excerpt.of(name))."
        )
    }

    /// Returns the reason for a member whose value is of another JSON type.
    static func wrongType(_ name: String, expected: String, found: String) -> Rejection {
        Rejection(.wrongType, field: name, sentence: "\(name) is \(found); it must be \(expected).")
    }
}
