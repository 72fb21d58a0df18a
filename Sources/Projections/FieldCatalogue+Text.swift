public import TripEvents

extension FieldCatalogue {
    /// Returns what a person means who writes `text` as the value of a custom field.
    ///
    /// A field of numbers takes a number, one of true or false also yes or no. Text that does not
    /// say such a value, or is for a field that nobody defined, stays text; ``check(_:)`` tells why
    /// that is not acceptable.
    public func value(of key: String, from text: String) -> CustomValue {
        switch definition(of: key)?.valueType {
        case .number?:
            return ExactDecimal(literal: text).map(CustomValue.number) ?? .text(text)
        case .boolean?:
            switch text.lowercased() {
            case "true", "yes": return .boolean(true)
            case "false", "no": return .boolean(false)
            default: return .text(text)
            }
        case .text?, .date?, .duration?, .url?, .email?, .select?, nil:
            return .text(text)
        }
    }

    /// Returns the definition of a custom field that holds, if anybody defined it.
    public func definition(of key: String) -> FieldDefined? {
        definitions.first { $0.key.utf8.elementsEqual(key.utf8) }
    }
}
