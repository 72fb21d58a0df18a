import Projections
public import SystemPackage
public import TripLedger

/// The entries that could be saved from a damaged log, and how well they are proven.
public struct RescueReport: Hashable, Sendable {
    /// The new ledger's directory; there is no ledger in it if nothing could be saved.
    public var path: FilePath

    /// The head of the new log.
    public var head: LedgerHead

    /// Entries, from position 0 on, that a known head proves to be what they were.
    public var provenByHead: UInt64 = 0

    /// Entries, from position 0 on, that a signed head proves to be what they were.
    public var provenBySignedHead: UInt64 = 0

    /// Entries, from position 0 on, whose hashes agree with roots that were stored beside them.
    public var agreeingWithTree: UInt64 = 0

    /// The entries that the damaged log says it had, or `nil` if it says nothing that can be read.
    public var statedSize: UInt64?

    /// The entries that the damaged log says it had one transaction earlier, if that is all that
    /// it still says.
    public var earlierSize: UInt64?

    /// Sizes of known heads that the new log contradicts.
    public var contradictedHeads: [UInt64] = []

    /// Sizes of known heads that have more entries than the new log: it neither proves nor
    /// contradicts them.
    public var unreachedHeads: [UInt64] = []

    /// The positions of entries that were found after a gap.
    public var strandedRanges: [Range<UInt64>] = []

    /// The positions of entries that must have been there and were not found.
    public var missingRanges: [Range<UInt64>] = []

    /// Files that should hold a signed head, and do not.
    public var unreadableHeads: [String] = []

    /// Signed heads that are kept and that the new log does not have: it cannot be signed while
    /// they are there.
    public var foreignHeads: [FilePath] = []

    /// The new paths of such heads that were set aside.
    public var headsSetAside: [FilePath] = []

    /// The outcome for the tokens beside the damaged log, if there are any.
    package var tokens: ServerBackup.Restoration?

    /// First positions of blocks that exist in versions that contradict each other.
    public var conflicts: [UInt64] = []

    /// Findings about the new log, as `ledger verify` says them: tombstones, for one, when the
    /// event that explains them is lost.
    public var findings: [String] = []

    /// The reason why some of the found data could not be used, or `nil`.
    public var obstacle: String?

    /// Whether everything that the log ever had is there again.
    public var isComplete: Bool {
        statedSize == head.size && strandedRanges.isEmpty && missingRanges.isEmpty
            && contradictedHeads.isEmpty && unreachedHeads.isEmpty && obstacle == nil
            && conflicts.isEmpty && findings.isEmpty
    }

    /// The report as a JSON object on one line (`rescue.v1.schema.json`).
    public var line: [UInt8] {
        var json = RowJSON()
        json.add("path", text: path.string)
        json.add("size", integer: Int64(clamping: head.size))
        json.add("root", text: head.root)
        json.add("complete", boolean: isComplete)
        json.add("proven_by_head", integer: Int64(clamping: provenByHead))
        json.add("proven_by_signed_head", integer: Int64(clamping: provenBySignedHead))
        json.add("agreeing_with_tree", integer: Int64(clamping: agreeingWithTree))
        if let statedSize { json.add("stated_size", integer: Int64(clamping: statedSize)) }
        if let earlierSize { json.add("earlier_size", integer: Int64(clamping: earlierSize)) }
        json.add("contradicted_heads", texts: contradictedHeads.map(String.init))
        if !unreachedHeads.isEmpty {
            json.add("unreached_heads", texts: unreachedHeads.map(String.init))
        }
        json.add("stranded", texts: strandedRanges.map(Self.text))
        json.add("missing", texts: missingRanges.map(Self.text))
        if !unreadableHeads.isEmpty { json.add("unreadable_heads", texts: unreadableHeads) }
        if !foreignHeads.isEmpty { json.add("foreign_heads", texts: foreignHeads.map(\.string)) }
        if !headsSetAside.isEmpty {
            json.add("heads_set_aside", texts: headsSetAside.map(\.string))
        }
        if let tokens { json.add("tokens", text: tokens.rawValue) }
        json.add("conflicts", texts: conflicts.map(String.init))
        if !findings.isEmpty { json.add("findings", texts: findings) }
        if let obstacle { json.add("obstacle", text: obstacle) }
        return json.object
    }

    private static func text(_ positions: Range<UInt64>) -> String {
        "\(positions.lowerBound)-\(positions.upperBound - 1)"
    }
}
