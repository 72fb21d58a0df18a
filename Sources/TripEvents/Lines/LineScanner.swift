/// Reads a line that is one JSON object, in one pass and without allocating for what events are
/// made of.
///
/// Its buffers are used again for the next line.
struct LineScanner: Sendable {
    /// A member that no event has.
    struct Stranger: Sendable {
        var name: String

        /// Offset of its opening quote.
        var position: Int
    }

    static let maximumBytes = 1_048_576

    /// The members that were there, a bit for each code.
    var seen: UInt128 = 0

    /// Members with names that no event has, in the order they were written.
    var strangers: [Stranger] = []

    var strangerNames: Set<[UInt8]> = []
    var members = [LineMember](repeating: LineMember(), count: MemberTable.codeCount)
    var trees: [JSONValue] = []
    let table = MemberTable.shared

    /// For the code of a member, what came after it when that was last something else.
    var followers = [ExpectedMember?](repeating: nil, count: MemberTable.codeCount)

    /// Returns whether the line had a member with a code.
    @inline(__always)
    func has(_ code: UInt8) -> Bool {
        seen & (1 << UInt128(code)) != 0
    }

    /// Returns the member with a code, which the line MUST have had.
    ///
    /// It is no optional, because making one copies the member just after it was written, which
    /// stalls the processor.
    @inline(__always)
    subscript(code: UInt8) -> LineMember {
        members[Int(code)]
    }

    /// Reads a line; what it held is then in `seen`, `strangers` and the subscript.
    mutating func scan(_ line: Span<UInt8>) throws(Rejection) {
        forget()
        var position = try start(of: line)
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
        seen = 0
        if !trees.isEmpty {
            trees.removeAll(keepingCapacity: true)
        }
        if !strangers.isEmpty {
            strangers.removeAll(keepingCapacity: true)
            strangerNames.removeAll(keepingCapacity: true)
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
                sentence: "The line starts with a byte order mark."
            )
        }
        var parser = JSONParser(position: position)
        do throws(Rejection) {
            let value = try parser.value(line, depth: 0)
            return Rejection(
                .notAnObject,
                column: position + 1,
                sentence: "The line is \(value.typeName); an event is an object."
            )
        } catch {
            return error
        }
    }

    @inline(__always)
    private func end(of line: Span<UInt8>, after brace: Int) throws(Rejection) {
        let position = JSONLexer.skipSpace(line, from: brace + 1)
        guard position == line.count else {
            throw JSONLexer.unexpected(line, at: position, expected: "the end of the line")
        }
    }
}
