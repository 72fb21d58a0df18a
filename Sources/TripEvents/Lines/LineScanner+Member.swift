extension LineScanner {
    /// Reads a member whose name starts at `start` and returns where the next token starts; `code`
    /// is that of the member before it, and becomes its own.
    @inline(__always)
    mutating func scanMember(
        _ line: Span<UInt8>,
        from start: Int,
        code: inout UInt8
    ) throws(Rejection) -> Int {
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
        }
        position = JSONLexer.skipSpace(line, from: position)
        let end = try scanValue(line, from: position, code: code)
        return JSONLexer.skipSpace(line, from: end)
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
        guard isThere, seen & expected.bit == 0 else { return false }
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
    ) throws(Rejection) -> UInt8 {
        let start = position
        guard let name = PackedName(line, position: &position) else {
            return try scanUnusualName(line, from: start, position: &position)
        }
        let code = table.code(of: name)
        let bit = UInt128(1) << UInt128(code)
        guard code != MemberTable.unknown, seen & bit == 0 else {
            return try scanUnusualName(line, from: start, position: &position)
        }
        seen |= bit
        return code
    }

    /// Reads a name that is long, escaped, unknown, a repetition, or an error.
    @inline(never)
    private mutating func scanUnusualName(
        _ line: Span<UInt8>,
        from start: Int,
        position: inout Int
    ) throws(Rejection) -> UInt8 {
        let token = try JSONLexer.string(line, from: start)
        position = token.end
        let name = JSONEscape.unescape(line, start..<token.end)
        var code = MemberTable.unknown
        if name.count <= PackedName.maximumBytes, !name.contains(0) {
            code = table.code(of: PackedName(name))
        }
        let text = String(decoding: name, as: UTF8.self)
        guard code != MemberTable.unknown else {
            guard strangerNames.insert(name).inserted else {
                throw JSONParser.duplicate(text, at: start - 1)
            }
            strangers.append(Stranger(name: text, position: start - 1))
            return code
        }
        let bit = UInt128(1) << UInt128(code)
        guard seen & bit == 0 else { throw JSONParser.duplicate(text, at: start - 1) }
        seen |= bit
        return code
    }

    /// Reads a value into the place of its code and returns where it ends; what a stranger holds
    /// goes to the place of the unknown and is never looked at.
    @inline(__always)
    private mutating func scanValue(
        _ line: Span<UInt8>,
        from start: Int,
        code: UInt8
    ) throws(Rejection) -> Int {
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
    ) throws(Rejection) -> Int {
        var parser = JSONParser(position: start)
        let value = try parser.value(line, depth: 1)
        var member = LineMember(start: start, end: parser.position)
        switch value {
        case .null: member.kind = .null
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
