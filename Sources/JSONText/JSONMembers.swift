/// The members of a JSON object that a part of this program wrote for another one: plain texts,
/// whole numbers and truth values.
package struct JSONMembers {
    private var members: [String: JSONValue] = [:]

    /// Reads a line that holds one object and nothing else, or returns `nil` if it is none.
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
