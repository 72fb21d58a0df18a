import Proofs

extension SigningSeed {
    /// Returns a seed that everybody can guess.
    static func numbered(_ number: UInt8) -> SigningSeed {
        guard let seed = SigningSeed([UInt8](repeating: number, count: byteCount)) else {
            preconditionFailure("32 bytes make a seed")
        }
        return seed
    }
}
