extension LineScanner {
    /// Reads a member whose name starts at `start` and returns where the next token starts.
    @inline(__always)
    mutating func scanMember(_ line: Span<UInt8>, from start: Int) throws(Rejection) -> Int {
        guard start < line.count, line[start] == UInt8(ascii: "\"") else {
            throw JSONLexer.unexpected(line, at: start, expected: "a name in quotes")
        }
        var position = start + 1
        let code = try scanName(line, position: &position)
        position = JSONLexer.skipSpace(line, from: position + 1)
        guard position < line.count, line[position] == UInt8(ascii: ":") else {
            throw JSONLexer.unexpected(line, at: position, expected: "':'")
        }
        position = JSONLexer.skipSpace(line, from: position + 1)
        var member = LineMember()
        position = try scanValue(line, from: position, into: &member)
        if code != MemberTable.unknown {
            members[Int(code)] = member
        }
        return JSONLexer.skipSpace(line, from: position)
    }

    /// Reads a name, moves to its closing quote and returns its code.
    @inline(__always)
    private mutating func scanName(
        _ line: Span<UInt8>,
        position: inout Int
    ) throws(Rejection) -> UInt8 {
        let start = position
        var name = PackedName()
        while position < line.count {
            let byte = line[position]
            if byte == UInt8(ascii: "\"") { break }
            if byte &- 0x20 >= 0x60 || byte == UInt8(ascii: "\\") {
                return try scanUnusualName(line, from: start, position: &position)
            }
            name.append(byte)
            position += 1
        }
        guard position < line.count, position - start <= PackedName.maximumBytes else {
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

    @inline(__always)
    private mutating func scanValue(
        _ line: Span<UInt8>,
        from start: Int,
        into member: inout LineMember
    ) throws(Rejection) -> Int {
        guard start < line.count else {
            throw JSONLexer.unexpected(line, at: start, expected: "a value")
        }
        switch line[start] {
        case UInt8(ascii: "\""):
            let token = try JSONLexer.string(line, from: start + 1)
            member.kind = .text
            member.flag = token.hasEscapes
            member.start = start + 1
            member.end = token.end
            return token.end + 1
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try JSONLexer.number(line, from: start)
            member.kind = .number
            member.flag = token.isNegative
            member.isShort = token.isShort
            member.decimals = Int32(truncatingIfNeeded: token.decimals)
            member.magnitude = token.magnitude
            member.start = start
            member.end = token.end
            return token.end
        default:
            return try scanUnusualValue(line, from: start, into: &member)
        }
    }

    private mutating func scanUnusualValue(
        _ line: Span<UInt8>,
        from start: Int,
        into member: inout LineMember
    ) throws(Rejection) -> Int {
        var parser = JSONParser(position: start)
        let value = try parser.value(line, depth: 1)
        member.start = start
        member.end = parser.position
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
        return parser.position
    }
}
