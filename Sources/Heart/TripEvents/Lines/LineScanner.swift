/// Reads a line that is one JSON object, in one pass and without allocating for what events are
/// made of.
///
/// Its buffers are used again for the next line.
struct LineScanner: Sendable {
    /// A member that no event has.
    struct UnknownMember: Sendable {
        var name: String

        /// Offset of its opening quote.
        var position: Int

        /// Offset of its value.
        var start = 0

        /// Its value.
        var value = JSONValue.null
    }

    static let maximumBytes = 1_048_576

    /// The members that were there and not null, a bit for each code.
    var seen = MemberSet.none

    /// The members that were null, a bit for each code.
    var nulls = MemberSet.none

    /// Members with names that no event has, in the order they were written.
    var unknownMembers: [UnknownMember] = []

    var unknownNames: Set<[UInt8]> = []
    var members = [LineMember](repeating: LineMember(), count: MemberTable.codeCount)
    var trees: [JSONValue] = []
    let table = MemberTable.shared

    /// For the code of each member, the member to expect after it: the one that last followed it
    /// when the expected one did not.
    var followers = [ExpectedMember?](repeating: nil, count: MemberTable.codeCount)

    /// Returns whether the line had a member with a code, which was not null.
    @inline(__always)
    func has(_ code: UInt8) -> Bool {
        seen.contains(code)
    }

    /// Returns the member with a code, which the line MUST have had.
    ///
    /// The result is not optional, because an optional would copy the member just after it was
    /// written, which stalls the processor.
    @inline(__always)
    subscript(code: UInt8) -> LineMember {
        members[Int(code)]
    }

    /// Reads a line; what it held is then in `seen`, `unknownMembers` and the subscript.
    mutating func scan(_ line: Span<UInt8>) throws(Rejection) {
        forget()
        let start = try start(of: line)
        do throws(JSONSyntaxError) {
            try scanMembers(line, after: start)
        } catch {
            throw Rejection(error)
        }
        // Until here, null members had to count as seen, to find those that come twice.
        if !nulls.isEmpty { seen &= ~nulls }
    }

    /// Reads the members of the object whose brace is at `start`.
    @inline(__always)
    private mutating func scanMembers(
        _ line: Span<UInt8>,
        after start: Int
    ) throws(JSONSyntaxError) {
        var position = start
        position = JSONLexer.skipSpace(line, from: position + 1)
        if position < line.count, line[position] == UInt8(ascii: "}") {
            return try end(of: line, after: position)
        }
        var code = MemberTable.unknown
        while true {
            position = try scanMember(line, from: position, code: &code)
            guard position < line.count else { break }
            if line[position] == UInt8(ascii: ",") {
                position = JSONLexer.skipSpace(line, from: position + 1)
            } else if line[position] == UInt8(ascii: "}") {
                return try end(of: line, after: position)
            } else {
                break
            }
        }
        throw JSONLexer.unexpected(line, at: position, expected: "',' or '}'")
    }

    /// Returns a member's value as a tree.
    func tree(of member: LineMember, in line: Span<UInt8>) -> JSONValue {
        switch member.kind {
        case .text: .text(String(decoding: text(of: member, in: line), as: UTF8.self))
        case .number:
            .number(
                literal: String(
                    decoding: line.bytes(in: member.start..<member.end),
                    as: UTF8.self
                )
            )
        case .boolean: .boolean(member.flag)
        case .null: .null
        case .tree: trees[Int(member.magnitude)]
        }
    }

    /// Returns the UTF-8 of a member that is a text.
    func text(of member: LineMember, in line: Span<UInt8>) -> [UInt8] {
        let range = member.start..<member.end
        return member.flag ? JSONEscape.unescape(line, range) : line.bytes(in: range)
    }

    private mutating func forget() {
        seen = .none
        nulls = .none
        if !trees.isEmpty {
            trees.removeAll(keepingCapacity: true)
        }
        if !unknownNames.isEmpty {
            unknownMembers.removeAll(keepingCapacity: true)
            unknownNames.removeAll(keepingCapacity: true)
        }
    }

    @inline(__always)
    private func start(of line: Span<UInt8>) throws(Rejection) -> Int {
        guard line.count <= Self.maximumBytes else {
            throw Rejection(
                .lineTooLong,
                column: Self.maximumBytes + 1,
                sentence: "The line has \(line.count) bytes; \(Self.maximumBytes) are allowed."
            )
        }
        let position = JSONLexer.skipSpace(line, from: 0)
        guard position < line.count else {
            throw Rejection(.emptyLine, sentence: "The line is empty.")
        }
        guard line[position] == UInt8(ascii: "{") else { throw notAnObject(line, at: position) }
        return position
    }

    private func notAnObject(_ line: Span<UInt8>, at position: Int) -> Rejection {
        if line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
            return Rejection(
                .invalidJSON,
                column: 1,
                sentence: "The line starts with a byte order mark: save it as UTF-8 without one."
            )
        }
        var parser = JSONParser(position: position)
        do throws(JSONSyntaxError) {
            let value = try parser.value(line, depth: 0)
            return Rejection(
                .notAnObject,
                column: position + 1,
                sentence: "The line is \(value.typeName); an event is an object."
            )
        } catch {
            return Rejection(error)
        }
    }

    @inline(__always)
    private func end(of line: Span<UInt8>, after brace: Int) throws(JSONSyntaxError) {
        let position = JSONLexer.skipSpace(line, from: brace + 1)
        guard position == line.count else {
            throw JSONLexer.unexpected(line, at: position, expected: "the end of the line")
        }
    }
}

