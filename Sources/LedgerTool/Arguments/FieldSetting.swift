import ArgumentParser

/// A custom field with its value as a person wrote it, as in `project=P-17`.
struct FieldSetting: ExpressibleByArgument {
    /// The field's key.
    let key: String

    /// The value.
    let text: String

    init?(argument: String) {
        guard let equalsSign = argument.firstIndex(of: "="), equalsSign != argument.startIndex
        else { return nil }
        key = String(argument[..<equalsSign])
        text = String(argument[argument.index(after: equalsSign)...])
    }
}
