/// Finds the code of a member, which is the raw value of its ``FieldName`` or ``EnvelopeName``.
struct MemberTable: Sendable {
    /// The one that readers share: making it takes longer than storing an event.
    static let shared = MemberTable()

    /// The code of no member.
    static let unknown: UInt8 = 0

    /// How many codes there are, used or not.
    static let codeCount = 128

    /// Open addressing: a name stands in its bucket or in one of the next, before a free one.
    private var codes = [UInt8](repeating: unknown, count: 256)
    private var names = [PackedName](repeating: PackedName([]), count: 256)

    /// For the code of a member, what to expect where that may come.
    private(set) var expected = [ExpectedMember?](repeating: nil, count: codeCount)

    /// Creates the table of all members that there are.
    init() {
        for name in FieldName.allCases {
            insert(name.jsonName, code: name.rawValue)
        }
        for name in EnvelopeName.allCases {
            insert(name.jsonName, code: name.rawValue)
        }
    }

    /// Returns the code of a member, or ``unknown``.
    @inline(__always)
    func code(of name: PackedName) -> UInt8 {
        var bucket = name.bucket
        while codes[bucket] != Self.unknown {
            if names[bucket] == name { return codes[bucket] }
            bucket = (bucket + 1) & 255
        }
        return Self.unknown
    }

    private mutating func insert(_ jsonName: String, code: UInt8) {
        let name = PackedName(jsonName.utf8)
        let byteCount = jsonName.utf8.count
        expected[Int(code)] = ExpectedMember(name, nameByteCount: byteCount, code: code)
        var bucket = name.bucket
        while codes[bucket] != Self.unknown {
            bucket = (bucket + 1) & 255
        }
        codes[bucket] = code
        names[bucket] = name
    }
}

/// The member that a line probably has next, for senders write theirs in one order.
struct ExpectedMember: BitwiseCopyable {
    /// Its code.
    let code: UInt8

    /// Its bit among those that were seen.
    let bit: UInt128

    /// Its name.
    let name: QuotedName

    /// Expects a member, or returns `nil` if its name is too long to be expected.
    init?(_ name: PackedName, nameByteCount: Int, code: UInt8) {
        guard let name = QuotedName(name, nameByteCount: nameByteCount) else { return nil }
        self.name = name
        self.code = code
        bit = 1 << UInt128(code)
    }
}
