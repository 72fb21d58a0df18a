import EventStore
import Proofs

extension TreeHead {
    /// Takes over a head, or returns `nil` if its root is none.
    init?(_ head: LedgerHead) {
        guard let root = Digest(hexadecimal: head.root) else { return nil }
        self.init(size: head.size, root: root)
    }
}
