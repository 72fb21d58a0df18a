/// A text is not what its format demands.
package struct ProofDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
