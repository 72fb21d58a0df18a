/// What compacting a log came to.
package struct CompactionFigures: Hashable, Sendable {
    /// Compact blocks that are there now.
    package var compactBlocks: UInt64 = 0

    /// Those of them that were not there before.
    package var newBlocks: UInt64 = 0

    /// The entries of these.
    package var newEntries: UInt64 = 0

    /// The length of the log's file before, in bytes.
    package var bytesBefore: Int64 = 0

    /// The length of the log's file afterwards, in bytes.
    package var bytesAfter: Int64 = 0

    /// Whether the file was written anew, so that the log has to be opened again.
    package var isRewritten = false

    /// Creates figures of nothing.
    package init() {}
}
