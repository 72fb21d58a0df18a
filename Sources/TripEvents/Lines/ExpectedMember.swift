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
