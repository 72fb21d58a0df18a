import Proofs

/// The choice of blocks, among all that were found, that make up the log.
package struct RescuePlan: Sendable {
    /// Blocks that follow one another without a gap.
    package struct Stretch: Sendable {
        /// The blocks, in order of position.
        package fileprivate(set) var blocks: [LogSurvey.Block] = []

        /// The positions of their entries.
        package var positions: Range<UInt64> {
            guard let first = blocks.first, let last = blocks.last else { return 0..<0 }
            return first.firstPosition..<last.endPosition
        }
    }

    /// The stretches, in order of position.
    package private(set) var stretches: [Stretch] = []

    /// First positions of blocks of which there are versions that say different things.
    package private(set) var conflicts: [UInt64] = []

    /// Puts the blocks of a survey in order.
    ///
    /// - Throws: `EventLogError.damaged` if a block is no longer what was found, `Errno`.
    package init(_ survey: LogSurvey) throws {
        let versions = Dictionary(grouping: survey.blocks, by: \.firstPosition)
        let sizes = Set(survey.heads.map(\.size))
        var position: UInt64 = 0
        var stretch = Stretch()
        for first in versions.keys.sorted() where first >= position {
            guard let found = versions[first] else { continue }
            // An open block has been written again and again. The one that counts is the one that
            // the next block, or the log's end, follows.
            let best = found.max { left, right in
                Self.rank(left, versions, sizes) < Self.rank(right, versions, sizes)
            }
            guard var best else { continue }
            let rivals = found.filter { $0.count == best.count && $0.checksum != best.checksum }
            if !rivals.isEmpty, try !Self.settle(&best, rivals, survey) { conflicts.append(first) }
            if first != position, !stretch.blocks.isEmpty {
                stretches.append(stretch)
                stretch = Stretch()
            }
            stretch.blocks.append(best)
            position = best.endPosition
        }
        if !stretch.blocks.isEmpty { stretches.append(stretch) }
    }

    /// Chooses among versions of a block with as many entries: of what was erased, the tombstone.
    ///
    /// - Returns: Whether they are versions of the same entries.
    private static func settle(
        _ best: inout LogSurvey.Block,
        _ rivals: [LogSurvey.Block],
        _ survey: LogSurvey
    ) throws -> Bool {
        var (hashes, tombstones) = try survey.leaves(of: best)
        var areSame = true
        for rival in rivals {
            let other = try survey.leaves(of: rival)
            if other.hashes != hashes {
                areSame = false
            } else if other.tombstones > tombstones {
                (best, tombstones) = (rival, other.tombstones)
            }
        }
        return areSame
    }

    private static func rank(
        _ block: LogSurvey.Block,
        _ versions: [UInt64: [LogSurvey.Block]],
        _ sizes: Set<UInt64>
    ) -> Int {
        let isFollowed = versions[block.endPosition] != nil
        let isEnd = sizes.contains(block.endPosition)
        // No file has both forms of a block but where something was erased from the compact one.
        let count = block.isCompact ? 0 : block.count
        return (isFollowed ? 2_000 : 0) + (isEnd ? 1_000 : 0) + count
    }
}
