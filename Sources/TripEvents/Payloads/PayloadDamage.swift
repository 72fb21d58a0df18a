/// Why stored bytes are no payload: the entry is damaged, or was never written by this program.
public struct PayloadDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for people.
    public let description: String

    /// Creates a reason.
    init(_ description: String) {
        self.description = description
    }
}
