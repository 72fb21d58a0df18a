/// Something that is wrong: changed, damaged, missing, or not what was signed.
public struct VerifyFinding: Hashable, Sendable {
    /// What it is about.
    public var subject: VerifySubject

    /// The position of the entry, if it is about one.
    public var position: UInt64?

    /// What is wrong, as a sentence without a full stop.
    public var what: String

    /// Creates a finding.
    public init(_ subject: VerifySubject, at position: UInt64? = nil, _ what: String) {
        self.subject = subject
        self.position = position
        self.what = what
    }
}
