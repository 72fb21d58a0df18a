package import Proofs

/// What a witness knows of a log.
package struct WitnessedLog {
    /// The key of the log's owner.
    package let owner: VerifierKey

    /// The last head that was cosigned, with the cosignature.
    package let head: SignedHead
}
