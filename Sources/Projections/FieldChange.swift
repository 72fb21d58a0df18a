public import TripEvents

/// What a decision changed about one field of a trip.
public struct FieldChange: Hashable, Sendable {
    /// The field's name in JSON; custom fields are `fields.` and their key.
    public let field: String

    /// What it was; `nil` for nothing.
    public let old: CustomValue?

    /// What it is now; `nil` for nothing.
    public let new: CustomValue?

    /// Creates a change.
    public init(field: String, old: CustomValue?, new: CustomValue?) {
        self.field = field
        self.old = old
        self.new = new
    }

    /// Creates a change, or returns `nil` if there is none.
    init?(ifOther field: String, old: CustomValue?, new: CustomValue?) {
        guard old != new else { return nil }
        self.init(field: field, old: old, new: new)
    }
}
