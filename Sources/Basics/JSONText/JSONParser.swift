/// Reads a JSON value, whatever it is, into a tree: strict, with no key twice in an object and at
/// most 32 values inside one another.
package struct JSONParser: ~Copyable {
    /// How deep lists and objects may be nested.
    package static let maximumDepth = 32

    /// The position of the next byte to read.
    package private(set) var position: Int

    /// Begins to read at a position.
    package init(position: Int) {
        self.position = position
    }

    /// Reads a value that lies inside `depth` lists and objects.
    package mutating func value(
        _ line: Span<UInt8>,
        depth: Int
    ) throws(JSONSyntaxError) -> JSONValue {
        guard position < line.count else {
            throw JSONLexer.unexpected(line, at: position, expected: "a value")
        }
        switch line[position] {
        case UInt8(ascii: "\""):
            return .text(String(decoding: try text(line), as: UTF8.self))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = position
            position = try JSONLexer.number(line, from: start).end
            return .number(
                literal: String(decoding: line.bytes(in: start..<position), as: UTF8.self)
            )
        case UInt8(ascii: "t"):
            position = try JSONLexer.word("true", line, at: position)
            return .boolean(true)
        case UInt8(ascii: "f"):
            position = try JSONLexer.word("false", line, at: position)
            return .boolean(false)
        case UInt8(ascii: "n"):
            position = try JSONLexer.word("null", line, at: position)
            return .null
        case UInt8(ascii: "["):
            try checkDepth(depth)
            return .list(try elements(line, depth: depth + 1))
        case UInt8(ascii: "{"):
            try checkDepth(depth)
            return .object(try members(line, depth: depth + 1))
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "+"), UInt8(ascii: "."):
            throw JSONLexer.invalidNumber(line, from: position, at: position)
        default:
            throw JSONLexer.unexpected(line, at: position, expected: "a value")
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONSyntaxError) {
        guard depth < Self.maximumDepth else { throw Self.tooDeep(at: position) }
    }

    /// Returns the reason for a list or object at a position that lies in too many others.
    static func tooDeep(at position: Int) -> JSONSyntaxError {
        JSONSyntaxError(
            .tooDeep,
            column: position + 1,
            sentence: "Lists and objects are nested more than \(maximumDepth) deep."
        )
    }

    private mutating func text(_ line: Span<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        let start = position + 1
        let token = try JSONLexer.string(line, from: start)
        position = token.end + 1
        return JSONEscape.unescape(line, start..<token.end)
    }

    private mutating func elements(
        _ line: Span<UInt8>,
        depth: Int
    ) throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        position = JSONLexer.skipSpace(line, from: position + 1)
        if take(UInt8(ascii: "]"), line) { return elements }
        while true {
            elements.append(try value(line, depth: depth))
            position = JSONLexer.skipSpace(line, from: position)
            if take(UInt8(ascii: "]"), line) { return elements }
            guard take(UInt8(ascii: ","), line) else {
                throw JSONLexer.unexpected(line, at: position, expected: "',' or ']'")
            }
            position = JSONLexer.skipSpace(line, from: position)
        }
    }

    private mutating func members(
        _ line: Span<UInt8>,
        depth: Int
    ) throws(JSONSyntaxError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var names: Set<[UInt8]> = []
        position = JSONLexer.skipSpace(line, from: position + 1)
        if take(UInt8(ascii: "}"), line) { return members }
        while true {
            let start = position
            guard start < line.count, line[start] == UInt8(ascii: "\"") else {
                throw JSONLexer.unexpected(line, at: start, expected: "a name in quotes")
            }
            let name = try text(line)
            guard names.insert(name).inserted else {
                throw Self.duplicate(String(decoding: name, as: UTF8.self), at: start)
            }
            position = JSONLexer.skipSpace(line, from: position)
            guard take(UInt8(ascii: ":"), line) else {
                throw JSONLexer.unexpected(line, at: position, expected: "':'")
            }
            position = JSONLexer.skipSpace(line, from: position)
            members.append(
                JSONValue.Member(
                    name: String(decoding: name, as: UTF8.self),
                    value: try value(line, depth: depth)
                )
            )
            position = JSONLexer.skipSpace(line, from: position)
            if take(UInt8(ascii: "}"), line) { return members }
            guard take(UInt8(ascii: ","), line) else {
                throw JSONLexer.unexpected(line, at: position, expected: "',' or '}'")
            }
            position = JSONLexer.skipSpace(line, from: position)
        }
    }

    /// Returns the reason for a name that an object has twice.
    package static func duplicate(_ name: String, at position: Int) -> JSONSyntaxError {
        JSONSyntaxError(
            .duplicateKey,
            column: position + 1,
            sentence: "The object has \(Excerpt.of(name)) twice."
        )
    }

    private mutating func take(_ byte: UInt8, _ line: Span<UInt8>) -> Bool {
        guard position < line.count, line[position] == byte else { return false }
        position += 1
        return true
    }
}

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

        /// Creates a member.
        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the value's type, for sentences.
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

extension JSONValue {
    /// The text that this is, or `nil`.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The whole number from 0 on that this is, or `nil`.
    package var number: UInt64? {
        if case .number(let literal) = self { UInt64(literal) } else { nil }
    }

    /// The elements of the list that this is, or `nil`.
    package var elements: [JSONValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    /// The texts in the list that this is, or `nil`.
    package var texts: [String]? { elements?.compactMap(\.text) }
}

/// The members of a JSON object that a part of this program wrote for another one: plain texts,
/// whole numbers and truth values.
package struct JSONMembers {
    private var members: [String: JSONValue] = [:]

    /// Reads a line that holds one object and nothing else, or returns `nil` if it does not.
    package init?(_ line: Span<UInt8>) {
        var parser = JSONParser(position: 0)
        guard case .object(let members) = try? parser.value(line, depth: 0),
            parser.position == line.count
        else { return nil }
        for member in members { self.members[member.name] = member.value }
    }

    /// Returns a member that is a text, or `nil`.
    package func text(_ name: String) -> String? {
        guard case .text(let text) = members[name] else { return nil }
        return text
    }

    /// Returns a member that is a whole number from 0 on, or `nil`.
    package func number(_ name: String) -> UInt64? {
        guard case .number(let literal) = members[name] else { return nil }
        return UInt64(literal)
    }

    /// Returns a member that is a list of texts, or `nil`.
    package func texts(_ name: String) -> [String]? {
        guard case .list(let elements) = members[name] else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// Returns a member that is `true` or `false`, or `nil`.
    package func boolean(_ name: String) -> Bool? {
        guard case .boolean(let value) = members[name] else { return nil }
        return value
    }
}
