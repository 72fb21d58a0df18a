import EventStore
import Proofs

/// How many entries the log holds, and the hash that commits to all of them.
public struct LedgerHead: Hashable, Sendable {
    /// The number of entries.
    public var size: UInt64

    /// The root of the RFC 6962 tree over the entries: 64 hexadecimal digits.
    public var root: String

    /// Creates a head.
    public init(size: UInt64, root: String) {
        self.size = size
        self.root = root
    }

    init(_ head: TreeHead) {
        self.init(size: head.size, root: head.root.description)
    }
}
