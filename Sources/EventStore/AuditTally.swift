package import Proofs

/// What an audit knows of the entries it has read: all it needs to go on later, in another process.
///
/// It takes at most a few megabytes, however long the log is.
package struct AuditTally: Sendable {
    /// The most sources whose events are counted one by one; a driver has a handful.
    static let maximumSources = 100_000

    /// The tree over the entries.
    var tree = SubtreeHasher()

    /// The recorded_at of the last entry.
    var lastRecordedAt = Int64.min

    /// How many sources were given a number.
    var registeredSources: UInt32 = 0

    /// What the events of each source add up to, in order of numbers.
    var sources: [SourceState] = []

    /// Rows that the tables `times`, `ids` and `late` must have.
    var timeRows: UInt64 = 0
    var idRows: UInt64 = 0
    var lateRows: UInt64 = 0

    /// What was erased, and what the log says about that.
    var erasures = ErasureAudit()

    /// The last erasure of the log when the audit began: a later one changes what was read.
    var erasedBefore: UInt64?

    /// Whether every entry so far could be read, so that counts can be compared.
    package internal(set) var isWhole = true

    /// Whether the last block could not be read to its end.
    var isAfterDamage = false

    /// Begins before the first entry.
    package init() {}

    /// The position of the next entry.
    package var position: UInt64 { tree.size }

    /// Whether the events of every source are counted; the times of the others are not compared
    /// with the indexes.
    package var knowsAllSources: Bool { registeredSources <= UInt32(Self.maximumSources) }

    /// The size and root so far, or `nil` if entries are missing.
    package var head: TreeHead? {
        tree.frontier.map { TreeHead(size: $0.size, root: $0.root) }
    }
}
