/// The size and root hash that commit to a whole log.
package struct TreeHead: Hashable, Sendable {
    /// How many entries the log holds.
    package var size: UInt64

    /// The root of the RFC 6962 tree over them.
    package var root: Digest

    /// Creates a tree head.
    package init(size: UInt64, root: Digest) {
        self.size = size
        self.root = root
    }
}
