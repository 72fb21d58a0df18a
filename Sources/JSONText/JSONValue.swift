/// A JSON value as a tree, for the few members that are no plain text or number.
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)

    /// The literal as it was written.
    case number(literal: String)
    case text(String)
    indirect case list([JSONValue])

    /// Members in the order they were written.
    indirect case object([Member])

    /// One member of an object.
    package struct Member: Sendable {
        /// Its name.
        package var name: String

        /// Its value.
        package var value: JSONValue
    }

    /// What the value is, as a sentence calls it.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// Reads a line that holds one value and nothing else.
    ///
    /// - Throws: `JSONSyntaxError` that says where it is no JSON.
    package init(_ line: Span<UInt8>) throws(JSONSyntaxError) {
        var parser = JSONParser(position: 0)
        self = try parser.value(line, depth: 0)
        guard parser.position == line.count else {
            throw JSONSyntaxError(
                .invalidJSON,
                column: parser.position + 1,
                sentence: "Something follows the value."
            )
        }
    }

    /// The value of a member, or `nil` if this is no object or has none of that name.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
