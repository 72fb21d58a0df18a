/// A JSON value as a tree, for the few members that are no plain text or number.
enum JSONValue: Sendable {
    case null
    case boolean(Bool)

    /// The literal as it was written.
    case number(literal: String)
    case text(String)
    indirect case list([JSONValue])

    /// Members in the order they were written.
    indirect case object([Member])

    /// One member of an object.
    struct Member: Sendable {
        var name: String
        var value: JSONValue
    }

    /// What the value is, as a sentence calls it.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
