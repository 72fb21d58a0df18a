import Proofs

/// Grows the tree over the blocks of one transaction: beside it, if it has many entries.
struct TreeBuilder {
    /// Fewer entries are hashed before a thread has got going.
    private static let fewestForThread = 512

    private var grower: TreeGrower
    private var work: TreeWork?
    private var isWorthThread: Bool

    /// Takes up a tree, to which so many entries may come that another thread may hash.
    init(_ frontier: MerkleFrontier, entriesOfThread: Int) {
        grower = TreeGrower(frontier)
        isWorthThread = entriesOfThread >= Self.fewestForThread
    }

    /// Adds the entries of a plain block that the tree does not have yet; they MUST follow the last
    /// one that it has.
    ///
    /// - Throws: `EventLogError.damaged` if it is no block.
    mutating func add(_ block: [UInt8]) throws(EventLogError) {
        if isWorthThread {
            work = TreeWork(grower)
            isWorthThread = false
        }
        if let work { work.add(block) } else { try grower.add(block) }
    }

    /// Returns the tree over all blocks; nothing can be added after that.
    ///
    /// - Throws: `EventLogError.damaged` if one was no block.
    func end() throws -> TreeGrower {
        try work?.end() ?? grower
    }
}