extension LineScanner {
    /// Reads a member whose name starts at `start` and returns where the next token starts; `code`
    /// is that of the member before it, and becomes its own.
    @inline(__always)
    mutating func scanMember(
        _ line: Span<UInt8>,
        from start: Int,
        code: inout UInt8
    ) throws(JSONSyntaxError) -> Int {
        guard start < line.count, line[start] == UInt8(ascii: "\"") else {
            throw JSONLexer.unexpected(line, at: start, expected: "a name in quotes")
        }
        var position = start + 1
        if !scanExpectedName(line, position: &position, code: &code) {
            let previous = Int(code)
            code = try scanName(line, position: &position)
            followers[previous] = table.expected[Int(code)]
            position = JSONLexer.skipSpace(line, from: position + 1)
            guard position < line.count, line[position] == UInt8(ascii: ":") else {
                throw JSONLexer.unexpected(line, at: position, expected: "':'")
            }
            position += 1
            if code == MemberTable.unknown {
                return try scanUnknownValue(line, after: position)
            }
        }
        position = JSONLexer.skipSpace(line, from: position)
        let end = try scanValue(line, from: position, code: code)
        return JSONLexer.skipSpace(line, from: end)
    }

    /// Reads the value of the unknown member that was met last, and returns where the next token
    /// starts.
    @inline(never)
    private mutating func scanUnknownValue(
        _ line: Span<UInt8>,
        after colon: Int
    ) throws(JSONSyntaxError) -> Int {
        let start = JSONLexer.skipSpace(line, from: colon)
        var parser = JSONParser(position: start)
        let value = try parser.value(line, depth: 1)
        unknownMembers[unknownMembers.count - 1].start = start
        unknownMembers[unknownMembers.count - 1].value = value
        return JSONLexer.skipSpace(line, from: parser.position)
    }

    /// Moves past a name, its quote and its colon if it is the one that came after the same member
    /// in lines before, or returns `false`.
    @inline(__always)
    private mutating func scanExpectedName(
        _ line: Span<UInt8>,
        position: inout Int,
        code: inout UInt8
    ) -> Bool {
        guard let expected = followers[Int(code)],
            position + QuotedName.wordByteCount <= line.count
        else { return false }
        let isThere = expected.name.stands(in: line, at: position)
        guard isThere, (seen & expected.bit).isEmpty else { return false }
        seen |= expected.bit
        code = expected.code
        position += expected.name.byteCount
        return true
    }

    /// Reads a name, moves to its closing quote and returns its code.
    @inline(__always)
    private mutating func scanName(
        _ line: Span<UInt8>,
        position: inout Int
    ) throws(JSONSyntaxError) -> UInt8 {
        let start = position
        guard let name = PackedName(line, position: &position) else {
            return try scanUnusualName(line, from: start, position: &position)
        }
        let code = table.code(of: name)
        guard code != MemberTable.unknown, !seen.contains(code) else {
            return try scanUnusualName(line, from: start, position: &position)
        }
        seen |= MemberSet(code)
        return code
    }

    /// Reads a name that is long, escaped, unknown, a repetition, or an error.
    @inline(never)
    private mutating func scanUnusualName(
        _ line: Span<UInt8>,
        from start: Int,
        position: inout Int
    ) throws(JSONSyntaxError) -> UInt8 {
        let token = try JSONLexer.string(line, from: start)
        position = token.end
        let name = JSONEscape.unescape(line, start..<token.end)
        var code = MemberTable.unknown
        if name.count <= PackedName.maximumBytes, !name.contains(0) {
            code = table.code(of: PackedName(name))
        }
        let text = String(decoding: name, as: UTF8.self)
        guard code != MemberTable.unknown else {
            guard unknownNames.insert(name).inserted else {
                throw JSONParser.duplicate(text, at: start - 1)
            }
            unknownMembers.append(UnknownMember(name: text, position: start - 1))
            return code
        }
        guard !seen.contains(code) else { throw JSONParser.duplicate(text, at: start - 1) }
        seen |= MemberSet(code)
        return code
    }

    /// Reads a value into the place of its code and returns where it ends.
    @inline(__always)
    private mutating func scanValue(
        _ line: Span<UInt8>,
        from start: Int,
        code: UInt8
    ) throws(JSONSyntaxError) -> Int {
        guard start < line.count else {
            throw JSONLexer.unexpected(line, at: start, expected: "a value")
        }
        switch line[start] {
        case UInt8(ascii: "\""):
            let token = try JSONLexer.string(line, from: start + 1)
            members[Int(code)] = LineMember(
                kind: .text,
                flag: token.hasEscapes,
                start: start + 1,
                end: token.end
            )
            return token.end + 1
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try JSONLexer.number(line, from: start)
            members[Int(code)] = LineMember(
                kind: .number,
                flag: token.isNegative,
                isShort: token.isShort,
                decimals: Int32(truncatingIfNeeded: token.decimals),
                start: start,
                end: token.end,
                magnitude: token.magnitude
            )
            return token.end
        default:
            return try scanUnusualValue(line, from: start, code: code)
        }
    }

    private mutating func scanUnusualValue(
        _ line: Span<UInt8>,
        from start: Int,
        code: UInt8
    ) throws(JSONSyntaxError) -> Int {
        var parser = JSONParser(position: start)
        let value = try parser.value(line, depth: 1)
        var member = LineMember(start: start, end: parser.position)
        switch value {
        case .null:
            member.kind = .null
            nulls |= MemberSet(code)
        case .boolean(let boolean):
            member.kind = .boolean
            member.flag = boolean
        default:
            member.kind = .tree
            member.magnitude = UInt64(trees.count)
            trees.append(value)
        }
        members[Int(code)] = member
        return parser.position
    }
}
