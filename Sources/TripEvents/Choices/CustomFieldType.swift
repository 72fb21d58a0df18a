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
