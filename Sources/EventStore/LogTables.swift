internal import LMDB

/// The handles of the log's tables (Formats, *The log's tables*).
struct LogTables: Sendable {
    /// First position → block.
    let blocks: Table

    /// Subtree number → root over 256 leaves.
    let tree: Table

    /// `"log"` → size, last recorded_at, frontier.
    let state: Table

    /// Source number → its state.
    let sources: Table

    /// Source name → number.
    let names: Table

    /// Source, time, position of every 64th in-order event.
    let times: Table

    /// Source, sender's id → position.
    let ids: Table

    /// Source, time, digest of late events → position.
    let late: Table

    /// The tables' names, in the order of the initialiser's argument.
    static let names = ["blocks", "tree", "state", "sources", "names", "times", "ids", "late"]

    /// Names the handles, which come in the order of `names`.
    init?(_ tables: [Table]) {
        guard tables.count == Self.names.count else { return nil }
        blocks = tables[0]
        tree = tables[1]
        state = tables[2]
        sources = tables[3]
        names = tables[4]
        times = tables[5]
        ids = tables[6]
        late = tables[7]
    }
}
