/// Something that a check has confirmed.
public struct VerifyFact: Hashable, Sendable {
    /// What it is about.
    public var subject: VerifySubject

    /// What holds, as a sentence without a full stop.
    public var what: String

    /// Creates a fact.
    public init(_ subject: VerifySubject, _ what: String) {
        self.subject = subject
        self.what = what
    }
}
