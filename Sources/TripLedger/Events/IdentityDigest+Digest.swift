import EventStore
import Proofs
import TripEvents

extension IdentityDigest {
    /// Takes over a digest that the store computed.
    init(_ digest: Digest) {
        self.init(words: InlineArray { digest.word(at: $0) })
    }
}
