/// A set of members of a line, a bit for each code 1 … 255.
struct MemberSet: Hashable, BitwiseCopyable, Sendable {
    private var low: UInt128
    private var high: UInt128

    /// No member.
    static let none = MemberSet(low: 0, high: 0)

    private init(low: UInt128, high: UInt128) {
        self.low = low
        self.high = high
    }

    /// The set of one member.
    @inline(__always)
    init(_ code: UInt8) {
        // Smart shifts: what is out of a word is gone.
        low = 1 << Int(code)
        high = 1 << (Int(code) - 128)
    }

    /// Creates the set of some members.
    init(_ codes: some Sequence<UInt8>) {
        self = codes.reduce(.none) { $0 | MemberSet($1) }
    }

    /// Whether it has no member.
    @inline(__always)
    var isEmpty: Bool { low | high == 0 }

    /// Returns whether it has a member.
    @inline(__always)
    func contains(_ code: UInt8) -> Bool {
        code < 128 ? low & (1 &<< UInt128(code)) != 0 : high & (1 &<< UInt128(code & 127)) != 0
    }

    @inline(__always)
    static func | (left: MemberSet, right: MemberSet) -> MemberSet {
        MemberSet(low: left.low | right.low, high: left.high | right.high)
    }

    @inline(__always)
    static func & (left: MemberSet, right: MemberSet) -> MemberSet {
        MemberSet(low: left.low & right.low, high: left.high & right.high)
    }

    /// The members that it does not have.
    @inline(__always)
    static prefix func ~ (set: MemberSet) -> MemberSet {
        MemberSet(low: ~set.low, high: ~set.high)
    }

    @inline(__always)
    static func |= (set: inout MemberSet, other: MemberSet) { set = set | other }

    @inline(__always)
    static func &= (set: inout MemberSet, other: MemberSet) { set = set & other }
}
