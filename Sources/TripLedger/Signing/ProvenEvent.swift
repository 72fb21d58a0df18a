package import Proofs

/// An event with everything that proves it.
package struct ProvenEvent {
    /// The event as stored.
    package let event: StoredEvent

    /// Its entry: the bytes that are hashed.
    package let entry: [UInt8]

    /// The proof that the entry is in the log of a signed head.
    package let proof: InclusionProof
}
