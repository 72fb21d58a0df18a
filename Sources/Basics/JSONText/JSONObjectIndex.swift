/// The places of the members of a JSON object in a text, read as strictly as ``JSONParser`` reads,
/// without a tree, into memory that the next object reuses.
package struct JSONObjectIndex {
    /// A value of a member or a list.
    package struct Value {
        /// The kind of the value.
        package enum Kind {
            case null
            case boolean
            case number
            case text
            case list
            case object
        }

        /// The kind of the value.
        package let kind: Kind

        /// Its place in the object's text; for a string, the part between the quotes.
        package let range: Range<Int>

        /// Whether it is a text with escapes.
        package var hasEscapes = false
    }

    /// The members, in the order in which they were written.
    package private(set) var members: [(name: Range<Int>, value: Value)] = []

    /// The names of an object with more members than are compared one by one.
    private var names: Set<[UInt8]> = []

    /// The most members that are compared one by one.
    private static let fewMembers = 64

    /// Creates an index of nothing.
    package init() {}

    /// Reads the object that begins at a position and lies in `depth` lists and objects; a member
    /// whose name has escapes is not found by its name.
    ///
    /// - Returns: Where it ends.
    /// - Throws: `JSONSyntaxError`.
    @discardableResult
    package mutating func read(
        _ text: Span<UInt8>,
        at start: Int,
        depth: Int = 0
    ) throws(JSONSyntaxError) -> Int {
        members.removeAll(keepingCapacity: true)
        names.removeAll()
        guard start < text.count, text[start] == UInt8(ascii: "{") else {
            throw JSONLexer.unexpected(text, at: start, expected: "'{'")
        }
        var position = JSONLexer.skipSpace(text, from: start + 1)
        if position < text.count, text[position] == UInt8(ascii: "}") { return position + 1 }
        while true {
            guard position < text.count, text[position] == UInt8(ascii: "\"") else {
                throw JSONLexer.unexpected(text, at: position, expected: "a name in quotes")
            }
            let name = position + 1..<(try JSONLexer.string(text, from: position + 1).end)
            try checkIsNew(name, in: text)
            position = JSONLexer.skipSpace(text, from: name.upperBound + 1)
            guard position < text.count, text[position] == UInt8(ascii: ":") else {
                throw JSONLexer.unexpected(text, at: position, expected: "':'")
            }
            position = JSONLexer.skipSpace(text, from: position + 1)
            let value = try Self.value(text, at: &position, depth: depth + 1)
            members.append((name, value))
            position = JSONLexer.skipSpace(text, from: position)
            guard position < text.count else {
                throw JSONLexer.unexpected(text, at: position, expected: "',' or '}'")
            }
            switch text[position] {
            case UInt8(ascii: "}"): return position + 1
            case UInt8(ascii: ","): position = JSONLexer.skipSpace(text, from: position + 1)
            default: throw JSONLexer.unexpected(text, at: position, expected: "',' or '}'")
            }
        }
    }

    /// Returns the value of a member, or `nil` if there is none of that name.
    package func value(_ name: String, in text: Span<UInt8>) -> Value? {
        members.first { text.holds(name, at: $0.name) }?.value
    }

    private mutating func checkIsNew(
        _ name: Range<Int>,
        in text: Span<UInt8>
    ) throws(JSONSyntaxError) {
        let isTaken: Bool
        if members.count < Self.fewMembers {
            isTaken = members.contains { text.hasSameBytes($0.name, name) }
        } else {
            if names.isEmpty { names = Set(members.map { text.bytes(in: $0.name) }) }
            isTaken = !names.insert(text.bytes(in: name)).inserted
        }
        guard !isTaken else {
            throw JSONParser.duplicate(
                String(decoding: text.bytes(in: name), as: UTF8.self),
                at: name.lowerBound - 1
            )
        }
    }
}

extension JSONObjectIndex {
    /// Reads the value at a position, and leaves the position behind it.
    package static func value(
        _ text: Span<UInt8>,
        at position: inout Int,
        depth: Int
    ) throws(JSONSyntaxError) -> Value {
        let start = position
        guard start < text.count else {
            throw JSONLexer.unexpected(text, at: start, expected: "a value")
        }
        switch text[start] {
        case UInt8(ascii: "\""):
            let token = try JSONLexer.string(text, from: start + 1)
            position = token.end + 1
            return Value(
                kind: .text,
                range: start + 1..<token.end,
                hasEscapes: token.hasEscapes
            )
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            position = try JSONLexer.number(text, from: start).end
            return Value(kind: .number, range: start..<position)
        case UInt8(ascii: "t"):
            position = try JSONLexer.word("true", text, at: start)
            return Value(kind: .boolean, range: start..<position)
        case UInt8(ascii: "f"):
            position = try JSONLexer.word("false", text, at: start)
            return Value(kind: .boolean, range: start..<position)
        case UInt8(ascii: "n"):
            position = try JSONLexer.word("null", text, at: start)
            return Value(kind: .null, range: start..<position)
        case UInt8(ascii: "["):
            try checkDepth(depth, at: start)
            try skipElements(text, at: &position, depth: depth)
            return Value(kind: .list, range: start..<position)
        case UInt8(ascii: "{"):
            try checkDepth(depth, at: start)
            var inner = JSONObjectIndex()
            position = try inner.read(text, at: start, depth: depth)
            return Value(kind: .object, range: start..<position)
        default:
            throw JSONLexer.unexpected(text, at: start, expected: "a value")
        }
    }

    /// Returns the elements of the list that begins at a position.
    package static func elements(
        _ text: Span<UInt8>,
        at start: Int
    ) throws(JSONSyntaxError) -> [Value] {
        var elements: [Value] = []
        var position = start
        try skipElements(text, at: &position, depth: 1) { elements.append($0) }
        return elements
    }

    private static func skipElements(
        _ text: Span<UInt8>,
        at position: inout Int,
        depth: Int,
        _ take: (Value) -> Void = { _ in }
    ) throws(JSONSyntaxError) {
        position = JSONLexer.skipSpace(text, from: position + 1)
        if position < text.count, text[position] == UInt8(ascii: "]") {
            position += 1
            return
        }
        while true {
            take(try value(text, at: &position, depth: depth + 1))
            position = JSONLexer.skipSpace(text, from: position)
            guard position < text.count else {
                throw JSONLexer.unexpected(text, at: position, expected: "',' or ']'")
            }
            switch text[position] {
            case UInt8(ascii: "]"):
                position += 1
                return
            case UInt8(ascii: ","): position = JSONLexer.skipSpace(text, from: position + 1)
            default: throw JSONLexer.unexpected(text, at: position, expected: "',' or ']'")
            }
        }
    }

    private static func checkDepth(_ depth: Int, at position: Int) throws(JSONSyntaxError) {
        guard depth < JSONParser.maximumDepth else { throw JSONParser.tooDeep(at: position) }
    }
}

extension Span<UInt8> {
    /// Whether part of the bytes is the UTF-8 of a text.
    package func holds(_ text: String, at range: Range<Int>) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var position = range.lowerBound
        for byte in text.utf8 {
            guard self[position] == byte else { return false }
            position += 1
        }
        return true
    }

    fileprivate func hasSameBytes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<one.count
        where self[one.lowerBound + offset] != self[other.lowerBound + offset] {
            return false
        }
        return true
    }
}
